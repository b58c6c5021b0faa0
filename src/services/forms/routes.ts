import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowAnyMethod, methodsExcept } from '../../kernel/any-method.ts'
import type { ClientIp } from '../../kernel/client-ip.ts'
import { readBody } from './body.ts'
import type { FormConfig, FormDeps } from './config.ts'
import { exceptionResponse } from './contract.ts'
import { type Handled, handleForm, rejected } from './handle.ts'
import type { Inbox } from './inbox.ts'
import { withCors } from './origins.ts'

export interface FormRouteOptions {
  /** Called for each request: the URL of the catch endpoint is known only after it listens. */
  config: () => FormConfig
  clientIp: ClientIp
  now: () => Date
  /** Undefined if there is no console that could show it. */
  inbox: Inbox | undefined
  maxBytes: number
  timeoutMs: number
}

/** Any method on any path: the service rewrites every URL to `/`. */
export function formRoutes(app: FastifyInstance, options: FormRouteOptions, deps: FormDeps): void {
  const { config, clientIp, now, inbox, maxBytes, timeoutMs } = options
  allowAnyMethod(app)

  async function readInTime(request: FastifyRequest, reply: FastifyReply) {
    try {
      return await readBody(request.raw, maxBytes, timeoutMs)
    } finally {
      if (!request.raw.complete) reply.header('connection', 'close')
    }
  }

  app.route({
    method: methodsExcept(),
    url: '/',
    handler: async function forwardForm(request, reply) {
      const { raw, headers } = request
      const { origin } = headers
      const when = now()
      const rawBody = await readInTime(request, reply).catch((error: unknown) => {
        // A page of an allowed origin may read why its form was not read, too.
        const response = withCors(exceptionResponse(error), origin, config())
        record(inbox, request, { when, body: undefined, ...rejected(response) })
        reply.code(response.status).headers(response.headers).send(response.body)
        return undefined
      })
      if (rawBody === undefined) return reply
      const handled = await handleForm(
        {
          rawBody,
          method: raw.method,
          contentType: headers['content-type'],
          origin,
          requestMethod: headers['access-control-request-method'],
          ip: clientIp(raw)
        },
        config(),
        deps
      )
      const body = rawBody.length > maxBytes ? undefined : rawBody
      record(inbox, request, { when, body, ...handled })
      const { response } = handled
      return reply.code(response.status).headers(response.headers).send(response.body)
    }
  })
}

interface Recorded extends Handled {
  when: Date
  body: Uint8Array | undefined
}

function record(
  inbox: Inbox | undefined,
  { method, originalUrl, raw }: FastifyRequest,
  { when, body, response, outcome }: Recorded
): void {
  // A browser that opens the URL, and its request for an icon, submit nothing.
  const isSubmission = body?.length !== 0 || (method !== 'GET' && method !== 'HEAD')
  if (inbox === undefined || outcome === undefined || !isSubmission) return
  const { status, body: text } = response
  const { rawHeaders } = raw
  inbox.add({ when, method, path: originalUrl, rawHeaders, body, status, text, outcome })
}
