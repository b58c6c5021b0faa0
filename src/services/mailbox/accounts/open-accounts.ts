import { isDeepStrictEqual } from 'node:util'
import { query } from '../../../kernel/database/transaction.ts'
import type { MailboxContext } from '../context.ts'
import { accountAdded } from '../events/account-events.ts'
import { recordEvents } from '../events/record-events.ts'
import { readCounters } from '../store/event-counts.ts'
import { listMailAccounts } from '../store/list-mail-accounts.ts'
import {
  addMailAccount,
  changeMailAccount,
  countMailAccounts,
  countStates,
  findMailAccount,
  findMailAccountIds,
  type MailAccountRow,
  mailAccountOf,
  nextRevision,
  setState
} from '../store/mail-accounts.ts'
import { accountPurpose } from '../store/migrations.ts'
import { removeMailAccount } from '../store/remove-mail-account.ts'
import { WATCH_LOCK } from '../watch/watch-lock.ts'
import type { AccountSecrets, AccountState, AccountStore, NewAccount } from './account.ts'
import { hasImap } from './has-imap.ts'

export function openAccounts({
  kernel,
  startedAt
}: Pick<MailboxContext, 'kernel' | 'startedAt'>): AccountStore {
  const { database, secrets } = kernel
  const time = () => kernel.now().getTime()
  const accountOf = (row: MailAccountRow) => mailAccountOf(row, statesSince())

  /** States of a process that watches are known to all others, also to those that started later. */
  function statesSince(): number {
    const holder = database.lastLockHolder(WATCH_LOCK)
    return holder === undefined || holder.isThisProcess
      ? startedAt
      : Math.min(startedAt, holder.startedAt)
  }

  function open(id: string, sealed: string | null): AccountSecrets {
    return sealed === null ? {} : JSON.parse(secrets.open(accountPurpose(id), sealed).toString())
  }

  function seal(id: string, values: AccountSecrets): string | null {
    if (Object.keys(values).length === 0) return null
    return secrets.seal(accountPurpose(id), JSON.stringify(values))
  }

  return {
    async find(id) {
      const row = await database.read(() => findMailAccount(id))
      return row && accountOf(row)
    },
    findIds: (idOrEmail) => database.read(() => findMailAccountIds(idOrEmail)),
    count: () => database.read(countMailAccounts),
    async readSecrets(id) {
      const row = await database.read(() => findMailAccount(id))
      return open(id, row?.secrets ?? null)
    },
    async list(filter, page) {
      const { total, rows } = await database.read(() =>
        listMailAccounts(filter, page, statesSince())
      )
      return { total, accounts: rows.map(accountOf) }
    },
    async countStates() {
      const rows = await database.read(() => countStates(statesSince()))
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
    },
    save(id, change) {
      const now = time()
      return database.write(function* () {
        const row = yield* findMailAccount(id)
        const stored = row && { account: accountOf(row), secrets: open(id, row.secrets) }
        const next = change(stored)
        const state = firstState(next.account)
        if (stored === undefined) {
          yield* addMailAccount(next.account, seal(id, next.secrets), state, now)
          yield* recordEvents([accountAdded(id)], now)
          return 'new'
        }
        const isSame = isDeepStrictEqual(next.secrets, stored.secrets)
        const sealed = isSame ? (row?.secrets ?? null) : seal(id, next.secrets)
        yield* changeMailAccount(next.account, sealed)
        if (hasOtherServers(stored, next)) {
          yield* nextRevision(id, state, now)
        }
        return 'existing'
      })
    },
    async saveTokens(id, revision, { expires, ...tokens }) {
      return database.write(function* () {
        const row = yield* findMailAccount(id)
        if (row === undefined || row.revision !== revision) return false
        const settings = JSON.parse(row.settings)
        if (settings.oauth2) settings.oauth2.expires = expires
        yield* query(
          'update accounts set secrets = ?, settings = ? where id = ?',
          ...[seal(id, { ...open(id, row.secrets), ...tokens }), JSON.stringify(settings), id]
        )
        return true
      })
    },
    async setState(id, state, error, revision) {
      const now = time()
      const stored = error === undefined ? null : JSON.stringify(error)
      await database.write(() => setState(id, state, { error: stored, time: now, revision }))
    },
    async reconnect(id) {
      const now = time()
      await database.write(function* () {
        const row = yield* findMailAccount(id)
        if (row !== undefined) yield* nextRevision(id, firstState(accountOf(row)), now)
      })
    },
    async readCounters(ids) {
      const counters = new Map<string, Record<string, number>>()
      for (const { account, name, count } of await database.read(() => readCounters(ids))) {
        counters.set(account, { ...counters.get(account), [name]: count })
      }
      return counters
    },
    async setSmtpStatus(id, status) {
      await database.write(function* () {
        yield* query('update accounts set smtp_status = ? where id = ?', JSON.stringify(status), id)
      })
    },
    remove(id, receiver) {
      const now = time()
      return database.write(() => removeMailAccount(id, now, receiver), { frees: true })
    }
  }
}

function firstState(account: NewAccount): AccountState {
  return hasImap(account) ? 'init' : 'unset'
}

/** What a connection to a server depends on. */
function hasOtherServers(
  before: { readonly account: NewAccount; readonly secrets: AccountSecrets },
  next: { readonly account: NewAccount; readonly secrets: AccountSecrets }
): boolean {
  const keys = ['imap', 'smtp', 'oauth2', 'logs', 'smtpEhloName'] as const
  const { settings } = before.account
  if (keys.some((key) => !isDeepStrictEqual(settings[key], next.account.settings[key]))) return true
  return !isDeepStrictEqual(signInOf(before.secrets), signInOf(next.secrets))
}

/** Secrets without those of webhooks. */
function signInOf({ webhooksUser, webhooksHeaders, ...signIn }: AccountSecrets): AccountSecrets {
  return signIn
}
