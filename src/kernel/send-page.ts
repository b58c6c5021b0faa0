import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Frame, PAGE_HEADERS, type Page, renderPage, SCRIPTED_PAGE_HEADERS } from './page.ts'

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
  return reply
    .headers(page.script === undefined ? PAGE_HEADERS : SCRIPTED_PAGE_HEADERS)
    .send(renderPage(page, request.server.frameOf(request)))
}
