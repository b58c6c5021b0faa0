import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Engine } from '../../src/kernel/database/database.ts'
import { dropSchema, type Place } from '../../src/kernel/database/open.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { temporaryFolder } from './launcher.ts'

/** Set by `npm test`, unless one service alone is tested, which is done on SQLite. */
const POSTGRES_URL = process.env.NONET_POSTGRES

export const ENGINES: readonly Engine[] =
  POSTGRES_URL === undefined ? ['sqlite'] : ['sqlite', 'postgres']

/** What `start()` has to be told to use an engine. */
export function engineOptions(engine: Engine): { database?: string } {
  return engine === 'postgres' ? { database: postgresUrl() } : {}
}

export function postgresUrl(): string {
  if (POSTGRES_URL === undefined) throw new Error('NONET_POSTGRES is set by npm test')
  return POSTGRES_URL
}

export type TemporaryPlace = Place & AsyncDisposable

/** A place of its own for one test. */
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

/** A database of its own, for processes that use the names of schemas that users see. */
export async function temporaryDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const url = new URL(postgresUrl())
  url.pathname = `/${name}`
  await administer(`create database ${name}`)
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => administer(`drop database ${name} with (force)`)
  }
}

async function administer(sql: string): Promise<void> {
  const client = await connectPostgres({ url: postgresUrl() })
  await client.query(sql)
  await client.end()
}
