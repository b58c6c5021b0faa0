import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../src/kernel/database/database.ts'
import { StorageUnavailable } from '../../src/kernel/database/errors.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { insertRow, query, type Transaction } from '../../src/kernel/database/transaction.ts'
import { UserError } from '../../src/kernel/errors.ts'
import { createPostgresServer, type PostgresServer } from '../support/postgres-server.ts'
import { idsOf, openThings, THINGS } from './things.ts'

const LANES = 32

let loads = 0

/** Before another write, while the server is away and refuses each at once. */
const PAUSE_MS = 5

/** Writes until told to stop; what is acknowledged must be there in the end. */
function keepWriting(database: Database) {
  const acknowledged: string[] = []
  const refused = new Set<string>()
  let writing = true
  let number = 0
  const load = loads++
  async function lane(plan: (id: string) => () => Transaction<void>): Promise<void> {
    while (writing) {
      const id = `${load}-${number++}`
      await database.write(plan(id)).then(
        () => acknowledged.push(id),
        async (error) => {
          refused.add(error.code ?? error.name)
          await wait(PAUSE_MS)
        }
      )
      await new Promise(setImmediate)
    }
  }
  const single = (id: string) => () => insertRow('things', { id })
  const double = (id: string) =>
    function* (): Transaction<void> {
      yield* query('insert into things (id) values (?)', id)
      yield* query('insert into parts (thing) values (?)', id)
    }
  const lanes = Array.from({ length: LANES }, (_, index) => lane(index % 2 ? single : double))
  return {
    acknowledged,
    refused,
    async stop() {
      writing = false
      await Promise.all(lanes)
    }
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await wait(10)
}

async function answers(database: Database): Promise<boolean> {
  return database
    .read(() => query('select 1 as one'))
    .then(
      () => true,
      () => false
    )
}

describe('PostgreSQL that goes away and comes back', () => {
  let server: PostgresServer
  let database: Database
  before(async () => {
    const binaries = process.env.NONET_POSTGRES_BIN
    assert.ok(binaries, 'NONET_POSTGRES_BIN is set by npm test')
    server = await createPostgresServer({ binaries, fsync: true })
    await server.start()
    database = await openThings({
      engine: 'postgres',
      url: server.url,
      schema: 'things',
      durable: true
    })
  })
  after(async () => {
    await database.close()
    await server.close()
  })

  async function assertAllThere(acknowledged: readonly string[]): Promise<void> {
    const stored = new Set(await idsOf(database))
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      []
    )
    const [row] = await database.read(() =>
      query<{ count: number }>(
        'select count(*) as count from parts left join things on thing = id where id is null'
      )
    )
    assert.equal(row?.count, 0)
  }

  test('killed connections are replaced, and nothing acknowledged is lost', async () => {
    const load = keepWriting(database)
    const killer = await connectPostgres(server)
    for (let round = 1; round <= 5; round++) {
      const before = load.acknowledged.length
      await until(() => load.acknowledged.length > before + 200)
      await killer.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()'
      )
    }
    const before = load.acknowledged.length
    await until(() => load.acknowledged.length > before + 200)
    await load.stop()
    await killer.end()
    await until(() => answers(database))
    assert.deepEqual([...load.refused], ['STORAGE_UNAVAILABLE'])
    await assertAllThere(load.acknowledged)
  })

  for (const mode of ['fast', 'immediate'] as const) {
    test(`a server stopped (${mode}) and started again`, async () => {
      const load = keepWriting(database)
      await until(() => load.acknowledged.length > 200)
      await server.stop(mode)
      await assert.rejects(
        database.read(() => query('select 1 as one')),
        StorageUnavailable
      )
      let reason: string | undefined
      // A result of the second before is used again.
      await until(async () => {
        reason = await database.unavailable()
        return reason !== undefined
      })
      assert.match(reason ?? '', /PostgreSQL (is not reachable|rejects requests)|was lost/)
      await server.start()
      await until(async () => (await database.unavailable()) === undefined)
      const before = load.acknowledged.length
      await until(() => load.acknowledged.length > before + 200)
      await load.stop()
      await until(() => answers(database))
      assert.deepEqual([...load.refused], ['STORAGE_UNAVAILABLE'])
      await assertAllThere(load.acknowledged)
    })
  }

  test('a pause of this process while it connects at its start is no lost connection', async () => {
    const url = new URL(server.url)
    url.searchParams.set('connect_timeout', '3')
    const connecting = connectPostgres({ url: url.href })
    // The timer of the connection runs before the responses of the server are read.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500)
    const client = await connecting
    await client.end()
  })

  test('a start without a server is refused with a sentence', async () => {
    await server.stop()
    const place = { engine: 'postgres', url: server.url, schema: 'things', durable: true } as const
    await assert.rejects(
      openDatabase(place, { service: 'things', migrations: THINGS }),
      (error: Error) => {
        assert.ok(error instanceof UserError)
        assert.match(
          error.message,
          /^Cannot use the database .*ECONNREFUSED.*; start PostgreSQL, or correct /
        )
        return true
      }
    )
    await server.start()
  })
})
