import type { FastifyReply, FastifyRequest } from 'fastify'
import { browserModulesIn } from '../../../kernel/browser-modules.ts'
import { RouteNotFound } from '../../../kernel/errors.ts'
import type { BoxContext } from '../context.ts'
import { COMMON_HEADERS } from '../contract.ts'
import type { BoxTarget } from '../http/box-target.ts'

const modules = browserModulesIn(new URL('./browser/', import.meta.url))

/** `GET /_page/<module>.js`; modules import each other with the extension `.ts`. */
export async function sendScript(
  _: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { segments }: BoxTarget
): Promise<void> {
  const name = segments[1]?.replace(/\.[jt]s$/, '') ?? ''
  const found = modules.respond(name, request.headers['if-none-match'])
  if (found === undefined) throw new RouteNotFound(request.method, request.url)
  const { status, headers, body } = found
  await reply
    .code(status)
    .headers({ ...COMMON_HEADERS, ...headers })
    .send(body)
}
