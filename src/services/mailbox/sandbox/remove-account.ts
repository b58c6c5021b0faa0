import type { MailboxContext } from '../context.ts'

/**
 * Removes an account with its mail and its own tokens; false if no account has this id. Tokens are
 * revoked first, so that they never open a later account of the same id.
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
