import type { MailboxContext } from '../../context.ts'
import type { Account } from '../account.ts'
import type { AccountInput } from '../account-input.ts'
import { changeAccount } from '../change-account.ts'
import { createServerOf } from '../server-of.ts'
import type { MailServer } from '../servers.ts'

export interface ServersToTry {
  readonly account: Account
  readonly imap: MailServer | undefined
  readonly smtp: MailServer | undefined
}

/** The servers of an account that is not stored; throws what is wrong with the settings. */
export function serversToTry(
  context: MailboxContext,
  input: AccountInput,
  isOperator: boolean
): ServersToTry {
  // No receiver of webhooks is among the settings.
  const change = { id: '', input, stored: undefined, isOperator, isForwarded: false }
  const { account: made, secrets } = changeAccount(change)
  const account: Account = {
    ...made,
    state: 'init',
    lastError: undefined,
    smtpStatus: undefined,
    revision: 0,
    createdAt: 0,
    syncTime: undefined
  }
  const serverOf = createServerOf(context, {
    find: async () => account,
    readSecrets: async () => secrets,
    saveTokens: async () => false
  })
  return { account, imap: serverOf(account, 'imap'), smtp: serverOf(account, 'smtp') }
}
