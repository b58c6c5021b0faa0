/**
 * What a reader of changes sees while transactions stay open on the same server: those that cannot
 * write the log hold nothing back, and those that can are waited for.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type pg from 'pg'
import { type Nonet, start } from '../../src/host/start.ts'
import { inUseLockKey } from '../../src/kernel/database/in-use-lock.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { type Boxes, talkTo } from '../contract/boxes-scene.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { openStream } from '../support/open-stream.ts'

interface Page {
  seq: number
  changes: { seq: number; op: string; _id: string }[]
}

interface Held extends AsyncDisposable {
  readonly client: pg.Client
}

/** A transaction that has its number and goes on; of a writer of the schema, if one is named. */
async function holdTransaction(url: string, schema?: string): Promise<Held> {
  const client = await connectPostgres({ url })
  if (schema !== undefined) {
    await client.query(`select pg_advisory_lock_shared(${inUseLockKey(schema)})`)
    await client.query(`set search_path to "${schema}"`)
  }
  await client.query('begin; select txid_current()')
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

/** A database of its own has one schema of boxes. */
async function findSchema(url: string): Promise<string> {
  const client = await connectPostgres({ url })
  const { rows } = await client.query(
    "select table_schema as name from information_schema.tables where table_name = 'changes'"
  )
  await client.end()
  return rows[0].name
}

const idsOf = ({ changes }: Page) => changes.map(({ _id }) => _id)

describe('changes beside other transactions', { skip: !ENGINES.includes('postgres') }, () => {
  let database: Awaited<ReturnType<typeof temporaryDatabase>>
  let elsewhere: Awaited<ReturnType<typeof temporaryDatabase>>
  let nonet: Nonet<'boxes'>
  let boxes: Boxes
  let schema: string
  before(async () => {
    database = await temporaryDatabase()
    elsewhere = await temporaryDatabase()
    nonet = await start({ services: ['boxes'], database: database.url })
    boxes = talkTo(nonet.boxes.url)
    schema = await findSchema(database.url)
  })
  after(async () => {
    await nonet.stop()
    await database[Symbol.asyncDispose]()
    await elsewhere[Symbol.asyncDispose]()
  })

  const foreign = {
    'the same database': () => holdTransaction(database.url),
    'another database': () => holdTransaction(elsewhere.url),
    'a schema of this name in another database': () => holdTransaction(elsewhere.url, schema)
  }
  for (const [index, [where, hold]] of Object.entries(foreign).entries()) {
    const box = `beside${index}`
    const pageOf = (query = '') => boxes.get<Page>(`/_changes/${box}${query}`)

    test(`a transaction in ${where} holds no change back`, async () => {
      const before = await boxes.store(`/${box}`, '{"n":0}')
      await using _held = await hold()
      const { _id } = await boxes.store(`/${box}`, '{"n":1}')
      assert.deepEqual(idsOf(await pageOf()), [before._id, _id])
      const { seq } = await pageOf('?since=now')
      const [, written] = (await pageOf()).changes
      assert.equal(seq, written?.seq)
      const waiting = pageOf(`?since=${seq}&wait=60`)
      using stream = await openStream(`${boxes.url}/${box}`, { accept: 'text/event-stream' })
      assert.equal((await stream.next())?.id, String(seq))
      const next = await boxes.store(`/${box}`, '{"n":2}')
      assert.deepEqual(idsOf(await waiting), [next._id])
      assert.equal(JSON.parse((await stream.next())?.data ?? '{}')._id, next._id)
      await boxes.ask(`PUT /${box}/${_id}`, '{"n":3}')
      assert.equal(JSON.parse((await stream.next())?.data ?? '{}').op, 'update')
    })

    test(`a transaction in ${where} changes no tag of a list`, async () => {
      const list = `GET /${box}?fields=n`
      const statusWith = async (tag: string) =>
        (await boxes.ask(list, undefined, { 'if-none-match': tag })).status
      await boxes.store(`/${box}`, '{"n":4}')
      const during = await (async () => {
        await using _held = await hold()
        await boxes.store(`/${box}`, '{"n":5}')
        const tag = (await boxes.ask(list)).headers.get('etag') ?? ''
        assert.equal(await statusWith(tag), 304)
        return tag
      })()
      assert.equal(await statusWith(during), 304)
    })
  }

  test('a change is told after an older one that is under way, which keeps no reader for ever', async () => {
    const before = await boxes.store('/ordered', '{"n":0}')
    const { seq } = await boxes.get<Page>('/_changes/ordered')
    const since = `ordered?since=${seq}`
    await using late = await holdTransaction(database.url, schema)
    const { _id } = await boxes.store('/ordered', '{"n":1}')
    using stream = await openStream(`${boxes.url}/${since}`, { accept: 'text/event-stream' })
    assert.equal((await stream.next())?.id, String(seq))
    const none = await boxes.get<Page>(`/_changes/${since}`)
    assert.deepEqual(none, { seq, changes: [], more: false })
    const asked = boxes.get<Page>(`/_changes/${since}`)
    await late.client.query(
      `insert into changes select box, txid_current() * 4096 + 1, 'update', id, null, 2, 0 from changes where id = '${before._id}'`
    )
    await late.client.query('commit')
    assert.deepEqual(idsOf(await asked), [before._id, _id])
    const told = [await stream.next(), await stream.next()]
    assert.deepEqual(
      told.map((event) => JSON.parse(event?.data ?? '{}')._id),
      [before._id, _id]
    )
  })

  test('a tag made from rows stands for one list', async () => {
    const { _id } = await boxes.store('/tagged/people', '{"a":1,"b":1}')
    await using _held = await holdTransaction(database.url, schema)
    await boxes.ask(`PUT /tagged/${_id}`, '{"a":2,"b":2}')
    const { text } = await boxes.ask('GET /_export/tagged')
    await boxes.ask('POST /_import/copied', text, { 'content-type': 'application/x-ndjson' })
    const first = await boxes.ask('GET /tagged?fields=a')
    const tag = { 'if-none-match': first.headers.get('etag') ?? '' }
    assert.equal((await boxes.ask('GET /tagged?fields=a', undefined, tag)).status, 304)
    for (const other of [
      'tagged',
      'tagged?fields=b',
      'tagged/people?fields=a',
      'copied?fields=a'
    ]) {
      assert.equal((await boxes.ask(`GET /${other}`, undefined, tag)).status, 200, other)
    }
  })
})
