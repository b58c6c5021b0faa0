import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyError } from 'fastify'
import type { ErrorResponse } from '../../../kernel/errors.ts'
import { createRateLimit } from '../../../kernel/rate-limit.ts'
import type { Kernel } from '../../../kernel/service.ts'
import { ALLOWED_METHODS, MethodNotAllowed, renderError, TooManyRequests } from '../contract.ts'
import type { StatusOptions } from '../settings.ts'

const WINDOW_MS = 60_000
/** Paths of `API_ROUTES`, which have more methods; the table is loaded with the first request. */
const API_URL = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?\/+api\/+statuses(?:\/+[^/?]*)?\/*(?:\?|$)/i

/** Sends the error if the request is one too many or has another method. */
export type Refuse = (request: IncomingMessage, response: ServerResponse) => boolean

export function createRefusal(
  { clientIp, now, presentError }: Pick<Kernel, 'clientIp' | 'now' | 'presentError'>,
  { rateLimit }: Pick<StatusOptions, 'rateLimit'>
): Refuse {
  const count =
    rateLimit === 0 ? undefined : createRateLimit({ limit: rateLimit, windowMs: WINDOW_MS }, now)

  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    error: FastifyError,
    headers: Readonly<Record<string, string>>
  ): true {
    const rendered = renderError(Object.assign(error, { headers }))
    const presented = presentError(request, request.url ?? '', rendered)
    const write = (one: ErrorResponse) => writeError(response, one)
    if (presented instanceof Promise) presented.then(write, () => write(rendered))
    else write(presented)
    return true
  }

  return (request, response) => {
    const seconds = count?.(clientIp(request)).retryAfter ?? 0
    if (seconds > 0) {
      const headers = { 'retry-after': String(seconds) }
      return refuse(request, response, new TooManyRequests(seconds), headers)
    }
    const { method = '' } = request
    if (method === 'GET' || method === 'HEAD' || API_URL.test(request.url ?? '')) return false
    const error = new MethodNotAllowed(method, ALLOWED_METHODS)
    return refuse(request, response, error, { allow: ALLOWED_METHODS })
  }
}

function writeError(
  response: ServerResponse,
  { status, body, type, headers }: ErrorResponse
): void {
  response.writeHead(status, { ...headers, 'content-type': type }).end(body)
}
