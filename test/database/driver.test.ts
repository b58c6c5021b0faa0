import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Database } from '../../src/kernel/database/database.ts'
import { StorageUnavailable, UniqueViolation } from '../../src/kernel/database/errors.ts'
import {
  insertRow,
  query,
  queryAutocommit,
  type Transaction
} from '../../src/kernel/database/transaction.ts'
import { truncateAll } from '../../src/kernel/database/truncate.ts'
import { ENGINES, temporaryPlace } from '../support/engines.ts'
import { HOSTILE_TEXTS, idsOf, openThings, writeAll } from './things.ts'

class OwnWord extends Error {
  override name = 'OwnWord'
}

const CASES: Readonly<Record<string, (database: Database) => Promise<void>>> = {
  async 'each write of a burst has its own result'(database) {
    const plans = Array.from(
      { length: 300 },
      (_, index) =>
        function* (): Transaction<number> {
          yield* insertRow('things', { id: `t${index}`, size: index })
          return index
        }
    )
    assert.deepEqual(
      await writeAll(database, plans),
      plans.map((_, index) => index)
    )
    assert.equal((await idsOf(database)).length, 300)
  },

  async 'one bad row does not fail its neighbours, joined or not'(database) {
    await database.write(() => insertRow('things', { id: 't7' }))
    const plans = Array.from(
      { length: 20 },
      (_, index) => () => insertRow('things', { id: `t${index}` })
    )
    const expected = plans.map((_, index) => (index === 7 ? 'UniqueViolation' : undefined))
    assert.deepEqual(await writeAll(database, plans), expected)
    assert.equal((await idsOf(database)).length, 20)
  },

  async 'of two equal keys in one burst exactly one is stored'(database) {
    const plan = () => insertRow('things', { id: 'same' })
    const outcomes = await writeAll(database, [plan, plan, plan])
    assert.deepEqual(outcomes.sort(), ['UniqueViolation', 'UniqueViolation', undefined].sort())
    assert.deepEqual(await idsOf(database), ['same'])
  },

  async 'a plan that fails late leaves nothing behind, its neighbours stay'(database) {
    function* failing(): Transaction<void> {
      yield* query('insert into things (id) values (?)', 'early')
      yield* query('insert into things (id) values (?)', 'taken')
    }
    function* refusing(): Transaction<void> {
      yield* query('insert into things (id) values (?)', 'refused')
      throw new OwnWord()
    }
    await database.write(() => insertRow('things', { id: 'taken' }))
    const plain = (id: string) => () => insertRow('things', { id })
    assert.deepEqual(
      await writeAll(database, [plain('a'), failing, plain('b'), refusing, plain('c')]),
      [undefined, 'UniqueViolation', undefined, 'OwnWord', undefined]
    )
    assert.deepEqual(await idsOf(database), ['a', 'b', 'c', 'taken'])
  },

  async 'a failure takes nobody along, first or last, and after long luck'(database) {
    function* refusing(): Transaction<void> {
      yield* query('insert into things (id) values (?)', 'refused')
      throw new OwnWord()
    }
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, n) => () => insertRow('things', { id: `${name}${n}` }))
    for (const round of ['a', 'b', 'c']) {
      const outcomes = await writeAll(database, [
        refusing,
        ...many(`${round} first `, 5),
        refusing,
        ...many(`${round} then `, 1200),
        refusing
      ])
      assert.equal(outcomes.filter((outcome) => outcome === 'OwnWord').length, 3)
      assert.equal(outcomes.filter((outcome) => outcome === undefined).length, 1205)
    }
    const stored = await idsOf(database)
    assert.equal(stored.length, 3 * 1205)
    assert.ok(!stored.includes('refused'))
  },

  async 'a plan may translate an error, joined or not'(database) {
    function* careful(): Transaction<void> {
      try {
        yield* insertRow('things', { id: 'same' })
      } catch (error) {
        assert.ok(error instanceof UniqueViolation)
        throw new OwnWord()
      }
    }
    await database.write(careful)
    await assert.rejects(database.write(careful), OwnWord)
    assert.deepEqual(await writeAll(database, [careful, careful]), ['OwnWord', 'OwnWord'])
  },

  async 'a plan cannot go on after a failed step'(database) {
    await database.write(() => insertRow('things', { id: 'same' }))
    function* stubborn(): Transaction<string> {
      try {
        yield* query('insert into things (id) values (?)', 'same')
      } catch {
        yield* query('insert into things (id) values (?)', 'other')
      }
      return 'went on'
    }
    await assert.rejects(database.write(stubborn), UniqueViolation)
    assert.deepEqual(await idsOf(database), ['same'])
  },

  async 'a plan that goes on after a lone statement is a defect'(database) {
    function* wrong(): Transaction<void> {
      yield* queryAutocommit('select 1 as one')
      yield* queryAutocommit('select 2 as two')
    }
    await assert.rejects(database.write(wrong), /goes on after/)
    await assert.rejects(database.read(wrong), /goes on after/)
  },

  async 'what is acknowledged is read'(database) {
    for (let index = 0; index < 50; index++) {
      await database.write(() => insertRow('things', { id: `t${index}`, size: index }))
      const [row] = await database.read(() =>
        query<{ size: number }>('select size from things where id = ?', `t${index}`)
      )
      assert.equal(row?.size, index)
    }
  },

  async 'a plan sees its own writes'(database) {
    const count = await database.write(function* () {
      yield* insertRow('things', { id: 'a' })
      yield* insertRow('things', { id: 'b' })
      const [row] = yield* query<{ count: number }>('select count(*) as count from things')
      return row?.count
    })
    assert.equal(count, 2)
  },

  async 'plans that read and write do not lose each other’s changes'(database) {
    await database.write(() => insertRow('things', { id: 'counter', size: 0 }))
    function* increase(): Transaction<void> {
      const [row] = yield* query<{ size: number }>(
        'select size from things where id = ?',
        'counter'
      )
      yield* query('update things set size = ? where id = ?', (row?.size ?? 0) + 1, 'counter')
    }
    await Promise.all(Array.from({ length: 60 }, () => database.write(increase)))
    const [row] = await database.read(() => query<{ size: number }>('select size from things'))
    assert.equal(row?.size, 60)
  },

  async 'texts and bytes come back exactly'(database) {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    await Promise.all(
      HOSTILE_TEXTS.map((body, index) =>
        database.write(() => insertRow('things', { id: `t${index}`, body, bytes }))
      )
    )
    for (const [index, body] of HOSTILE_TEXTS.entries()) {
      const [row] = await database.read(() =>
        query<{ body: string; bytes: Uint8Array }>(
          'select body, bytes from things where id = ?',
          `t${index}`
        )
      )
      assert.equal(row?.body, body)
      assert.ok(row.bytes instanceof Uint8Array)
      assert.deepEqual(new Uint8Array(row.bytes), bytes)
    }
  },

  async 'no bytes are not nothing'(database) {
    await database.write(() => insertRow('things', { id: 'a', bytes: Uint8Array.from([]) }))
    const [row] = await database.read(() =>
      query<{ bytes: Uint8Array }>('select bytes from things')
    )
    assert.equal(row?.bytes?.length, 0)
  },

  async 'numbers are numbers, nothing is null'(database) {
    await database.write(() =>
      insertRow('things', { id: 'a', size: Number.MAX_SAFE_INTEGER, weight: 0.1, body: null })
    )
    const [row] = await database.read(() =>
      query('select size, weight, body, (select count(*) from things) as count from things')
    )
    assert.deepEqual(
      { ...row },
      { size: Number.MAX_SAFE_INTEGER, weight: 0.1, body: null, count: 1 }
    )
  },

  async 'a mark inside quotes is no argument'(database) {
    const [row] = await database.read(() => query(`select '?''?' as text, ? as "wh?t"`, 'x'))
    assert.deepEqual({ ...row }, { text: "?'?", 'wh?t': 'x' })
  },

  async 'any number of different statements can be run'(database) {
    for (let index = 0; index < 2_500; index++) {
      await database.read(() => query(`select ${index} as number from things`))
    }
  },

  async 'a read does not write'(database) {
    await assert.rejects(database.read(() => query("insert into things (id) values ('a')")))
    assert.deepEqual(await idsOf(database), [])
  },

  async 'reads are answered between the batches of a burst'(database) {
    let writing = true
    const writes = Promise.all(
      Array.from({ length: 4_000 }, (_, index) =>
        database.write(() => insertRow('things', { id: `t${index}`, body: 'x'.repeat(2_000) }))
      )
    ).then(() => {
      writing = false
    })
    let readsMeanwhile = 0
    const seen = new Set<number>()
    while (writing) {
      const [row] = await database.read(() =>
        query<{ count: number }>('select count(*) as count from things')
      )
      seen.add(row?.count ?? 0)
      if (writing) readsMeanwhile += 1
      await new Promise(setImmediate)
    }
    await writes
    assert.ok(readsMeanwhile >= 3, `${readsMeanwhile} reads during the burst`)
    assert.ok(seen.size >= 3, 'reads saw states in between')
  },

  async 'emptying leaves the tables, and numbers start anew'(database) {
    const add = function* (): Transaction<number | undefined> {
      yield* insertRow('things', { id: 'a' })
      const [row] = yield* query<{ number: number }>(
        'insert into parts (thing) values (?) returning number',
        'a'
      )
      return row?.number
    }
    assert.equal(await database.write(add), 1)
    await truncateAll(database)
    assert.deepEqual(await idsOf(database), [])
    assert.equal(await database.write(add), 1)
  }
}

for (const engine of ENGINES) {
  describe(`database on ${engine}`, () => {
    const place = temporaryPlace(engine)
    let database: Database
    before(async () => {
      database = await openThings(place)
    })
    beforeEach(() => truncateAll(database))
    after(async () => {
      await database.close()
      await place[Symbol.asyncDispose]()
    })
    for (const [proves, run] of Object.entries(CASES)) test(proves, () => run(database))
  })

  test(`closing on ${engine} finishes what was asked for and takes nothing more`, async () => {
    await using place = temporaryPlace(engine)
    const database = await openThings(place)
    const writes = Array.from({ length: 1_500 }, (_, index) =>
      database.write(() => insertRow('things', { id: `t${index}` }))
    )
    const closing = database.close()
    await assert.rejects(
      database.write(() => insertRow('things', { id: 'late' })),
      StorageUnavailable
    )
    await Promise.all(writes)
    await closing
    const again = await openThings(place)
    assert.equal((await idsOf(again)).length, 1_500)
    await again.close()
  })
}

if (ENGINES.includes('postgres')) {
  test('two nonets on one PostgreSQL do not lose each other’s changes', async () => {
    await using place = temporaryPlace('postgres')
    const databases = await Promise.all([openThings(place), openThings(place)])
    await databases[0].write(() => insertRow('things', { id: 'counter', size: 0 }))
    function* increase(): Transaction<void> {
      const [row] = yield* query<{ size: number }>(
        'select size from things where id = ?',
        'counter'
      )
      yield* query('update things set size = ? where id = ?', (row?.size ?? 0) + 1, 'counter')
    }
    function* claim(): Transaction<boolean> {
      const rows = yield* query("select id from things where id like 'claim%'")
      if (rows.length > 0) return false
      yield* query('insert into things (id) values (?)', `claim${Math.random()}`)
      return true
    }
    const work = databases.flatMap((database) =>
      Array.from({ length: 60 }, () => [database.write(increase), database.write(claim)] as const)
    )
    await Promise.all(work.map(([increased]) => increased))
    const claims = await Promise.all(work.map(([, claimed]) => claimed))
    assert.equal(claims.filter(Boolean).length, 1)
    const [row] = await databases[1].read(() =>
      query<{ size: number }>('select size from things where id = ?', 'counter')
    )
    assert.equal(row?.size, 120)
    for (const database of databases) await database.close()
  })

  test('numbers, truth and the rest come back in the same form as from SQLite', async () => {
    await using place = temporaryPlace('postgres')
    const database = await openThings(place)
    const [row] = await database.read(() =>
      query(`select 1::bigint as a, 1.5::numeric as b, true as c, '{"x": 1}'::jsonb as d`)
    )
    assert.deepEqual({ ...row }, { a: 1, b: 1.5, c: 1, d: '{"x": 1}' })
    await database.close()
  })
}
