import type { FastifyInstance } from 'fastify'
import { type BrowserModule, loadBrowserModules } from '../../../kernel/browser-modules.ts'
import { matchesEtag } from '../../../kernel/etag.ts'
import { RouteNotFound } from '../../../kernel/failures.ts'

let modules: ReadonlyMap<string, BrowserModule> | undefined

/** Scripts that the pages bring along; read when the first page asks. */
export function assetRoutes(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>('/__nonet/assets/:file', (request, reply) => {
    modules ??= loadBrowserModules(new URL('./browser/', import.meta.url))
    const found = modules.get(request.params.file.replace(/\.(js|ts)$/, ''))
    if (found === undefined) throw new RouteNotFound(request.method, request.url)
    const { etag, headers, body } = found
    if (matchesEtag(request.headers['if-none-match'], etag)) {
      return reply.code(304).headers(headers).send()
    }
    return reply.headers(headers).send(body)
  })
}
