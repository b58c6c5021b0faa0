import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { RouteNotFound } from '../../../kernel/errors.ts'
import { matchesEtag } from '../../../kernel/etag.ts'
import type { Frame } from '../../../kernel/page.ts'
import { COMMON_HEADERS } from '../contract.ts'
import { openPlaygroundFile } from './files.ts'
import { PLAYGROUND_HEADERS, renderPlayground } from './page.ts'

export function sendPlayground(request: IncomingMessage, reply: FastifyReply, frame: Frame): void {
  reply.hijack()
  reply.raw.writeHead(200, { ...COMMON_HEADERS, ...PLAYGROUND_HEADERS })
  reply.raw.end(request.method === 'HEAD' ? undefined : renderPlayground(frame))
}

export function playgroundRoutes(app: FastifyInstance): void {
  app.get<{ Params: { name: string } }>('/playground/:name', async (request, reply) => {
    const file = openPlaygroundFile(request.params.name)
    if (file === undefined) throw new RouteNotFound(request.method, request.url)
    const { type, etag, plain, gzip } = file
    reply.headers({ ...COMMON_HEADERS, etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(type)
    const compressed = request.headers['accept-encoding']?.toString().includes('gzip')
    if (compressed) reply.header('content-encoding', 'gzip')
    return reply.send(compressed ? gzip : plain)
  })
}
