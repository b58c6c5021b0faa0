import type { FastifyInstance } from 'fastify'
import { RouteNotFound } from '../../../kernel/errors.ts'
import { loadOnce } from '../../../kernel/load-once.ts'
import type { StatusContext } from '../context.ts'
import type { HandlerName } from '../writing/handlers.ts'

/** Routes of the writing page. */
const WRITING_ROUTES: readonly (readonly ['GET' | 'POST', string, HandlerName])[] = [
  ['GET', '/', 'page'],
  ['GET', '/assets/:file', 'asset'],
  ['GET', '/media/:hash', 'media'],
  ['POST', '/accounts', 'addAccount'],
  ['POST', '/accounts/:account/posts', 'post'],
  ['POST', '/accounts/:account/posts/:id', 'change'],
  ['POST', '/import/archive', 'importArchive'],
  ['GET', '/import/archive/:job', 'showImport']
]

/**
 * Routes of the console for the commands, of which `import/protocol.ts` describes those of the
 * import, and of the writing page. Returns a function that ends what runs without a request.
 */
export function consoleRoutes(console: FastifyInstance, context: StatusContext): () => void {
  const { prefix, frameOf } = console
  let stopWriting = () => {}

  /** Loaded at the first import, because it needs the validator and the code for images. */
  const load = loadOnce(async () => {
    const { createReceiver } = await import('./receiver.ts')
    return createReceiver(context)
  })

  const loadWriting = loadOnce(async () => {
    const { createWriting } = await import('../writing/handlers.ts')
    const writing = createWriting(context, await context.posting(), prefix)
    stopWriting = writing.stop
    return writing
  })

  console.decorate('frameOf', (request) => ({ ...frameOf(request), service: 'statuses' }))
  // Bodies are not parsed, whatever their content type.
  console.removeAllContentTypeParsers()
  console.addContentTypeParser('*', (_request, _payload, done) => done(null))
  console.get('/export/*', async (request, reply) => {
    const { handleExport } = await import('../export/handle-export.ts')
    return handleExport(context, request, reply)
  })
  console.post<{ Params: { step: string } }>('/import/:step', async (request) => {
    const receiver = await load()
    const { step } = request.params
    const receive = Object.hasOwn(receiver, step) ? receiver[step] : undefined
    if (receive === undefined) throw new RouteNotFound(request.method, request.url)
    return receive(request.raw)
  })
  for (const [method, url, name] of WRITING_ROUTES) {
    console.route({
      method,
      url,
      async handler(request, reply) {
        const writing = await loadWriting()
        return writing[name](request, reply)
      }
    })
  }
  return () => stopWriting()
}
