import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { bearerOf, isForeign } from '../../../kernel/admin.ts'
import { ForeignHost } from '../../../kernel/failures.ts'
import type { Kernel } from '../../../kernel/service.ts'
import { digest } from '../auth/secrets.ts'
import { ForeignOrigin, KeyNeeded, withDetails } from '../contract.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What stands between a web page somewhere else and the control routes. */
export function checkSender(kernel: Kernel, { headers, method }: IncomingMessage): void {
  if (!kernel.isKnownHost(headers.host ?? '')) throw new ForeignHost()
  if (method !== 'GET' && method !== 'HEAD' && isForeign(headers)) throw new ForeignOrigin()
}

export function checkAdmin(kernel: Kernel, request: IncomingMessage): void {
  if (!kernel.isAdmin(request)) throw keyNeeded()
}

/** The admin token opens every workspace, a key its own; who holds neither learns nothing. */
export function checkKey(
  kernel: Kernel,
  request: IncomingMessage,
  workspace: Workspace | undefined
): void {
  if (kernel.isAdmin(request)) return
  const secret = workspace?.row.secret
  const given = bearerOf(request.headers)
  if (!secret || given === undefined || !timingSafeEqual(digest(given), secret)) throw keyNeeded()
}

function keyNeeded() {
  return withDetails(new KeyNeeded(), { headers: { 'www-authenticate': 'Bearer' } })
}
