/** The log of changes: who follows it misses nothing, whatever is under way meanwhile. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { copy } from '../../src/host/archive.ts'
import type { Storage } from '../../src/host/storage.ts'
import type { Database } from '../../src/kernel/database/database.ts'
import { inUseLockKey } from '../../src/kernel/database/in-use-lock.ts'
import { type DatabaseLocation, openDatabase } from '../../src/kernel/database/open.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { query } from '../../src/kernel/database/transaction.ts'
import { createObjectIdGenerator } from '../../src/kernel/object-id.ts'
import { boxes as service } from '../../src/services/boxes/index.ts'
import type { Change } from '../../src/services/boxes/store/changes.ts'
import { createRetention } from '../../src/services/boxes/store/retention.ts'
import { type BoxStore, boxStore } from '../../src/services/boxes/store/store.ts'
import { ENGINES, temporaryDatabase, temporaryPlace } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'

const { migrations = [] } = service
const quiet = { services: [{ ...service, migrations }], progress: () => {} }
const now = () => new Date()
const content = (n: number) => ({ raw: `{"n":${n}}`, doc: `{"n":${n}}` })
const BOX = { box: 'logged', collection: undefined, key: undefined }

interface Opened extends AsyncDisposable {
  readonly database: Database
  readonly store: BoxStore
}

/** Closed at the end of its block, so that a test that fails does not hold the others up. */
async function open(place: DatabaseLocation): Promise<Opened> {
  const database = await openDatabase(place, { service: 'boxes', migrations })
  const store = boxStore(database, createObjectIdGenerator(now), now)
  return {
    database,
    store,
    async [Symbol.asyncDispose]() {
      store.watch.stop()
      await database.close()
    }
  }
}

function createOne(store: BoxStore, n: number) {
  return store.create({ ...BOX, contents: [content(n)] })
}

/** Other tests on the same server hold the end of the log back for a moment. */
async function settle(store: BoxStore) {
  for (;;) {
    const state = (await store.boxState(BOX.box, 0)) ?? assert.fail('no box')
    if (state.settled) return state
    await wait(5)
  }
}

async function pkOf(store: BoxStore): Promise<number> {
  return (await settle(store)).pk
}

/** Each writer creates, changes and deletes; tells what it did, in its own order. */
async function write(store: BoxStore, rounds: number): Promise<string[]> {
  const done: string[] = []
  for (let n = 0; n < rounds; n++) {
    const { ids } = await createOne(store, n)
    const id = ids[0] ?? ''
    const several = await store.create({ ...BOX, contents: [content(n), content(n)] })
    await store.replace(content(-n), { ...BOX, id })
    done.push(`create ${id} 1`, ...several.ids.map((one) => `create ${one} 1`), `update ${id} 2`)
    if (n % 3 !== 0) continue
    await store.remove({ ...BOX, id })
    done.push(`delete ${id} 2`)
  }
  return done
}

const describeChange = ({ op, id, rev }: Change) => `${op} ${id} ${rev}`

/** A transaction of its own, which has nothing to do with the log. */
async function holdForeign({ url }: { url: string }): Promise<AsyncDisposable> {
  const client = await connectPostgres({ url })
  await client.query('begin; select txid_current()')
  return { [Symbol.asyncDispose]: () => client.end() }
}

const FOLLOWED = [
  ...ENGINES.map((engine) => ({ engine, beside: '', isHeld: false })),
  ...ENGINES.filter((engine) => engine === 'postgres').map((engine) => {
    return { engine, beside: ', beside a foreign transaction', isHeld: true }
  })
]

for (const { engine, beside, isHeld } of FOLLOWED) {
  describe(`followers of the log, on ${engine}${beside}`, { timeout: 300_000 }, () => {
    test('a reader who follows 24 writers sees every change once, and each record in order', async (t) => {
      await using place = temporaryPlace(engine)
      // A second set of connections stands for a second process, which SQLite does not allow.
      await using one = await open(place)
      await using second = engine === 'postgres' ? await open(place) : undefined
      const other = second ?? one
      await createOne(one.store, 0)
      const box = await pkOf(one.store)
      const start = await one.store.readChanges(box, undefined, 10)
      await using _held = isHeld
        ? await holdForeign(place as DatabaseLocation & { url: string })
        : undefined
      let writing = true
      const work = Promise.all(
        Array.from({ length: 24 }, (_, n) => write(n % 2 ? one.store : other.store, 25))
      ).finally(() => {
        writing = false
      })
      const seen: Change[] = []
      let since = start.next
      let reads = 0
      for (let quiet = 0; quiet < 3; reads++) {
        const { horizon } = (await other.store.look(BOX.box, undefined)) ?? assert.fail('no box')
        // Short pages, and long ones that come to the end of the log while others write there.
        const page = await other.store.readChanges(box, since, reads % 2 ? 7 : 1000, horizon)
        assert.equal(page.forgotten, false)
        seen.push(...page.changes)
        since = page.next
        quiet = !writing && page.changes.length === 0 ? quiet + 1 : 0
        await wait(quiet > 0 ? 50 : 0)
      }
      const lanes = await work
      const texts = seen.map(describeChange)
      assert.equal(new Set(texts).size, texts.length, 'no change comes twice')
      const places = new Map(texts.map((text, at) => [text, at]))
      for (const lane of lanes) {
        const found = lane.map((text) => places.get(text) ?? assert.fail(`${text} is missing`))
        assert.deepEqual(
          found,
          found.toSorted((a, b) => a - b)
        )
      }
      assert.equal(texts.length, lanes.flat().length)
      t.diagnostic(`${texts.length} changes in ${reads} reads`)
    })
  })
}

for (const engine of ENGINES) {
  describe(`the log of changes, on ${engine}`, { timeout: 300_000 }, () => {
    test('a state that is settled stays what it says until there is a change', async () => {
      await using place = temporaryPlace(engine)
      await using opened = await open(place)
      const { store } = opened
      await createOne(store, 0)
      const before = await settle(store)
      await createOne(store, 1)
      const after = await settle(store)
      assert.ok(after.seq > before.seq)
      assert.equal(await store.boxState('unknown', 0), undefined)
    })

    test('a log is cut from its old end, and says so to whoever comes too late', async () => {
      await using place = temporaryPlace(engine)
      await using opened = await open(place)
      const { database, store } = opened
      const note = createRetention(database, 100)
      await store.create({ ...BOX, contents: Array.from({ length: 500 }, (_, n) => content(n)) })
      const box = await pkOf(store)
      const whole = await store.readChanges(box, undefined, 1000)
      assert.equal(whole.changes.length, 500)
      assert.equal(whole.forgotten, false)
      note(BOX.box, 1000)
      const left = async () => (await store.readChanges(box, undefined, 1000)).changes
      while ((await left()).length > 100) await wait(10)
      assert.deepEqual(await left(), whole.changes.slice(400))
      const late = await store.readChanges(box, whole.changes[398]?.seq, 1000)
      assert.equal(late.forgotten, true)
      const inTime = await store.readChanges(box, whole.changes[399]?.seq, 1000)
      assert.equal(inTime.forgotten, false)
      assert.equal(inTime.changes.length, 100)
    })

    test('listeners hear of changes, of other processes too', async () => {
      await using place = temporaryPlace(engine)
      await using one = await open(place)
      await using second = engine === 'postgres' ? await open(place) : undefined
      const other = second ?? one
      await createOne(one.store, 0)
      const heard = Promise.withResolvers<void>()
      const end = other.store.watch.listen(BOX.box, heard.resolve)
      await createOne(one.store, 1)
      await heard.promise
      end()
    })
  })
}

if (ENGINES.includes('postgres')) {
  test('what a transaction that runs on might still add is not passed over', async () => {
    await using place = temporaryPlace('postgres')
    await using opened = await open(place)
    const { store } = opened
    await createOne(store, 0)
    const box = await pkOf(store)
    const { next } = await store.readChanges(box, undefined, 10)
    const client = await connectPostgres(place as DatabaseLocation & { url: string })
    await using late = { client, [Symbol.asyncDispose]: () => client.end() }
    const { schema } = place as DatabaseLocation & { schema: string }
    await late.client.query(`select pg_advisory_lock_shared(${inUseLockKey(schema)})`)
    // It has a number now, and writes its change only after a later one was written.
    await late.client.query('begin; select txid_current()')
    await createOne(store, 1)
    assert.deepEqual((await store.readChanges(box, next, 10)).changes, [])
    assert.equal((await store.boxState(BOX.box, 0))?.settled, false)
    await client.query(`set search_path to "${schema}"`)
    await client.query(
      `insert into changes select box, txid_current() * 4096 + 1, 'update', 'late', null, 2, 0 from changes limit 1`
    )
    await client.query('commit')
    await settle(store)
    const { changes } = await store.readChanges(box, next, 10)
    assert.deepEqual(
      changes.map(({ op }) => op),
      ['update', 'create']
    )
  })

  test('numbers go on growing when the data moves between engines', async () => {
    using folder = temporaryFolder()
    using second = temporaryFolder()
    await using server = await temporaryDatabase()
    const file = (path: string): DatabaseLocation => ({
      engine: 'sqlite',
      file: `${path}/boxes.sqlite`,
      durable: false
    })
    const onServer: DatabaseLocation = {
      engine: 'postgres',
      url: server.url,
      schema: 'nonet_boxes',
      durable: false
    }
    const storages: Storage[] = [
      { folder: folder.path, database: undefined, ephemeral: false },
      { folder: folder.path, database: server.url, ephemeral: false },
      { folder: second.path, database: undefined, ephemeral: false }
    ]
    const places = [file(folder.path), onServer, file(second.path)]
    let since: number | undefined
    let count = 0
    for (const [step, place] of places.entries()) {
      const from = storages[step - 1]
      const to = storages[step]
      if (from !== undefined && to !== undefined) await copy(from, to, quiet)
      await using opened = await open(place)
      const { database, store } = opened
      await createOne(store, step)
      count += 1
      const box = await pkOf(store)
      const page = await store.readChanges(box, since, 10)
      assert.equal(page.forgotten, false)
      assert.equal(page.changes.length, 1, `step ${step}`)
      assert.equal((await store.readChanges(box, undefined, 10)).changes.length, count)
      since = page.next
      const feeds = await database.read(() => query<{ base: number }>('select base from feed'))
      assert.equal(feeds.length, 1)
    }
  })
}

for (const engine of ENGINES) {
  test(`boxes of before have their records, and a log from now on, on ${engine}`, async () => {
    await using place = temporaryPlace(engine)
    const old = await openDatabase(place, { service: 'boxes', migrations: migrations.slice(0, 1) })
    await old.write(function* () {
      yield* query("insert into boxes (pk, id, created) values (7, 'logged', 1000)")
      const doc = engine === 'sqlite' ? "jsonb('{}')" : "'{}'"
      yield* query(
        `insert into records (box, id, created, raw, doc) values (7, '${'a'.repeat(24)}', 1000, '{"a": 1.0}', ${doc})`
      )
    })
    await old.close()
    await using opened = await open(place)
    const { store } = opened
    assert.equal((await store.find(BOX.box, 'a'.repeat(24), undefined))?.raw, '{"a": 1.0}')
    const before = await store.readChanges(7, undefined, 10)
    assert.deepEqual([before.changes, before.forgotten], [[], false])
    await store.replace(content(1), { ...BOX, id: 'a'.repeat(24) })
    await createOne(store, 2)
    await settle(store)
    const { changes, forgotten } = await store.readChanges(7, before.next, 10)
    assert.equal(forgotten, false)
    assert.deepEqual(
      changes.map(({ op }) => op),
      ['update', 'create']
    )
  })
}
