/** Declared indexes: the same answers as without them, and true whatever happens. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database, Engine } from '../../src/kernel/database/database.ts'
import { type DatabaseLocation, openDatabase } from '../../src/kernel/database/open.ts'
import { query } from '../../src/kernel/database/transaction.ts'
import { createObjectIdGenerator } from '../../src/kernel/object-id.ts'
import { boxes as service } from '../../src/services/boxes/index.ts'
import { findByIndex, slicesOfFound } from '../../src/services/boxes/list/index-scan.ts'
import { listRecords } from '../../src/services/boxes/list/list.ts'
import { createScanBudget } from '../../src/services/boxes/list/scan-budget.ts'
import type { Filter } from '../../src/services/boxes/query/filter.ts'
import { entriesOf } from '../../src/services/boxes/query/index-key.ts'
import { parseQ } from '../../src/services/boxes/query/q-syntax.ts'
import { parseSort } from '../../src/services/boxes/query/sort-syntax.ts'
import { parseWhere } from '../../src/services/boxes/query/where-syntax.ts'
import { pathNumber } from '../../src/services/boxes/store/entries.ts'
import { type BoxIndex, rulesOf } from '../../src/services/boxes/store/rules.ts'
import { type BoxStore, boxStore } from '../../src/services/boxes/store/store.ts'
import { parseQueryCopy } from '../../src/services/boxes/text/query-copy.ts'
import { readBody } from '../../src/services/boxes/text/record-text.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryDatabase, temporaryPlace } from '../support/engines.ts'
import { launchNonet, temporaryFolder } from '../support/launcher.ts'
import { createRandom, type Random } from '../support/random.ts'
import { createFilters } from './boxes-filters.ts'
import { createGenerator } from './boxes-records.ts'

/** Three of four are `where`, the fourth is `q` (see boxes-filters.ts). */
const FILTERS: Readonly<Record<Engine, number>> = {
  sqlite: EFFORT > 1 ? 5200 : 800,
  postgres: EFFORT > 1 ? 5200 : 200
}
const RECORDS = 150
const KILLS = EFFORT > 1 ? 10 : 2
const PATHS = [['a'], ['b'], ['n'], ['tags'], ['a', 'b'], ['a', '0'], ['a.b'], ['é'], ['0']]

const now = () => new Date()
const access = { box: 'indexed', key: undefined }

async function open(place: DatabaseLocation): Promise<{ database: Database; store: BoxStore }> {
  const database = await openDatabase(place, {
    service: 'boxes',
    migrations: service.migrations ?? []
  })
  return { database, store: boxStore(database, createObjectIdGenerator(now), now) }
}

async function declareAll(store: BoxStore, paths: readonly string[][]): Promise<BoxIndex[]> {
  for (const path of paths) await store.addIndex(access, path)
  for (;;) {
    const indexes = await store.readIndexes(access)
    if (indexes.every(({ ready }) => ready)) return [...indexes]
    await wait(5)
  }
}

async function storeAll(store: BoxStore, texts: readonly string[]): Promise<string[]> {
  const contents = texts.flatMap((text) => readBody(text).records)
  const ids: string[] = []
  for (let from = 0; from < contents.length; from += 50) {
    const some = contents.slice(from, from + 50)
    const collection = from % 100 === 0 ? undefined : 'people'
    ids.push(...(await store.create({ ...access, collection, contents: some })).ids)
  }
  return ids
}

/** Exactly the entries that the records have: no more, no fewer. */
async function assertTrue(database: Database): Promise<number> {
  const boxes = await database.read(() =>
    query<{ pk: number; settings: string }>(
      'select pk, settings from boxes where settings is not null'
    )
  )
  let count = 0
  for (const { pk: box, settings } of boxes) {
    const { indexes = [] } = rulesOf(settings)
    const records = await database.read(() =>
      query<{ pk: number; raw: string }>('select pk, raw from records where box = ?', box)
    )
    const entries = await database.read(() =>
      query<{ path: number; key: Uint8Array; rec: number }>(
        'select path, key, rec from entries where box = ?',
        box
      )
    )
    const nameOf = (path: number, key: Uint8Array, rec: number) =>
      `${path} ${Buffer.from(key).toString('hex')} ${rec}`
    const wanted = records.flatMap(({ pk, raw }) =>
      indexes.flatMap(({ number, path }) =>
        entriesOf(parseQueryCopy(raw), path).map(({ flavour, key }) =>
          nameOf(pathNumber(number, flavour), key, pk)
        )
      )
    )
    const found = entries.map(({ path, key, rec }) => nameOf(path, key, rec))
    assert.deepEqual(found.sort(), wanted.sort())
    count += found.length
  }
  return count
}

async function ask(
  store: BoxStore,
  box: number,
  indexes: readonly BoxIndex[],
  filter: Filter | undefined,
  sort: string | undefined,
  more: { collection?: string; skip?: number; limit?: number; count?: boolean } = {}
) {
  const scope = { box, collection: more.collection, visibleAt: undefined }
  const question = {
    ...{ scope, indexes, filter, sort: parseSort(sort), after: undefined },
    ...{ skip: more.skip ?? 0, limit: more.limit ?? 1000 }
  }
  const pace = createScanBudget(60_000)
  const { rows, total } = await listRecords(store.scan, question, more.count === true, pace)
  const isUsed = (await findByIndex(store.scan, question)) !== undefined
  return { ids: rows.map(({ id }) => id), total, isUsed }
}

function createQuestions(random: Random) {
  const { where, q } = createFilters(random, createGenerator(random))
  return (n: number): [string, Filter] => {
    const text = n % 4 === 0 ? q() : where()
    return [text, n % 4 === 0 ? parseQ([text]) : parseWhere(text)]
  }
}

for (const engine of ENGINES) {
  describe(`declared indexes, on ${engine}`, { timeout: 300_000 }, () => {
    const filters = FILTERS[engine]
    const orders = filters / 10
    test(`${filters} filters and ${orders} orders are answered alike with them and without`, async (t) => {
      await using place = temporaryPlace(engine)
      const { database, store } = await open(place)
      const random = createRandom(31)
      const generator = createGenerator(random)
      const texts = Array.from({ length: RECORDS }, generator.record)
      texts.push(`{"a":[${Array.from({ length: 1200 }, (_, n) => n)}]}`)
      texts.push(`{"a":"${'k'.repeat(300)}x"}`, `{"a":"${'k'.repeat(300)}b"}`)
      await storeAll(store, texts)
      const indexes = await declareAll(store, PATHS)
      const { pk } = (await store.boxState(access.box, 0)) ?? assert.fail()
      const question = createQuestions(random)
      const total = { used: 0, found: 0 }
      for (let n = 0; n < filters; n++) {
        const [text, filter] = question(n)
        const sort = n % 5 === 0 ? random.pick(['a', '-a', 'b,-a', '-_updatedOn']) : undefined
        const [plain, indexed] = [
          await ask(store, pk, [], filter, sort, { count: n % 7 === 0 }),
          await ask(store, pk, indexes, filter, sort, { count: n % 7 === 0 })
        ]
        assert.deepEqual(indexed.ids, plain.ids, text)
        assert.equal(indexed.total, plain.total, text)
        if (indexed.isUsed) total.used += 1
        if (indexed.isUsed && plain.ids.length > 0) total.found += 1
      }
      for (let n = 0; n < orders; n++) {
        const sort = `${random.pick(['', '-'])}${random.pick(['a', 'b', 'n', 'tags', 'a.b', 'a\\.b'])}`
        const collection = n % 3 === 0 ? { collection: 'people' } : {}
        const more = { ...collection, skip: random.below(30), limit: 1 + random.below(400) }
        const [plain, indexed] = [
          await ask(store, pk, [], undefined, sort, more),
          await ask(store, pk, indexes, undefined, sort, more)
        ]
        assert.deepEqual(indexed.ids, plain.ids, `${sort} ${JSON.stringify(more)}`)
      }
      t.diagnostic(JSON.stringify({ filters, ...total }))
      assert.ok(total.used > filters / 5, 'a fifth of the filters use an index')
      assert.ok(total.found > filters / 10)
      await database.close()
    })

    test('records that an index finds are read once, whatever the size of slices', async () => {
      await using place = temporaryPlace(engine)
      const { database, store } = await open(place)
      const ids = await storeAll(
        store,
        Array.from({ length: 40 }, (_, n) => `{"n":${n}}`)
      )
      const { pk: box } = (await store.boxState(access.box, 0)) ?? assert.fail()
      const question = {
        scope: { box, collection: undefined, visibleAt: undefined },
        ...{ indexes: [], filter: undefined, sort: parseSort('n'), after: undefined },
        ...{ skip: 0, limit: 1000 }
      }
      const { rows } = await listRecords(store.scan, question, false, createScanBudget(60_000))
      const budget = {
        ...createScanBudget(60_000),
        slice: 12,
        async yieldToEventLoop() {
          this.slice = this.slice === 12 ? 3 : 12
        }
      }
      const found = rows.map(({ pk }) => pk)
      for await (const slice of slicesOfFound(store.scan, question, found, budget)) {
        assert.deepEqual(
          slice.map(({ id }) => id),
          ids
        )
      }
      await database.close()
    })

    test('writers keep an index true while it is built and dropped', async () => {
      await using place = temporaryPlace(engine)
      const { database, store } = await open(place)
      const random = createRandom(32)
      const { record } = createGenerator(random)
      const ids = await storeAll(store, Array.from({ length: 400 }, record))
      const building = declareAll(store, PATHS)
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; n < 25; n++) {
          const id = ids[random.below(ids.length)] ?? ''
          const [content] = readBody(record()).records
          if (content === undefined) assert.fail()
          const target = { ...access, id }
          if (n % 5 === writer % 5) await store.remove(target).catch(ignoreGone)
          else if (n % 2 === 0) await store.replace(content, target).catch(ignoreGone)
          else await store.create({ ...access, collection: undefined, contents: [content] })
          if (n === 12 && writer === 0) await store.dropIndex(access, ['b'])
        }
      })
      await Promise.all([...writers, building])
      for (;;) {
        const [row] = await database.read(() =>
          query<{ settings: string }>('select settings from boxes')
        )
        const { dropped, indexes } = rulesOf(row?.settings ?? null)
        if (dropped === undefined && indexes?.every(({ ready }) => ready)) break
        await wait(10)
      }
      assert.ok((await assertTrue(database)) > 1000)
      const filter = parseWhere('{"a":{"$exists":true}}')
      assert.ok((await store.boxState(access.box, 0)) !== undefined && filter)
      await database.close()
    })

    test(`${KILLS} kills in the middle of writing and building leave it true`, async (t) => {
      using folder = temporaryFolder()
      await using server = engine === 'postgres' ? await temporaryDatabase() : undefined
      const flags = ['boxes', '--no-console', '--quiet', '--data', folder.path]
      if (server !== undefined) flags.push('--database', server.url)
      const random = createRandom(33)
      const { record } = createGenerator(random)
      for (let kill = 0; kill <= KILLS; kill++) {
        const nonet = await launchNonet(flags)
        const url = nonet.ready.services.boxes ?? ''
        if (kill === 0) {
          for (let n = 0; n < 10; n++) {
            const body = `[${Array.from({ length: 100 }, record)}]`
            await fetch(`${url}/indexed`, { method: 'POST', body })
          }
        }
        await fetch(`${url}/_indexes/indexed`, {
          method: 'PUT',
          body: JSON.stringify(kill % 2 === 0 ? ['a', 'n', 'a.b'] : ['a', 'b'])
        })
        let writing = true
        const lanes = Array.from({ length: 12 }, async () => {
          while (writing) await writeOne(url, record).catch(() => undefined)
        })
        await wait(100 + random.below(400))
        process.kill(nonet.ready.pid, 'SIGKILL')
        if (nonet.child.exitCode === null && nonet.child.signalCode === null) {
          await new Promise((resolve) => nonet.child.once('close', resolve))
        }
        writing = false
        await Promise.all(lanes)
      }
      const nonet = await launchNonet(flags)
      const url = nonet.ready.services.boxes ?? ''
      for (;;) {
        const states = (await (await fetch(`${url}/_indexes/indexed`)).json()) as {
          state: string
        }[]
        if (states.every(({ state }) => state === 'ready')) break
        await wait(20)
      }
      await nonet.end()
      const { database } = await open(placeAt(engine, folder.path, server?.url))
      // What the last start dropped may still be on its way out.
      const store = boxStore(database, createObjectIdGenerator(now), now)
      await store.finishIndexes()
      t.diagnostic(`${await assertTrue(database)} entries`)
      await database.close()
    })
  })
}

function placeAt(engine: Engine, folder: string, url = ''): DatabaseLocation {
  return engine === 'sqlite'
    ? { engine, file: `${folder}/boxes.sqlite`, durable: true }
    : { engine, url, schema: 'nonet_boxes', durable: true }
}

function ignoreGone(error: { statusCode?: number }): void {
  if (error.statusCode !== 400) throw error
}

async function writeOne(url: string, record: () => string): Promise<void> {
  const answer = await fetch(`${url}/indexed`, { method: 'POST', body: record() })
  const { _id } = (await answer.json()) as { _id: string }
  await fetch(`${url}/indexed/${_id}`, { method: 'PUT', body: record() })
  const type = 'application/merge-patch+json'
  await fetch(`${url}/indexed/${_id}`, {
    method: 'PATCH',
    headers: { 'content-type': type },
    body: record()
  })
  if (_id.endsWith('0')) await fetch(`${url}/indexed/${_id}`, { method: 'DELETE' })
}
