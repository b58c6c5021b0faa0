import type { FastifyInstance } from 'fastify'
import { browserModulesIn } from '../../../kernel/browser-modules.ts'
import { RouteNotFound } from '../../../kernel/errors.ts'

const modules = browserModulesIn(new URL('./browser/', import.meta.url))

/** Scripts of the pages; they are read from disk on the first request. */
export function assetRoutes(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>('/__nonet/assets/:file', (request, reply) => {
    const name = request.params.file.replace(/\.(js|ts)$/, '')
    const found = modules.respond(name, request.headers['if-none-match'])
    if (found === undefined) throw new RouteNotFound(request.method, request.url)
    return reply.code(found.status).headers(found.headers).send(found.body)
  })
}
