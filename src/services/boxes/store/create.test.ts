import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Database } from '../../../kernel/database/database.ts'
import { openDatabase } from '../../../kernel/database/open.ts'
import { query } from '../../../kernel/database/transaction.ts'
import { migrations } from './migrations.ts'
import { boxStore } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'nonet-boxes-'))
let database: Database
before(async () => {
  const location = { engine: 'sqlite', file: join(folder, 'boxes.sqlite'), durable: false } as const
  database = await openDatabase(location, { service: 'boxes', migrations })
})
after(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

let serial = 0
const nextId = () => (serial++).toString(16).padStart(24, '0')
const content = { raw: '{"a":1}', doc: '{"a":1}' }

function creation(box: string, key?: string) {
  return { box, collection: undefined, key, contents: [content] }
}

/** A store whose clock returns these times in order and then repeats the last. */
function storeAt(times: number[], ids = nextId) {
  return boxStore(database, ids, () => new Date((times.length > 1 ? times.shift() : times[0]) ?? 0))
}

test('a clock that is set back does not make a record older than the one before', async () => {
  const store = storeAt([5000, 3000, 6000])
  const dates: number[] = []
  for (let n = 0; n < 3; n++) dates.push((await store.create(creation('clock'))).created)
  assert.deepEqual(dates, [5000, 5000, 6000])
})

test('a record is newer than those that were acknowledged before, also in one millisecond', async () => {
  const store = storeAt([5000])
  const create = async () => (await store.create(creation('fast'))).created
  assert.deepEqual([await create(), await create(), await create()], [5000, 5001, 5002])
  assert.deepEqual(await Promise.all([create(), create()]), [5003, 5003])
  const batch = await store.runBatch('fast', undefined, [
    { op: 'create', id: undefined, content, collection: undefined, ttl: undefined }
  ])
  assert.deepEqual([batch[0]?.record?.created, await create()], [5004, 5005])
  const named = await store.createAs('f'.repeat(24), content, creation('fast'))
  assert.deepEqual([named.created, await create()], [5006, 5007])
})

test('the time is at most a second ahead of the clock', async () => {
  const store = storeAt([5000, 4001, 4000, 5000])
  const dates: number[] = []
  for (let n = 0; n < 4; n++) dates.push((await store.create(creation('ahead'))).created)
  assert.deepEqual(dates, [5000, 5001, 5001, 5002])
})

test('nor does it after a restart, or in a protected box', async () => {
  const key = '4fbf7c06-5a3f-4d29-9d8a-1f1f0b8a4e11'
  assert.equal((await storeAt([9000]).create(creation('restarted', key))).created, 9000)
  assert.equal((await storeAt([1000]).create(creation('restarted', key))).created, 9000)
})

test('an update is not older than the version it replaces', async () => {
  const store = storeAt([5000, 3000])
  const { ids } = await store.create(creation('updated'))
  const id = ids[0] ?? ''
  await store.replace(content, { box: 'updated', id, key: undefined })
  assert.equal((await store.find('updated', id, undefined))?.updated, 5000)
})

test('an id that is in use is replaced by another', async () => {
  const ids = ['a'.repeat(24), 'a'.repeat(24), 'b'.repeat(24)]
  const store = storeAt([1000, 1000], () => ids.shift() ?? assert.fail())
  const created = [await store.create(creation('clash')), await store.create(creation('clash'))]
  assert.deepEqual(
    created.map((one) => one.ids),
    [['a'.repeat(24)], ['b'.repeat(24)]]
  )
})

test('a box that was deleted in the database is created again', async () => {
  const store = storeAt([1000, 2000])
  await store.create(creation('gone'))
  await database.write(function* () {
    for (const table of ['records', 'changes']) {
      yield* query(`delete from ${table} where box = (select pk from boxes where id = 'gone')`)
    }
    yield* query("delete from boxes where id = 'gone'")
  })
  const { ids } = await store.create(creation('gone'))
  assert.equal((await store.find('gone', ids[0] ?? '', undefined))?.raw, content.raw)
})
