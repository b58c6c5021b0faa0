import type { Account } from '../accounts/account.ts'
import type { Submission } from './submission.ts'

/** Servers that store what they send. */
const KEEPING_HOSTS = /(?:^|\.)(?:gmail\.com|googlemail\.com|office365\.com)$/i

/** Whether a copy is stored in the mailbox of sent mail, by request, by account, or by server. */
export function wantsCopy(
  { settings }: Pick<Account, 'settings'>,
  { options }: Pick<Submission, 'options'>
): boolean {
  if (typeof options.copy === 'boolean') return options.copy
  if (typeof settings.copy === 'boolean') return settings.copy
  const { smtp } = settings
  return smtp === undefined || smtp === false || !KEEPING_HOSTS.test(smtp.host)
}
