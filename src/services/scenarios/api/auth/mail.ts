import type { RequestContext } from '../../pipeline/request-context.ts'

/** Nothing leaves this machine: letters go into the workspace's outbox, where tests read them. */
export interface Email {
  readonly to: string
  readonly kind: 'verify' | 'reset'
  readonly subject: string
  /** What the link of a real letter would carry. */
  readonly token: string
}

export async function storeEmail(call: RequestContext, letter: Email): Promise<void> {
  if (call.workspace === undefined) return
  const at = new Date(call.now()).toISOString()
  await call.context.store.addMail(call.workspaceId, JSON.stringify({ at, ...letter }))
}
