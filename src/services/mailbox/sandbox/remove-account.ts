import type { MailboxContext } from '../context.ts'

/**
 * With its mail and tokens; false if there is none. Tokens go first, so that none is left for
 * another account of the same id.
 */
export async function removeAccount(
  { store, kernel: { credentials } }: Pick<MailboxContext, 'store' | 'kernel'>,
  id: string
): Promise<boolean> {
  for (const { bindings, id: token, state } of await credentials.list()) {
    const isOnlyOfIt = bindings.length === 1 && bindings[0] === id
    if (isOnlyOfIt && (state === 'active' || state === 'rotated')) await credentials.revoke(token)
  }
  return store.removeAccount(id)
}
