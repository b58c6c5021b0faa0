import { createCache } from '../../../kernel/cache.ts'
import type { Database, WriteOptions } from '../../../kernel/database/database.ts'
import { lockUntilCommit, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { createKeyedQueue } from '../../../kernel/keyed-queue.ts'

const CACHED_MAILBOXES = 10_000

export interface Tables {
  readonly read: Database['read']
  /** A write to accounts; the changes of an account follow each other in all processes. */
  readonly write: <T>(
    accounts: readonly string[],
    transaction: () => Transaction<T>,
    options?: WriteOptions
  ) => Promise<T>
  /** A write to the account of a mailbox. */
  readonly writeTo: <T>(
    mailbox: number,
    transaction: () => Transaction<T>,
    options?: WriteOptions
  ) => Promise<T>
}

/**
 * On PostgreSQL a write has a lock for each of its accounts, so that it sees all earlier ones and
 * has no conflicts. Those of this process wait for it without a connection.
 */
export function mailTables(database: Database): Tables {
  const { engine, read } = database
  const inOrder = createKeyedQueue()
  const accounts = createCache<string>(CACHED_MAILBOXES)

  const write: Tables['write'] = (ids, transaction, options) => {
    if (engine === 'sqlite') return database.write(transaction, options)
    const sorted = [...new Set(ids)].sort()
    const run = () =>
      database.write(() => withLocks(sorted, transaction), { ...options, readsCommitted: true })
    const [first] = sorted
    return first === undefined || sorted.length > 1 ? run() : inOrder(first, run)
  }

  /** The account of a mailbox never changes. */
  async function accountOf(mailbox: number): Promise<string | undefined> {
    const key = String(mailbox)
    const cached = accounts.get(key)
    if (cached !== undefined) return cached
    const [row] = await read(() =>
      query<{ account: string }>('select account from sandbox_mailboxes where id = ?', mailbox)
    )
    if (row !== undefined) accounts.set(key, row.account)
    return row?.account
  }

  return {
    read,
    write,
    async writeTo(mailbox, transaction, options) {
      if (engine === 'sqlite') return database.write(transaction, options)
      const account = await accountOf(mailbox)
      return write(account === undefined ? [] : [account], transaction, options)
    }
  }
}

/** Locks are taken in the order of the ids, so that transactions do not wait for each other. */
function* withLocks<T>(
  accounts: readonly string[],
  transaction: () => Transaction<T>
): Transaction<T> {
  for (const account of accounts) yield* lockUntilCommit(`mail of ${account}`)
  return yield* transaction()
}
