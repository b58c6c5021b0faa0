import type { Call } from '../call.ts'

/** Nothing leaves this machine: letters go into the workspace's outbox, where tests read them. */
export interface Letter {
  readonly to: string
  readonly kind: 'verify' | 'reset'
  readonly subject: string
  /** What the link of a real letter would carry. */
  readonly token: string
}

export async function sendMail(call: Call, letter: Letter): Promise<void> {
  if (call.workspace === undefined) return
  const at = new Date(call.now()).toISOString()
  await call.room.store.addMail(call.ws, JSON.stringify({ at, ...letter }))
}
