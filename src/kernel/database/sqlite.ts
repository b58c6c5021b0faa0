import type { Database } from './database.ts'
import { drive } from './drive.ts'
import { createGroupCommit } from './group-commit.ts'
import type { Rows, Step } from './plan.ts'
import { createLocalSignals } from './signals.ts'
import { connectSqlite, fromSqlite, type SqliteOptions } from './sqlite-connection.ts'

/** One file, one connection that writes and one that reads what is committed. */
export function openSqlite(file: string, options: SqliteOptions): Database {
  const writer = connectSqlite(file, options)
  const reader = connectSqlite(file, options)
  reader.raw.exec('pragma query_only = on')
  const commits = createGroupCommit(writer)

  function runRead(step: Step): Rows {
    try {
      return reader.run(step)
    } catch (error) {
      throw fromSqlite(error)
    }
  }

  return {
    engine: 'sqlite',
    // A lock keeps other processes away from the file.
    signals: createLocalSignals(),
    read: async (plan) => drive(plan(), runRead),
    write: commits.write,
    async close() {
      await commits.end()
      reader.close()
      // The last one to leave moves the log into the file.
      writer.close()
    }
  }
}
