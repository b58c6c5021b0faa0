import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Frame, headersOf, type Page, renderPage } from './page.ts'

declare module 'fastify' {
  interface FastifyInstance {
    frameOf: (request: FastifyRequest) => Frame
  }
}

/** Sets the top bar of the pages that routes of this scope send. */
export function frameWith(app: FastifyInstance, frameOf: FastifyInstance['frameOf']): void {
  app.decorate('frameOf', frameOf)
}

/** Sends a page for operators; requires `frameWith`. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const { request } = reply
  return reply.headers(headersOf(page)).send(renderPage(page, request.server.frameOf(request)))
}
