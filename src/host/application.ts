import type { RequestListener } from 'node:http'
import fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { type ErrorResponse, installErrorHandlers } from '../kernel/errors.ts'
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

/** A Fastify instance that does not listen itself, because several sockets share its handler. */
export function createApplication(
  renderError: (error: FastifyError) => ErrorResponse,
  report: (error: Error) => void,
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
    frameworkErrors(error, _request, reply) {
      const { status, body, type, headers = {} } = renderError(error)
      reply.hijack()
      reply.raw.writeHead(status, { ...headers, 'content-type': type }).end(body)
    }
  })
  installErrorHandlers(app, renderError, report)
  return {
    app,
    handler: (request, response) => handler?.(request, response),
    close: () => app.close()
  }
}
