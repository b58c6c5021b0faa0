import type { TableAccess } from './database.ts'
import { createGroupCommit } from './group-commit.ts'
import { createLocalChannel } from './notification-channel.ts'
import { runSync } from './run-transaction.ts'
import { connectSqlite, type SqliteOptions, translateSqliteError } from './sqlite-connection.ts'
import type { Rows, SqlStep } from './transaction.ts'

/** One connection writes, another one reads committed data. */
export function openSqlite(file: string, options: SqliteOptions): TableAccess {
  const writer = connectSqlite(file, options)
  const reader = connectSqlite(file, options)
  reader.raw.exec('pragma query_only = on')
  const commits = createGroupCommit(writer)

  function runRead(step: SqlStep): Rows {
    try {
      return reader.run(step)
    } catch (error) {
      throw translateSqliteError(error)
    }
  }

  return {
    engine: 'sqlite',
    // Notifications are local, because a lock prevents other processes from using the file.
    channel: createLocalChannel(),
    read: async (transaction) => runSync(transaction(), runRead),
    write: commits.write,
    async close() {
      await commits.end()
      reader.close()
      // Closing the last connection merges the log into the file.
      writer.close()
    }
  }
}
