import type pg from 'pg'
import { inUseLockKey } from '../database/in-use-lock.ts'
import { asSingleRowInsert, chunkSize, multiRowSql } from '../database/insert-batching.ts'
import { applyPostgres } from '../database/migrate.ts'
import { connectOrFail } from '../database/open.ts'
import { explainRefusal } from '../database/postgres-refusal.ts'
import { requireSuitable, serverFacts } from '../database/postgres-requirements.ts'
import { runAsync } from '../database/run-transaction.ts'
import { createStatementCache } from '../database/statement-text.ts'
import type { Rows, SqlStep } from '../database/transaction.ts'
import { UserError } from '../errors.ts'
import { discoverPostgres } from './discovery.ts'
import { readPostgres } from './snapshot.ts'
import { type RestoreTarget, restoreRow } from './target.ts'

/** Restores into PostgreSQL in one transaction. */
export async function openPostgresTarget(
  url: string,
  schemaOf: (service: string) => string
): Promise<RestoreTarget> {
  const client = await connectOrFail({ url })
  await requireSuitable(client).catch(async (error) => {
    await client.end()
    throw explainRefusal(error, { url, user: client.user })
  })
  const statementFor = createStatementCache()
  const run = async ({ sql, args }: SqlStep): Promise<Rows> =>
    (await client.query({ ...statementFor(sql), values: [...args] })).rows
  const enter = (schema: string) => client.query(`set local search_path to "${schema}"`)
  await client.query('begin')

  return {
    engine: 'postgres',
    async countRows(stored) {
      const schema = schemaOf(stored.name)
      await keepOthersOut(client, stored.name, schema)
      return countRows(client, schema, await discoverPostgres(client, schema, stored))
    },
    async prepare(stored, step) {
      const schema = schemaOf(stored.name)
      await keepOthersOut(client, stored.name, schema)
      try {
        await dropTables(client, schema)
        await applyPostgres(client, schema, { service: stored.name, ...stored }, step)
      } catch (error) {
        throw explainRefusal(error, { url, schema, user: client.user })
      }
    },
    async insert(stored, head, rows) {
      await enter(schemaOf(stored.name))
      const transactions = rows.map((row) => () => restoreRow(stored, head, row, 'postgres'))
      const insertions = transactions.map((transaction) => asSingleRowInsert(transaction()))
      for (let done = 0; done < rows.length; ) {
        const first = insertions[done]
        if (first === undefined) {
          await runAsync(transactionAt(transactions, done), run)
          done += 1
          continue
        }
        const alike = insertions.slice(done).findIndex((other) => other?.sql !== first.sql)
        const size = chunkSize(alike === -1 ? rows.length - done : alike, first.args.length)
        const args = insertions.slice(done, done + size).flatMap((one) => one?.args ?? [])
        await run({ sql: multiRowSql(first.sql, size), args })
        done += size
      }
    },
    async *read(stored, head) {
      await enter(schemaOf(stored.name))
      yield* readPostgres(client, head)
    },
    async complete(stored) {
      const schema = schemaOf(stored.name)
      await applyPostgres(client, schema, { service: stored.name, ...stored })
      await advanceCounters(client, schema)
    },
    async write(stored, transaction) {
      await enter(schemaOf(stored.name))
      await runAsync(transaction(), run)
    },
    commit: async () => {
      await client.query('commit')
    },
    [Symbol.asyncDispose]: () => client.end()
  }
}

function transactionAt<Made>(transactions: readonly (() => Made)[], index: number): Made {
  const transaction = transactions[index]
  if (transaction === undefined) throw new RangeError('no such plan')
  return transaction()
}

/** A user who may not create schemas keeps the schema that was created for it. */
async function dropTables(client: pg.ClientBase, schema: string): Promise<void> {
  const { createsSchemas } = await serverFacts(client)
  if (createsSchemas) {
    await client.query(`drop schema if exists "${schema}" cascade`)
    return
  }
  const { rows } = await client.query<{ name: string }>(
    'select tablename::text as name from pg_tables where schemaname = $1',
    [schema]
  )
  const names = rows.map(({ name }) => `"${schema}"."${name}"`)
  if (names.length > 0) await client.query(`drop table ${names.join(', ')} cascade`)
}

/** Locks the schema until the transaction ends; a nonet process that starts meanwhile waits. */
async function keepOthersOut(client: pg.ClientBase, service: string, schema: string) {
  const { rows } = await client.query(
    `select pg_try_advisory_xact_lock(${inUseLockKey(schema)}) as alone`
  )
  if (rows[0]?.alone === 1) return
  throw new UserError(`The tables of ${service} are in use by a running nonet: stop it first`)
}

async function countRows(
  client: pg.ClientBase,
  schema: string,
  shapes: readonly { table: string }[]
): Promise<number> {
  let sum = 0
  for (const { table } of shapes) {
    const { rows } = await client.query(`select count(*) as rows from "${schema}"."${table}"`)
    sum += Number(rows[0]?.rows)
  }
  return sum
}

/** Sets identity sequences past the restored values, so that new rows do not collide with them. */
async function advanceCounters(client: pg.ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; counter: string }>(
    `select table_name as "table", column_name as "column",
       pg_get_serial_sequence(format('%I.%I', table_schema, table_name), column_name) as counter
     from information_schema.columns
     where table_schema = $1 and (is_identity = 'YES' or column_default like 'nextval(%')`,
    [schema]
  )
  for (const { table, column, counter } of rows) {
    const last = `select coalesce(max("${column}"), 0) + 1 from "${schema}"."${table}"`
    await client.query(`select setval($1, (${last}), false)`, [counter])
  }
}
