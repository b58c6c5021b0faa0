import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { bearerToken } from '../../../../kernel/admin.ts'
import type { Kernel } from '../../../../kernel/service.ts'
import { digest } from '../../api/auth/secrets.ts'
import { WorkspaceKeyRequired, withDetails } from '../../contract.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export function checkAdmin(kernel: Kernel, request: IncomingMessage): void {
  if (!kernel.isAdmin(request)) throw keyNeeded()
}

/** Requires the admin token or the workspace's key; unknown workspaces give the same error. */
export function checkKey(
  kernel: Kernel,
  request: IncomingMessage,
  workspace: Workspace | undefined
): void {
  if (kernel.isAdmin(request)) return
  const secret = workspace?.row.secret
  const given = bearerToken(request.headers)
  if (!secret || given === undefined || !timingSafeEqual(digest(given), secret)) throw keyNeeded()
}

function keyNeeded() {
  return withDetails(new WorkspaceKeyRequired(), { headers: { 'www-authenticate': 'Bearer' } })
}
