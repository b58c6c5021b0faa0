import type { Engine, Migration } from '../database/database.ts'
import { migrationFrom } from '../database/migration-sql.ts'
import { query, type Transaction } from '../database/transaction.ts'
import type { SealedColumn } from './rules.ts'
import { sealedPrefix } from './seal.ts'

/** Has one row, which tells the key that the values of the service need. In backups, too. */
export const CHECK_TABLE = 'nonet_secret_check'

/** For the migrations of a service with `secrets`; never changed once released. */
export function secretsMigration(): Migration {
  return migrationFrom(
    `create table ${CHECK_TABLE} (
      id <integer> primary key check (id = 1),
      key_id text not null,
      sealed text not null
    )`
  )
}

/** A constant, sealed with the key. */
export interface CheckValue {
  keyId: string
  sealed: string
}

export function* readCheck(): Transaction<CheckValue | undefined> {
  const [row] = yield* query<CheckValue>(
    `select key_id as "keyId", sealed from ${CHECK_TABLE} where id = 1`
  )
  return row
}

/** Undefined without a check value, also before the table is created. */
export function* findCheck(engine: Engine): Transaction<CheckValue | undefined> {
  const sql =
    engine === 'sqlite'
      ? 'select name from sqlite_schema where name = ?'
      : 'select tablename from pg_tables where schemaname = current_schema() and tablename = ?'
  const tables = yield* query(sql, CHECK_TABLE)
  return tables.length === 0 ? undefined : yield* readCheck()
}

/** Unless there is one; returns the one that counts. */
export function* addCheck({ keyId, sealed }: CheckValue): Transaction<CheckValue> {
  const found = yield* readCheck()
  if (found !== undefined) return found
  yield* query(`insert into ${CHECK_TABLE} (id, key_id, sealed) values (1, ?, ?)`, keyId, sealed)
  return { keyId, sealed }
}

export function* replaceCheck({ keyId, sealed }: CheckValue): Transaction<void> {
  yield* query(`update ${CHECK_TABLE} set key_id = ?, sealed = ? where id = 1`, keyId, sealed)
}

export interface SealedRow {
  key: string | number
  sealed: string
}

/** In the order of the keys, after the given one. */
export function sealedWithOthers(
  { table, key, column }: SealedColumn,
  keyId: string,
  after: string | number | undefined,
  limit: number
): Transaction<readonly SealedRow[]> {
  const prefix = sealedPrefix(keyId)
  return query<SealedRow>(
    `select "${key}" as "key", "${column}" as sealed from "${table}"
     where substr("${column}", 1, ${prefix.length}) <> ?
     ${after === undefined ? '' : `and "${key}" > ?`} order by "${key}" limit ?`,
    ...[prefix, ...(after === undefined ? [] : [after]), limit]
  )
}

/** Unless the value has changed since it was read. */
export function* replaceSealed(
  { table, key, column }: SealedColumn,
  row: SealedRow,
  sealed: string
): Transaction<void> {
  yield* query(
    `update "${table}" set "${column}" = ? where "${key}" = ? and "${column}" = ?`,
    ...[sealed, row.key, row.sealed]
  )
}

/** Number of values by the id of their key. */
export function* countByKey({ table, column }: SealedColumn): Transaction<Map<string, number>> {
  const rows = yield* query<{ id: string; count: number }>(
    `select substr("${column}", 4, 8) as id, count(*) as count from "${table}"
     where "${column}" is not null group by 1`
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}
