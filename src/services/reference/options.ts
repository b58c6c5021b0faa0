import type { FastifyReply, FastifyRequest } from 'fastify'
import { allowRequestedHeaders, sendPreflight } from '../../kernel/cors.ts'
import {
  COMMON_HEADERS,
  NotFound,
  OPTIONS_PARSES,
  OPTIONS_RENDERS,
  PREFLIGHT_HEADERS
} from './contract.ts'

/** A preflight succeeds on every path, so that a script can read the 404 that follows. */
export function handleOptions(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  name: string | undefined
): FastifyReply {
  if (headers['access-control-request-method'] !== undefined) {
    return sendPreflight(reply, { ...allowRequestedHeaders(headers), ...PREFLIGHT_HEADERS })
  }
  if (name === undefined) throw new NotFound()
  const renders = OPTIONS_RENDERS
  const parses = OPTIONS_PARSES
  return reply
    .headers(COMMON_HEADERS)
    .type('application/json')
    .send(Buffer.from(JSON.stringify({ name, description: '', renders, parses })))
}
