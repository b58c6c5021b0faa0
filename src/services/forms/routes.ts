import type { FastifyInstance } from 'fastify'
import { allowAnyMethod, methodsExcept } from '../../kernel/any-method.ts'
import type { ClientIp } from '../../kernel/client-ip.ts'
import { readBody } from './body.ts'
import type { FormConfig, FormDeps } from './config.ts'
import { forward } from './forward.ts'

export interface FormRouteOptions {
  /** Called for each request: the URL of the catch endpoint is known only after it listens. */
  config: () => FormConfig
  clientIp: ClientIp
  maxBytes: number
  timeoutMs: number
}

/** Any method on any path: the service rewrites every URL to `/`. */
export function formRoutes(app: FastifyInstance, options: FormRouteOptions, deps: FormDeps): void {
  const { config, clientIp, maxBytes, timeoutMs } = options
  allowAnyMethod(app)
  app.route({
    method: methodsExcept(),
    url: '/',
    handler: async function forwardForm(request, reply) {
      const { raw, headers } = request
      const rawBody = await readBody(raw, maxBytes, timeoutMs).finally(() => {
        if (!raw.complete) reply.header('connection', 'close')
      })
      const response = await forward(
        {
          rawBody,
          method: raw.method,
          contentType: headers['content-type'],
          origin: headers.origin,
          ip: clientIp(raw)
        },
        config(),
        deps
      )
      return reply.code(response.status).headers(response.headers).send(response.body)
    }
  })
}
