import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import type { Database, Migration } from '../../src/kernel/database/database.ts'
import { type DatabaseLocation, openDatabase } from '../../src/kernel/database/open.ts'
import { insertRow, query } from '../../src/kernel/database/transaction.ts'
import { UserError } from '../../src/kernel/errors.ts'
import { ENGINES, temporaryPlace } from '../support/engines.ts'
import { idsOf, THINGS } from './things.ts'

const SECOND = 'alter table things add column colour text'
const BOTH = [...THINGS, SECOND]

async function open(place: DatabaseLocation, migrations: readonly Migration[]): Promise<Database> {
  return openDatabase(place, { service: 'things', migrations })
}

async function withThings<T>(
  place: DatabaseLocation,
  migrations: readonly Migration[],
  work: (database: Database) => Promise<T>
): Promise<T> {
  const database = await open(place, migrations)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const steps = (database: Database) =>
  database.read(() => query<{ step: number }>('select step from nonet_steps order by step'))

for (const engine of ENGINES) {
  describe(`migrations on ${engine}`, () => {
    test('each step is applied once, old data stays', async () => {
      await using place = temporaryPlace(engine)
      await withThings(place, THINGS, (database) =>
        database.write(() => insertRow('things', { id: 'old' }))
      )
      for (let start = 1; start <= 2; start++) {
        await withThings(place, BOTH, async (database) => {
          assert.deepEqual(
            (await steps(database)).map(({ step }) => step),
            [1, 2]
          )
          await database.write(() => insertRow('things', { id: `new${start}`, colour: 'red' }))
        })
      }
      await withThings(place, BOTH, async (database) => {
        assert.deepEqual(await idsOf(database), ['new1', 'new2', 'old'])
      })
    })

    test('data of a newer nonet is refused with a sentence, and stays as it is', async () => {
      await using place = temporaryPlace(engine)
      await withThings(place, BOTH, (database) =>
        database.write(() => insertRow('things', { id: 'a', colour: 'red' }))
      )
      await assert.rejects(open(place, THINGS), (error: Error) => {
        assert.ok(error instanceof UserError)
        assert.match(
          error.message,
          /^The data of things in .* was written by a newer version of nonet \(schema 2, this version supports 1\): use that/
        )
        return true
      })
      await withThings(place, BOTH, async (database) => {
        assert.deepEqual(await idsOf(database), ['a'])
      })
    })

    test('steps that fail leave the old schema and data', async () => {
      await using place = temporaryPlace(engine)
      await withThings(place, THINGS, (database) =>
        database.write(() => insertRow('things', { id: 'a' }))
      )
      const broken = [...BOTH, 'create table things (oops text)']
      await assert.rejects(open(place, broken), /^UserError: The data of things cannot be/)
      await withThings(place, THINGS, async (database) => {
        assert.equal((await steps(database)).length, 1)
        assert.deepEqual(await idsOf(database), ['a'])
      })
    })
  })
}

test('an SQLite file is copied beside itself before old data is changed', async () => {
  await using place = temporaryPlace('sqlite')
  assert.ok(place.engine === 'sqlite')
  await withThings(place, THINGS, (database) =>
    database.write(() => insertRow('things', { id: 'old' }))
  )
  await withThings(place, BOTH, async () => {})
  const copies = readdirSync(dirname(place.file)).filter((name) => name.includes('.step-'))
  assert.deepEqual(copies, ['things.sqlite.step-1'])
  const copy = new DatabaseSync(`${place.file}.step-1`, { readOnly: true })
  assert.equal(copy.prepare('select id from things').get()?.id, 'old')
  assert.equal(copy.prepare('select max(step) as step from nonet_steps').get()?.step, 1)
  copy.close()
})

if (ENGINES.includes('postgres')) {
  test('two processes that start at once on one PostgreSQL both start', async () => {
    await using place = temporaryPlace('postgres')
    const databases = await Promise.all(Array.from({ length: 6 }, () => open(place, BOTH)))
    assert.equal((await steps(databases[0] as Database)).length, 2)
    for (const database of databases) await database.close()
  })
}
