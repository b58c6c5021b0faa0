import type { Account } from './account.ts'

/** Whether the account has an IMAP server that is not disabled. */
export function hasImap({
  isSandbox,
  settings: { imap }
}: Pick<Account, 'isSandbox' | 'settings'>): boolean {
  return isSandbox || Boolean(imap && imap.disabled !== true)
}
