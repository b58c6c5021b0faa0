import { readFile } from 'node:fs/promises'
import createError from '@fastify/error'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendPage } from '../../kernel/send-page.ts'
import type { ConsoleService } from '../mounted-service.ts'
import type { Library } from './library.ts'
import type { RunningUrl } from './running-urls.ts'

export const DocsPageUnknown = createError<[string]>(
  'DOCS_PAGE_UNKNOWN',
  'The documentation has no page %s; /docs/ lists all pages',
  404
)

const CONSOLE_PORT = 4000
const PICTURE_HEADERS = { 'cache-control': 'max-age=3600', 'x-content-type-options': 'nosniff' }

export interface DocsOptions {
  services: () => readonly ConsoleService[]
  /** The URL of a service as the sender of the request reaches it. */
  urlFor: (request: FastifyRequest, service: ConsoleService) => string
}

/** The project's documentation. It is read, and its parser loaded, for the first page. */
export function docsRoutes(app: FastifyInstance, options: DocsOptions): void {
  let library: Library | undefined
  const openLibrary = async () => {
    const { readLibrary } = await import('./library.ts')
    library ??= readLibrary()
    return library
  }
  app.get('/docs', async (_request, reply) => reply.redirect('/docs/'))
  app.get<{ Params: { name: string } }>('/docs/pictures/:name', async (request, reply) => {
    const file = (await openLibrary()).findPicture(request.params.name)
    if (file === undefined) throw new DocsPageUnknown(request.url)
    return reply
      .type('image/png')
      .headers(PICTURE_HEADERS)
      .send(await readFile(file))
  })
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const { indexPage, documentPage } = await import('./page.ts')
    const documents = await openLibrary()
    const path = request.params['*']
    if (path === '') return sendPage(reply, indexPage(documents))
    const part = documents.find(path)
    if (part !== undefined) {
      return sendPage(reply, documentPage(part, documents, runningUrls(request, options)))
    }
    const named = documents.find(path.replace(/(?:\.md|\/)$/, ''))
    if (named === undefined) throw new DocsPageUnknown(`/docs/${path}`)
    return reply.redirect(named.href)
  })
}

function runningUrls(request: FastifyRequest, { services, urlFor }: DocsOptions): RunningUrl[] {
  const { console } = request.server.frameOf(request)
  const running = services()
    .filter(({ url }) => url !== '')
    .flatMap((running) => [
      {
        documentedPort: CONSOLE_PORT + Number(running.service.label.slice('I-'.length)),
        url: urlFor(request, running),
        localUrl: running.url
      },
      // Ports of other protocols listen on this machine only.
      ...running.ports.map(({ offset, url }) => ({
        documentedPort: CONSOLE_PORT + offset,
        url,
        localUrl: url
      }))
    ])
  if (console === undefined) return running
  return [{ documentedPort: CONSOLE_PORT, url: console, localUrl: console }, ...running]
}
