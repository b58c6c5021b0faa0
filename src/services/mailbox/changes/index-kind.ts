import type { ImapIndexer } from '../accounts/account.ts'
import type { ChangeSession } from './change-session.ts'

/** As the account says, or else the settings. */
export async function indexKindOf({ account, context }: ChangeSession): Promise<ImapIndexer> {
  const { imapIndexer } = account.settings
  return imapIndexer ?? (await (await context.settings()).read()).imapIndexer
}
