import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  ALLOWED_METHODS,
  COMMON_HEADERS,
  NotFound,
  OPTIONS_PARSES,
  OPTIONS_RENDERS,
  PREFLIGHT_MAX_AGE_SECONDS
} from './contract.ts'

/** A preflight is answered everywhere, so that a browser's program can read the 404 after it. */
export function answerOptions(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  name: string | undefined
): FastifyReply {
  if (headers['access-control-request-method'] !== undefined) {
    return answerPreflight(reply, headers['access-control-request-headers'])
  }
  if (name === undefined) throw new NotFound()
  const renders = OPTIONS_RENDERS
  const parses = OPTIONS_PARSES
  return reply
    .headers(COMMON_HEADERS)
    .type('application/json')
    .send(Buffer.from(JSON.stringify({ name, description: '', renders, parses })))
}

function answerPreflight(reply: FastifyReply, asked: string | undefined): FastifyReply {
  if (asked !== undefined) reply.header('access-control-allow-headers', asked)
  return reply
    .code(204)
    .headers({
      ...COMMON_HEADERS,
      vary: 'Accept, Accept-Encoding, Access-Control-Request-Headers',
      'access-control-allow-methods': ALLOWED_METHODS,
      'access-control-max-age': PREFLIGHT_MAX_AGE_SECONDS
    })
    .send()
}
