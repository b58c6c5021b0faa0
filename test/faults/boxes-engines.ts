import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Engine } from '../../src/kernel/database/database.ts'
import { numberPlaceholders } from '../../src/kernel/database/statement-text.ts'
import type { Candidate } from '../../src/services/boxes/query/filter.ts'
import type { Fragment } from '../../src/services/boxes/query/fragment.ts'
import { postgresUrl } from '../support/engines.ts'

/** One table of records on a real engine. */
export interface Table extends AsyncDisposable {
  readonly engine: Engine
  clear: () => Promise<void>
  insert: (candidate: Candidate, doc: string) => Promise<void>
  /** The records' numbers that a statement yields. */
  select: (rest: Fragment) => Promise<number[]>
}

const TABLE = `create temporary table record (pk bigint primary key, id text not null,
  collection text, created bigint not null, updated bigint, doc jsonb not null)`
const INSERT = 'insert into record (pk, id, collection, created, updated, doc) values'

function argumentsOf(candidate: Candidate, doc: string) {
  const { pk, id, collection, createdMs, updatedMs } = candidate
  return [pk, id, collection, createdMs, updatedMs, doc]
}

export function openSqliteTable(): Table {
  const database = new DatabaseSync(':memory:')
  database.exec(TABLE)
  const insert = database.prepare(`${INSERT} (?, ?, ?, ?, ?, jsonb(?))`)
  return {
    engine: 'sqlite',
    clear: async () => database.exec('delete from record'),
    insert: async (candidate, doc) => void insert.run(...argumentsOf(candidate, doc)),
    select: async ({ sql, args }) => {
      const rows = database.prepare(`select pk from record ${sql}`).all(...args)
      return rows.map(({ pk }) => Number(pk))
    },
    [Symbol.asyncDispose]: async () => database.close()
  }
}

export async function openPostgresTable(): Promise<Table> {
  const client = new pg.Client({ connectionString: postgresUrl() })
  await client.connect()
  await client.query(TABLE)
  return {
    engine: 'postgres',
    clear: async () => void (await client.query('delete from record')),
    insert: async (candidate, doc) => {
      await client.query(`${INSERT} ($1, $2, $3, $4, $5, $6)`, argumentsOf(candidate, doc))
    },
    select: async ({ sql, args }) => {
      const { rows } = await client.query(numberPlaceholders(`select pk from record ${sql}`), [
        ...args
      ])
      return rows.map(({ pk }) => Number(pk))
    },
    [Symbol.asyncDispose]: () => client.end()
  }
}
