import type { RequestListener, ServerResponse } from 'node:http'
import fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { type ErrorResponse, installErrorHandlers, type PresentError } from '../kernel/errors.ts'
import { createServer } from '../kernel/node-http.ts'
import type { Service } from '../kernel/service.ts'

export interface Application {
  app: FastifyInstance
  /** Valid once the app is ready; the sockets of all hosts share it. */
  handler: RequestListener
  close: () => Promise<unknown>
}

/** Fastify's compilers take half of its startup time; services validate requests themselves. */
const NO_COMPILERS = { buildValidator: rejectSchemas, buildSerializer: rejectSchemas }

function rejectSchemas(): never {
  throw new Error('Routes have no schemas here')
}

function writeError(response: ServerResponse, rendered: ErrorResponse): void {
  const { status, body, type, headers = {} } = rendered
  response.writeHead(status, { ...headers, 'content-type': type }).end(body)
}

/** A Fastify instance that does not listen itself, because several sockets share its handler. */
export function createApplication(
  renderError: (error: FastifyError) => ErrorResponse,
  report: (error: Error) => void,
  present: PresentError,
  server: Service['server'] = {}
): Application {
  let handler: RequestListener | undefined
  const app = fastify({
    ...server,
    return503OnClosing: false,
    schemaController: { compilersFactory: NO_COMPILERS },
    serverFactory(listener) {
      handler = listener
      return createServer()
    },
    frameworkErrors(error, { raw, originalUrl }, reply) {
      const rendered = renderError(error)
      const presented = present(raw, originalUrl, rendered)
      reply.hijack()
      if (presented instanceof Promise) presented.then(write, () => write(rendered))
      else write(presented)

      function write(response: ErrorResponse): void {
        writeError(reply.raw, response)
      }
    }
  })
  installErrorHandlers(app, renderError, report, present)
  return {
    app,
    handler: (request, response) => handler?.(request, response),
    close: () => app.close()
  }
}
