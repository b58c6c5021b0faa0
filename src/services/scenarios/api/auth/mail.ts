import type { RequestContext } from '../../pipeline/request-context.ts'

/** Emails are not sent, but stored in the workspace's outbox, where tests read them. */
export interface Email {
  readonly to: string
  readonly kind: 'verify' | 'reset'
  readonly subject: string
  /** Token that the link of a real email would contain. */
  readonly token: string
}

export async function storeEmail(call: RequestContext, email: Email): Promise<void> {
  if (call.workspace === undefined) return
  const at = new Date(call.now()).toISOString()
  await call.context.store.addMail(call.workspaceId, JSON.stringify({ at, ...email }))
}
