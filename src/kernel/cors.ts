import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'

type Headers = Readonly<Record<string, string>>

const NO_HEADERS: Headers = Object.freeze({})

/** Headers of every preflight response, whatever the request. */
export function preflightPolicy(methods: string, maxAgeSeconds: number): Headers {
  return {
    'access-control-allow-methods': methods,
    'access-control-max-age': String(maxAgeSeconds),
    vary: 'Access-Control-Request-Headers'
  }
}

/** Allows all headers that the preflight request names. */
export function allowRequestedHeaders(headers: IncomingHttpHeaders): Headers {
  const requested = headers['access-control-request-headers']
  return requested === undefined ? NO_HEADERS : { 'access-control-allow-headers': requested }
}

export function sendPreflight(reply: FastifyReply, headers: Headers): FastifyReply {
  return reply.code(204).headers(headers).send()
}
