import type { Transaction } from '../../../kernel/database/transaction.ts'
import type { Account, AccountError, AccountState } from '../accounts/account.ts'
import {
  type AccountStates,
  createAccountStates,
  isSameError
} from '../connections/account-states.ts'
import type { MailboxContext } from '../context.ts'
import { EVENT_WRITES, type NewEvent, recordEvents } from '../events/record-events.ts'
import { findMailAccount, type MailAccountRow, setState } from '../store/mail-accounts.ts'
import { setInitialized } from '../store/watched-accounts.ts'
import { requireRevision } from '../store/watched-mailboxes.ts'

/** States of a watched account, stored with their events in one transaction. */
export async function createWatchStates(
  context: MailboxContext,
  account: Account
): Promise<AccountStates> {
  const { database, now } = context.kernel
  const { accounts } = await context.daemon()

  return createAccountStates(
    {
      save: accounts.save,
      async setState(id, state, error, revision) {
        const time = now().getTime()
        await database.write(function* () {
          const row = yield* findMailAccount(id)
          if (row === undefined || (revision !== undefined && row.revision !== revision)) return
          const stored = error === undefined ? null : JSON.stringify(error)
          const isSame = row.state === state && row.last_error === stored
          // The time of the state tells that a process of now has stored it.
          if (isSame && row.state_at >= context.startedAt && state !== 'connected') return
          yield* setState(id, state, { error: stored, time, revision })
          yield* recordEvents(eventsOf(row, state, error), time)
        }, EVENT_WRITES)
      }
    },
    account,
    now
  )
}

/** All mailboxes were compared: the first time, an event tells so. Throws `AccountChanged`. */
export function* storeInitialized(account: Account, time: number): Transaction<void> {
  yield* requireRevision(account)
  const isFirst = yield* setInitialized(account.id, time)
  const event: NewEvent = {
    account: account.id,
    name: 'accountInitialized',
    key: [account.createdAt],
    data: { initialized: true }
  }
  yield* recordEvents(isFirst ? [event] : [], time)
}

/** Of a change of state: errors once until they change, and the first sign-in after one. */
function eventsOf(
  row: MailAccountRow,
  state: AccountState,
  error: AccountError | undefined
): readonly NewEvent[] {
  const before: AccountError | undefined =
    row.last_error === null ? undefined : JSON.parse(row.last_error)
  if (state === 'syncing') {
    const isFirst = row.sync_time === null
    if (before === undefined && !isFirst) return []
    const key = [row.created_at, before?.since ?? 'first']
    return [{ account: row.id, name: 'authenticationSuccess', key, data: { user: userOf(row) } }]
  }
  if (state !== 'authenticationError' && state !== 'connectError') return []
  if (error === undefined || (before !== undefined && isSameError(before, error))) return []
  const { response, serverResponseCode, tokenRequest } = error
  const data = {
    response,
    ...(serverResponseCode !== undefined && { serverResponseCode }),
    ...(tokenRequest !== undefined && { tokenRequest })
  }
  return [{ account: row.id, name: state, key: [row.created_at, error.since ?? ''], data }]
}

function userOf({ email, settings }: MailAccountRow): string | null {
  const { imap, oauth2 } = JSON.parse(settings)
  return imap?.auth?.user ?? oauth2?.auth?.user ?? email
}
