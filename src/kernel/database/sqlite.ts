import type { TableAccess, WriteOptions } from './database.ts'
import type { DiskReserve } from './disk-reserve.ts'
import { StorageDamaged, StorageFull } from './errors.ts'
import { createGroupCommit } from './group-commit.ts'
import { createLocalChannel } from './notification-channel.ts'
import { runSync } from './run-transaction.ts'
import { createLocalLocks } from './session-lock.ts'
import { createSpaceLimit } from './space-limit.ts'
import {
  connectForReading,
  connectSqlite,
  connectWithoutSpace,
  type SqliteConnection,
  type SqliteOptions
} from './sqlite-connection.ts'
import { describeFileError, isDamage, translateSqliteError } from './sqlite-errors.ts'
import type { SqlStep, Transaction } from './transaction.ts'

export interface SqliteFileOptions extends SqliteOptions {
  /** Undefined if there is no reserve, as for temporary data. */
  reserve: DiskReserve | undefined
  warn: (text: string) => void
}

/** One connection writes, another one reads committed data. */
export function openSqlite(
  file: string,
  options: SqliteFileOptions,
  // Notifications and locks are local, because a lock prevents other processes from using the file.
  channel = createLocalChannel(),
  locks = createLocalLocks()
): TableAccess {
  const writer = connectSqlite(file, options)
  const reader = connectForReading(file)
  const health = watchHealth(file, options.warn)
  const commits = createGroupCommit(writer, health.translate, channel.publish)
  const limit = createSpaceLimit(writer, options.reserve)

  async function write<T>(transaction: () => Transaction<T>, { frees = false }: WriteOptions) {
    if (!limit.allows(frees)) throw new StorageFull()
    try {
      return await commits.write(transaction)
    } catch (error) {
      if (!frees || !(error instanceof StorageFull) || !limit.release()) throw error
      return commits.write(transaction)
    }
  }

  return {
    engine: 'sqlite',
    channel,
    ...locks,
    read: createRead(reader, health),
    // A lock prevents other processes from using the file, and this needs no statement: that of
    // SQLite for it, `pragma data_version`, takes 35 µs.
    version: commits.count,
    write(transaction, writeOptions) {
      if (health.isDamaged()) return Promise.reject(new StorageDamaged())
      if (writeOptions === undefined && !limit.isActive()) return commits.write(transaction)
      return write(transaction, writeOptions ?? {})
    },
    async close() {
      await commits.end()
      // Closing the last connection merges the log into the file, unless it only reads.
      const [first, last] = health.isDamaged() ? [writer, reader] : [reader, writer]
      first.close()
      last.close()
    }
  }
}

/** Reads a file on a full disk; after a write that is possible again, it is opened as usual. */
export function openSqliteWithoutSpace(file: string, options: SqliteFileOptions): TableAccess {
  const { reserve, warn } = options
  const channel = createLocalChannel()
  const locks = createLocalLocks()
  let connection: SqliteConnection | undefined = connectWithoutSpace(file)
  const readOnly = createRead(connection, watchHealth(file, warn))
  let usual: TableAccess | undefined

  function reopen(): TableAccess | undefined {
    if (usual !== undefined || reserve?.restore() !== true) return usual
    connection?.close()
    connection = undefined
    usual = openSqlite(file, options, channel, locks)
    return usual
  }

  return {
    engine: 'sqlite',
    channel,
    ...locks,
    read: (transaction) => (usual?.read ?? readOnly)(transaction),
    version: undefined,
    async write(transaction, writeOptions) {
      const database = reopen()
      if (database === undefined) throw new StorageFull()
      return database.write(transaction, writeOptions)
    },
    async close() {
      connection?.close()
      await usual?.close()
    }
  }
}

function createRead(reader: SqliteConnection, { translate }: Health): TableAccess['read'] {
  const run = (step: SqlStep) => {
    try {
      return reader.run(step)
    } catch (error) {
      throw translate(error)
    }
  }
  return async (transaction) => runSync(transaction(), run)
}

interface Health {
  translate: (error: unknown) => unknown
  isDamaged: () => boolean
}

/** Reports each kind of problem with the file once. */
function watchHealth(file: string, warn: (text: string) => void): Health {
  const reported = new Set<string>()
  let damaged = false

  function report(error: unknown, code: string): void {
    if (code === 'STORAGE_FULL' || reported.has(code)) return
    reported.add(code)
    const text = describeFileError(file, error)
    if (text !== undefined) warn(text)
  }

  return {
    isDamaged: () => damaged,
    translate(error) {
      const translated = translateSqliteError(error, file)
      damaged ||= isDamage(error)
      if (translated !== error) report(error, (translated as NodeJS.ErrnoException).code ?? '')
      return translated
    }
  }
}
