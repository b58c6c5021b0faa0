import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { start } from '../../src/host/start.ts'
import type { Database, Engine } from '../../src/kernel/database/database.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { query } from '../../src/kernel/database/transaction.ts'
import { createFiles } from '../../src/kernel/files/files.ts'
import { openFileFolder } from '../../src/kernel/files/folder.ts'
import { createImages } from '../../src/kernel/images/images.ts'
import { createPosting } from '../../src/services/statuses/posting/create-posting.ts'
import { migrations } from '../../src/services/statuses/store/migrations.ts'
import { statusStore } from '../../src/services/statuses/store/store.ts'
import { ADA, imageForm, PIXEL, post, siteOf } from '../contract/statuses-site.ts'
import { ENGINES, temporaryPlace } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'

const DAY_MS = 24 * 3_600_000
const START = Date.parse('2026-05-01T12:00:00.000Z')

/** Posting on tables of its own, with a clock that tests set. */
async function openPosting(engine: Engine) {
  const stack = new AsyncDisposableStack()
  const place = stack.use(temporaryPlace(engine))
  const folder = stack.use(temporaryFolder())
  const clock = { time: START }
  const now = () => new Date(clock.time)
  const files = createFiles(openFileFolder(folder.path, { durable: true }))
  const databases: Database[] = []

  /** As another process, or as one after a restart. */
  async function open() {
    const database = await openDatabase(place, { service: 'statuses', migrations })
    databases.push(database)
    const store = statusStore(database, now, () => undefined)
    const images = async () => createImages()
    const context = { kernel: { files, now }, options: { maxTextLength: 100 }, store, images }
    return { database, store, posting: createPosting(context) }
  }

  stack.defer(async () => {
    for (const database of databases) await database.close()
  })
  const first = await open()
  await first.store.importAccount({ account: ADA, newAccount: false, dryRun: false })
  const closeAll = async () => {
    for (const database of databases.splice(0)) await database.close()
  }
  return { ...first, clock, open, closeAll, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const text = (value: string) => ({ text: value, media: [] })
const isSorted = (ids: readonly string[]) =>
  ids.every((id, index) => index === 0 || BigInt(ids[index - 1] ?? '') < BigInt(id))

for (const engine of ENGINES) {
  describe(`Posting in tables, on ${engine}`, () => {
    test('ids never go back with the clock, nor after a restart, nor between processes', async () => {
      await using home = await openPosting(engine)
      const { clock, closeAll, open } = home
      const ids: string[] = []
      const add = async ({ posting }: Pick<typeof home, 'posting'>) => {
        const { record } = await posting.create('12', text(`Post ${ids.length}`))
        ids.push(record.id)
        return record
      }
      const first = await add(home)
      assert.equal(first.createdAt, '2026-05-01T12:00:00.000Z')
      assert.equal(BigInt(first.id) >> 22n, BigInt(START) - 1288834974657n)
      clock.time = START - DAY_MS
      assert.equal((await add(home)).createdAt, first.createdAt)
      await closeAll()
      clock.time = START - 2 * DAY_MS
      const restarted = await open()
      await add(restarted)
      if (engine === 'postgres') {
        const other = await open()
        for (const one of [other, restarted, restarted, other]) await add(one)
        const together = await Promise.all(
          [other, restarted, other, restarted].map(({ posting }) =>
            posting.create('12', text('together'))
          )
        )
        assert.equal(new Set(together.map(({ record }) => record.id)).size, 4)
        assert.ok(together.every(({ record }) => BigInt(record.id) > BigInt(ids.at(-1) ?? '')))
      }
      assert.ok(isSorted(ids), ids.join(' '))
      const { posts } = await restarted.posting.list('12', { limit: 100 })
      const listed = posts.map(({ id }) => id)
      assert.ok(isSorted(listed.toReversed()), 'lists have the order of the ids')
      clock.time = START + 1
      assert.equal((await add(restarted)).createdAt, '2026-05-01T12:00:00.001Z')
    })

    test('a deleted post is restored within a day and erased after it', async () => {
      await using home = await openPosting(engine)
      const { posting, store, database, clock } = home
      const file = await posting.addImage(Readable.from([Buffer.from(PIXEL)]))
      const { record } = await posting.create(
        '12',
        { text: 'zanzibar', media: [{ file, alt: 'zanzibar' }], lang: 'en' },
        { key: 'zanzibar', fingerprint: 'a' }
      )
      const { id } = record
      await posting.change('12', id, { media: [{ id: file.hash, alt: 'A zanzibar' }] })
      const removed = await posting.remove('12', id)
      assert.deepEqual(
        [removed?.visibility, removed?.restorableUntil],
        ['deleted', '2026-05-02T12:00:00.000Z']
      )
      clock.time += DAY_MS - 1
      const again = await posting.remove('12', id)
      assert.equal(again?.restorableUntil, removed?.restorableUntil, 'not later by a second delete')
      const restored = await posting.change('12', id, { visibility: 'hidden' })
      assert.deepEqual(
        [restored?.visibility, restored?.text, restored?.media[0]?.alt, restored?.deletedAt],
        ['hidden', 'zanzibar', 'A zanzibar', undefined]
      )
      await posting.remove('12', id)
      clock.time += DAY_MS
      assert.equal(await posting.find('12', id), undefined)
      assert.deepEqual((await posting.list('12', { limit: 9, visibility: 'deleted' })).posts, [])
      assert.equal(await posting.change('12', id, { visibility: 'public' }), undefined)
      await store.erasePosts()
      const stored = await database.read(function* () {
        const tables = ['posts', 'media', 'edits', 'post_keys', 'originals', 'texts', 'months']
        const rows: object[] = []
        for (const table of tables) rows.push(...(yield* query(`select * from ${table}`)))
        return rows
      })
      assert.equal(stored.length, 1, 'only the row that keeps the id')
      assert.doesNotMatch(JSON.stringify(stored), /zanzibar/i)
      const [count] = await database.read(() => query<{ refs: number }>('select refs from files'))
      assert.equal(count?.refs, 0)
      const imported = post(id, { text: 'zanzibar', source: 'local' })
      assert.deepEqual(await store.importPosts('12', [imported], false), ['unchanged'])
      assert.equal(await posting.find('12', id), undefined)
    })

    test('an imported id that no other can follow does not end posting', async () => {
      await using home = await openPosting(engine)
      const { posting, store } = home
      const last = '9223372036854775807'
      const createdAt = '2080-07-10T17:30:30.208Z'
      const imported = post(last, { source: 'local', createdAt })
      assert.deepEqual(await store.importPosts('12', [imported], false), ['added'])
      const first = await posting.create('12', text('First'))
      const second = await posting.create('12', text('Second'))
      assert.equal(first.record.createdAt, '2026-05-01T12:00:00.000Z')
      assert.ok(isSorted([first.record.id, second.record.id, last]))
    })

    test('processes that get one Idempotency-Key at the same time post once', async () => {
      await using home = await openPosting(engine)
      const both = engine === 'postgres' ? [home, await home.open()] : [home]
      for (let round = 0; round < 10; round++) {
        const once = { key: `k${round}`, fingerprint: 'a' }
        const outcomes = await Promise.all(
          [...both, ...both].map(({ posting }) => posting.create('12', text(once.key), once))
        )
        assert.equal(new Set(outcomes.map(({ record }) => record.id)).size, 1)
        assert.equal(outcomes.filter(({ isReplayed }) => !isReplayed).length, 1)
      }
      assert.equal((await home.posting.list('12', { limit: 100 })).posts.length, 10)
    })

    test('an Idempotency-Key counts for a day and for one account', async () => {
      await using home = await openPosting(engine)
      const { posting, store, clock } = home
      const other = { ...ADA, id: '13', userName: 'bob' }
      await store.importAccount({ account: other, newAccount: false, dryRun: false })
      const once = { key: 'k', fingerprint: 'a' }
      const create = async (account: string) => {
        const { record, isReplayed } = await posting.create(account, text('Once'), once)
        return { id: record.id, isReplayed, record }
      }
      const first = await create('12')
      const together = await Promise.all([create('13'), create('13'), create('13')])
      assert.equal(new Set(together.map(({ id }) => id)).size, 1)
      assert.equal(together.filter(({ isReplayed }) => isReplayed).length, 2)
      await posting.change('12', first.id, { visibility: 'hidden' })
      const again = await create('12')
      assert.ok(again.isReplayed)
      assert.deepEqual(JSON.stringify(again.record), JSON.stringify(first.record))
      await assert.rejects(
        posting.create('12', text('Other'), { key: 'k', fingerprint: 'b' }),
        /other content/
      )
      clock.time += DAY_MS
      assert.equal((await create('12')).isReplayed, false)
    })
  })
}

test('posts that cannot be erased do not keep the pages from being shown', async () => {
  using folder = temporaryFolder()
  const options = { services: ['statuses'], data: folder.path } as const
  const path = await (async () => {
    await using nonet = await start(options)
    const site = siteOf(nonet)
    const account = await site.account()
    await site.posts(account, post('20'), post('21'))
    const { secret } = await site.token()
    await site.own(secret, { method: 'DELETE', path: '/api/statuses/21' })
    return '/ada/status/20'
  })()
  const tables = new DatabaseSync(join(folder.path, 'statuses.sqlite'))
  tables.exec(`update posts set deleted_at = '2001-01-01T00:00:00.000Z' where id = '21';
    create trigger unwritable before update on posts begin select raise(abort, 'unwritable'); end`)
  tables.close()
  await using nonet = await start(options)
  assert.equal((await siteOf(nonet).ask(path)).status, 200)
})

test('images for which the disk has no space are rejected with 507, and leave nothing', {
  skip: !CAN_MOUNT && 'needs root on Linux'
}, async () => {
  using disk = smallDisk(40)
  await using nonet = await start({ services: ['statuses'], data: disk.path })
  const site = siteOf(nonet)
  await site.account()
  const { secret } = await site.token()
  const large = Buffer.concat([PIXEL, Buffer.alloc(15 * 1024 * 1024)])
  const body = imageForm({ text: 'Large' }, [large, 'A'], [large, 'B'], [large, 'C'])
  const { status, text: answer } = await site.own(secret, { method: 'POST', body })
  assert.equal(status, 507, answer)
  assert.deepEqual(readdirSync(join(disk.path, 'statuses', 'incoming')), [])
  const { status: next } = await site.own(secret, { method: 'POST', body: { text: 'Small' } })
  assert.equal(next, 201)
})
