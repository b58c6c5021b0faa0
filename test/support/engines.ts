import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Engine } from '../../src/kernel/database/database.ts'
import { type DatabaseLocation, dropSchema } from '../../src/kernel/database/open.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { ENGINES } from './engine-names.ts'
import { temporaryFolder } from './launcher.ts'

export { ENGINES }

const SERVER_URL = process.env.NONET_POSTGRES
/**
 * Test processes run at the same time: each has its own database, so that locks, transactions and
 * notifications of one do not affect another.
 */
const POSTGRES_URL = SERVER_URL === undefined ? undefined : await openFileDatabase()

/** Options of `start()` for an engine. */
export function engineOptions(engine: Engine): { database?: string } {
  return engine === 'postgres' ? { database: postgresUrl() } : {}
}

export function postgresUrl(): string {
  if (POSTGRES_URL === undefined) throw new Error('NONET_POSTGRES is set by npm test')
  return POSTGRES_URL
}

export type TemporaryPlace = DatabaseLocation & AsyncDisposable

/** A separate database location for one test. */
export function temporaryPlace(engine: Engine): TemporaryPlace {
  if (engine === 'sqlite') {
    const folder = temporaryFolder()
    return {
      engine,
      file: join(folder.path, 'things.sqlite'),
      durable: true,
      [Symbol.asyncDispose]: async () => folder[Symbol.dispose]()
    }
  }
  const schema = `test_${randomBytes(8).toString('hex')}`
  const place = { engine, url: postgresUrl(), schema, durable: true } as const
  return { ...place, [Symbol.asyncDispose]: () => dropSchema(place) }
}

/** A separate database, for processes that use the schema names that users see. */
export async function temporaryDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const { url, drop } = await createDatabase()
  return { url, [Symbol.asyncDispose]: drop }
}

/** A database for all tests of this process; dropped before it exits. */
async function openFileDatabase(): Promise<string> {
  const { url, drop } = await createDatabase()
  process.once('beforeExit', drop)
  return url
}

/** Created from the template by way of the log: 0.1 s, while copying files takes 0.45 s. */
async function createDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const url = new URL(SERVER_URL ?? '')
  url.pathname = `/${name}`
  await administer(`create database ${name}`)
  return { url: url.href, drop: () => administer(`drop database ${name} with (force)`) }
}

async function administer(sql: string): Promise<void> {
  const url = new URL(SERVER_URL ?? '')
  // The usual 5 s were not enough on a machine with much other load.
  url.searchParams.set('connect_timeout', '60')
  const client = await connectPostgres({ url: url.href })
  await client.query(sql)
  await client.end()
}
