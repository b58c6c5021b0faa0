import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Lock, lockDatabase } from '../database/lock.ts'
import { applySqlite } from '../database/migrate.ts'
import { runSync } from '../database/run-transaction.ts'
import { connectSqlite, type SqliteConnection } from '../database/sqlite-connection.ts'
import { openSnapshot, readSqlite } from './snapshot.ts'
import { type RestoreTarget, restoreRow } from './target.ts'

interface Arrival {
  connection: SqliteConnection
  file: string
}

/** Restores into new files and replaces the old files with them on commit. */
export function openSqliteTarget(fileOf: (service: string) => string): RestoreTarget {
  const locks = new Map<string, Lock>()
  const arrivals = new Map<string, Arrival>()

  function lock(file: string): void {
    if (!locks.has(file)) locks.set(file, lockDatabase(file))
  }

  function connectionOf(service: string): SqliteConnection {
    const arrival = arrivals.get(service)
    if (arrival === undefined) throw new Error(`${service} was not prepared`)
    return arrival.connection
  }

  return {
    engine: 'sqlite',
    async countRows(stored) {
      const file = fileOf(stored.name)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      lock(file)
      await using snapshot = await openSnapshot({ engine: 'sqlite', file, durable: true }, stored)
      return (snapshot?.tables ?? []).reduce((sum, { rows }) => sum + rows, 0)
    },
    async prepare(stored, step) {
      const file = fileOf(stored.name)
      lock(file)
      await removeFiles(arrivalOf(file))
      const connection = connectSqlite(arrivalOf(file), { durable: true })
      arrivals.set(stored.name, { connection, file })
      applySqlite(connection.raw, { service: stored.name, ...stored }, step)
    },
    async insert(stored, head, rows) {
      const connection = connectionOf(stored.name)
      connection.raw.exec('begin')
      for (const row of rows) runSync(restoreRow(stored, head, row, 'sqlite'), connection.run)
      connection.raw.exec('commit')
    },
    read: ({ name }, head) => readSqlite(connectionOf(name), head),
    async complete(stored) {
      applySqlite(connectionOf(stored.name).raw, { service: stored.name, ...stored })
    },
    async write(stored, transaction) {
      const connection = connectionOf(stored.name)
      connection.raw.exec('begin')
      runSync(transaction(), connection.run)
      connection.raw.exec('commit')
    },
    async commit() {
      for (const { connection } of arrivals.values()) connection.close()
      for (const { file } of arrivals.values()) await replace(file)
    },
    async [Symbol.asyncDispose]() {
      for (const { connection, file } of arrivals.values()) {
        if (connection.raw.isOpen) connection.close()
        await removeFiles(arrivalOf(file))
      }
      for (const held of locks.values()) held.release()
    }
  }
}

function arrivalOf(file: string): string {
  return `${file}.arriving`
}

async function removeFiles(file: string): Promise<void> {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) await rm(path, { force: true })
}

async function replace(file: string): Promise<void> {
  // Opening merges the old file's log, which SQLite would otherwise apply to the new file.
  if (existsSync(file)) connectSqlite(file, { durable: true }).close()
  await rename(arrivalOf(file), file)
}
