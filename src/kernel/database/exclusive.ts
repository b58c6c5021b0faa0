import { UserError } from '../errors.ts'
import type { Database } from './database.ts'
import { inUseLockKey } from './in-use-lock.ts'
import type { Schema } from './migrate.ts'
import { connectOrFail, type DatabaseLocation, openDatabase } from './open.ts'
import { runAsync } from './run-transaction.ts'
import { createStatementCache } from './statement-text.ts'
import type { Rows, SqlStep, Transaction } from './transaction.ts'

/** Tables that no other process uses. */
export type ExclusiveTables = Pick<Database, 'write' | 'close'>

/** Throws `UserError` if a process uses the tables; one that starts meanwhile waits or ends. */
export async function openExclusively(
  location: DatabaseLocation,
  schema: Schema
): Promise<ExclusiveTables> {
  const database = await openDatabase(location, schema)
  // A file has one process anyway.
  if (location.engine === 'sqlite') return database
  await database.close()
  const client = await connectOrFail(location)
  const statementFor = createStatementCache()
  const run = async ({ sql, args }: SqlStep): Promise<Rows> =>
    (await client.query({ ...statementFor(sql), values: [...args] })).rows

  async function write<T>(transaction: () => Transaction<T>): Promise<T> {
    await client.query('begin')
    try {
      const result = await runAsync(transaction(), run)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }

  try {
    await client.query(`set search_path to "${location.schema}"`)
    const lock = `select pg_try_advisory_lock(${inUseLockKey(location.schema)}) as alone`
    const { rows } = await client.query(lock)
    if (rows[0]?.alone !== 1) {
      throw new UserError(
        `The tables of ${schema.service} are in use by a running nonet: stop it first`
      )
    }
  } catch (error) {
    await client.end()
    throw error
  }
  return { write, close: () => client.end() }
}
