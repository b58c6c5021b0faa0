import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyError } from 'fastify'
import { createRateLimit } from '../../../kernel/rate-limit.ts'
import type { Kernel } from '../../../kernel/service.ts'
import { ALLOWED_METHODS, MethodNotAllowed, renderError, TooManyRequests } from '../contract.ts'
import type { StatusOptions } from '../settings.ts'

const WINDOW_MS = 60_000

/** Sends the error if the request is one too many or has another method. */
export type Refuse = (request: IncomingMessage, response: ServerResponse) => boolean

export function createRefusal(
  { clientIp, now }: Pick<Kernel, 'clientIp' | 'now'>,
  { rateLimit }: Pick<StatusOptions, 'rateLimit'>
): Refuse {
  const count =
    rateLimit === 0 ? undefined : createRateLimit({ limit: rateLimit, windowMs: WINDOW_MS }, now)

  return (request, response) => {
    const seconds = count?.(clientIp(request)).retryAfter ?? 0
    if (seconds > 0) {
      refuse(response, new TooManyRequests(seconds), { 'retry-after': String(seconds) })
      return true
    }
    const { method = '' } = request
    if (method === 'GET' || method === 'HEAD') return false
    refuse(response, new MethodNotAllowed(method), { allow: ALLOWED_METHODS })
    return true
  }
}

function refuse(
  response: ServerResponse,
  error: FastifyError,
  headers: Readonly<Record<string, string>>
): void {
  const { status, body, type, headers: own } = renderError(error)
  response.writeHead(status, { ...own, ...headers, 'content-type': type }).end(body)
}
