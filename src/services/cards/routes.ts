import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { allowAnyMethod, methodsExcept } from '../../kernel/any-method.ts'
import { loadOnce } from '../../kernel/load-once.ts'
import { parseRequestTarget, segmentsOf } from '../../kernel/request-target.ts'
import type { FastPath } from '../../kernel/service.ts'
import type { ContentSection } from './content/handler.ts'
import type { CardContext, Section } from './context.ts'

/** Each group of routes is loaded with its first request. */
const SECTIONS: Readonly<Record<string, (context: CardContext) => Promise<Section>>> = {
  '1': async (context) => (await import('./api/handler.ts')).createApi(context),
  images: async (context) => (await import('./files/image-handler.ts')).createImageHandler(context),
  pages: async (context) => (await import('./pages/handler.ts')).createPages(context)
}

/** Returns the fast path: prepared responses of the content API. */
export function cardRoutes(app: FastifyInstance, context: CardContext): FastPath {
  /** Undefined until its first request. */
  let content: ContentSection | undefined

  async function loadContent(): Promise<Section> {
    const { createContent } = await import('./content/handler.ts')
    content = createContent(context)
    return content.section
  }

  const sections = new Map(
    Object.entries(SECTIONS).map(([name, load]) => [name, loadOnce(() => load(context))])
  )
  sections.set('content', loadOnce(loadContent))

  async function handle(
    raw: IncomingMessage,
    url: string
  ): Promise<(reply: ServerResponse) => Promise<void>> {
    const { path, query } = parseRequestTarget(url)
    const segments = segmentsOf(path)
    const load = sections.get(segments[0] ?? '') ?? sections.get('pages')
    const section = await load?.()
    if (section === undefined) throw new Error('There is no section of pages')
    return section({
      raw,
      target: url,
      path,
      segments,
      query: new URLSearchParams(query),
      baseUrl: context.kernel.baseUrl(raw)
    })
  }

  allowAnyMethod(app)
  app.route({
    method: methodsExcept(),
    url: '*',
    async handler({ raw, originalUrl }, reply) {
      const send = await handle(raw, originalUrl)
      reply.hijack()
      await send(reply.raw)
    }
  })

  return function fastPath(request, response) {
    if (content === undefined || request.url?.startsWith('/content/') !== true) return false
    content.sendKept(request, response).then(
      (isSent) => {
        if (!isSent && !response.destroyed) app.routing(request, response)
      },
      () => response.destroy()
    )
    return true
  }
}
