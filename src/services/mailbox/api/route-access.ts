import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MailboxContext } from '../context.ts'
import { type Caller, readCaller } from './access.ts'
import type { ApiRoute } from './route.ts'

/** Throws if the caller may not use the route, or not with the account of the path. */
export function readRouteCaller(
  context: MailboxContext,
  { name, group, action, access }: ApiRoute,
  received: {
    request: IncomingMessage
    response: ServerResponse
    params: Readonly<Record<string, string>>
  }
): Promise<Caller> {
  const scope = name === 'metrics' ? 'metrics' : 'api'
  const { account } = received.params
  return readCaller(context, received, { scope, group, action, access, account })
}
