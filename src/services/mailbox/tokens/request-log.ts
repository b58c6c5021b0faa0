import type { IncomingMessage } from 'node:http'
import { parseRequestTarget } from '../../../kernel/request-target.ts'
import type { AccessContext } from '../api/caller.ts'
import { maskPath } from '../api/mask-path.ts'
import { logTokenRequest } from '../store/tokens.ts'
import type { Need } from './check-token.ts'

const MAX_PATH_LENGTH = 500

/** A request of a token, as its log shows it; `time` is added. */
export interface LoggedRequest {
  readonly ip: string
  readonly method: string
  /** Without the query, which may have a token. */
  readonly path: string
  readonly action: Need['action']
  readonly group: Need['group']
  readonly account: string | null
  readonly status: 'allowed' | 'denied'
  readonly reason: string | null
}

interface TokenRequest {
  readonly tokenId: string
  readonly request: IncomingMessage
  readonly ip: string
  readonly need: Need
  readonly denial: Error | undefined
}

/** Stores the request if the setting `tokenAuditLog` is on. */
export async function logRequest(
  { kernel, settings }: AccessContext,
  { tokenId, request, ip, need, denial }: TokenRequest
): Promise<void> {
  const { tokenAuditLog } = await (await settings()).read()
  if (!tokenAuditLog) return
  const entry: LoggedRequest = {
    ip,
    method: request.method ?? '',
    path: maskPath(parseRequestTarget(request.url ?? '').path).slice(0, MAX_PATH_LENGTH),
    action: need.action,
    group: need.group,
    account: need.account ?? null,
    status: denial === undefined ? 'allowed' : 'denied',
    reason: denial?.message ?? null
  }
  const row = { time: kernel.now().getTime(), entry: JSON.stringify(entry) }
  await kernel.database.write(() => logTokenRequest(tokenId, row))
}
