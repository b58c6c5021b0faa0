import type { Database, WriteOptions } from '../../../kernel/database/database.ts'
import type { Transaction } from '../../../kernel/database/transaction.ts'
import { createKeyedQueue } from '../../../kernel/keyed-queue.ts'

export interface CardStore {
  engine: Database['engine']
  /** Runs a transaction of the functions of this folder that read. */
  read: Database['read']
  /** Runs a transaction that writes, with the time of the write. */
  change: <T>(transaction: (time: string) => Transaction<T>, options?: WriteOptions) => Promise<T>
}

/** Key of all changes of this process. */
const CHANGES = ''

/**
 * Each change updates the row of its board, so changes of a board at the same time conflict on
 * PostgreSQL, which repeats them up to 20 times; with 16 at once one was given up. Those of a
 * process wait for each other instead; on SQLite they do anyway.
 */
export function cardStore(database: Database, now: () => Date): CardStore {
  const inOrder = createKeyedQueue()
  return {
    engine: database.engine,
    read: database.read,
    async change(transaction, options) {
      const write = () => {
        const time = now().toISOString()
        return database.write(() => transaction(time), options)
      }
      return database.engine === 'sqlite' ? write() : inOrder(CHANGES, write)
    }
  }
}
