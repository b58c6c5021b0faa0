import { existsSync } from 'node:fs'
import { readUnchanged } from '../kernel/database/inspect-sqlite.ts'
import { connectOrFail } from '../kernel/database/open.ts'
import { explainRefusal } from '../kernel/database/postgres-refusal.ts'
import { runAsync, runSync } from '../kernel/database/run-transaction.ts'
import { numberPlaceholders } from '../kernel/database/statement-text.ts'
import type { Rows, SqlStep, Transaction } from '../kernel/database/transaction.ts'
import { databaseLocation, type Storage } from './storage.ts'

/**
 * Runs a transaction that only reads on the tables of each service, also while they are in use.
 * Nothing is created or changed; services without a file have no result.
 */
export async function readTables<T>(
  names: readonly string[],
  storage: Storage,
  read: (name: string) => Transaction<T>
): Promise<ReadonlyMap<string, T>> {
  return storage.database === undefined
    ? readFiles(names, storage, read)
    : readSchemas(names, storage, storage.database, read)
}

async function readFiles<T>(
  names: readonly string[],
  storage: Storage,
  read: (name: string) => Transaction<T>
): Promise<ReadonlyMap<string, T>> {
  const results = new Map<string, T>()
  for (const name of names) {
    const location = databaseLocation(name, storage)
    if (location.engine !== 'sqlite' || !existsSync(location.file)) continue
    const result = await readUnchanged(location.file, (raw) =>
      runSync(read(name), ({ sql, args }) => raw.prepare(sql).all(...args) as Rows)
    )
    results.set(name, result)
  }
  return results
}

async function readSchemas<T>(
  names: readonly string[],
  storage: Storage,
  url: string,
  read: (name: string) => Transaction<T>
): Promise<ReadonlyMap<string, T>> {
  const results = new Map<string, T>()
  if (names.length === 0) return results
  const client = await connectOrFail({ url })
  const run = async ({ sql, args }: SqlStep): Promise<Rows> =>
    (await client.query(numberPlaceholders(sql), [...args])).rows
  try {
    for (const name of names) {
      const location = databaseLocation(name, storage)
      if (location.engine !== 'postgres') continue
      await client.query(`set search_path to "${location.schema}"`)
      results.set(name, await runAsync(read(name), run))
    }
    return results
  } catch (error) {
    throw explainRefusal(error, { url, user: client.user })
  } finally {
    await client.end()
  }
}
