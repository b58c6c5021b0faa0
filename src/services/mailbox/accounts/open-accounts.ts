import { isDeepStrictEqual } from 'node:util'
import { query } from '../../../kernel/database/transaction.ts'
import type { MailboxContext } from '../context.ts'
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
import type { AccountSecrets, AccountState, AccountStore, NewAccount } from './account.ts'
import { hasImap } from './has-imap.ts'

export function openAccounts({
  kernel,
  startedAt
}: Pick<MailboxContext, 'kernel' | 'startedAt'>): AccountStore {
  const { database, secrets } = kernel
  const time = () => kernel.now().getTime()
  const accountOf = (row: MailAccountRow) => mailAccountOf(row, startedAt)

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
      const { total, rows } = await database.read(() => listMailAccounts(filter, page, startedAt))
      return { total, accounts: rows.map(accountOf) }
    },
    async countStates() {
      const rows = await database.read(() => countStates(startedAt))
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
          return 'new'
        }
        const isSame = isDeepStrictEqual(next.secrets, stored.secrets)
        const sealed = isSame ? (row?.secrets ?? null) : seal(id, next.secrets)
        yield* changeMailAccount(next.account, sealed)
        if (!isSame || hasOtherServers(stored.account, next.account)) {
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
    remove(id) {
      const now = time()
      return database.write(() => removeMailAccount(id, now), { frees: true })
    }
  }
}

function firstState(account: NewAccount): AccountState {
  return hasImap(account) ? 'init' : 'unset'
}

/** What a connection to a server depends on. */
function hasOtherServers({ settings: before }: NewAccount, { settings }: NewAccount): boolean {
  const keys = ['imap', 'smtp', 'oauth2', 'logs', 'smtpEhloName'] as const
  return keys.some((key) => !isDeepStrictEqual(before[key], settings[key]))
}
