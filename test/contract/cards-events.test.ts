/** Events of publication, as webhooks with `events` get them. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type Nonet, start } from '../../src/host/start.ts'
import type { Engine } from '../../src/kernel/database/database.ts'
import { exportCards, importCards } from '../support/cards-import.ts'
import { type DeliveryReceiver, openReceiver, until } from '../support/delivery-receiver.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { withoutPause } from '../support/pauses.ts'
import { type ContentBoard, contentBoard } from './cards-content-board.ts'
import { type CardsJson, siteOf } from './cards-site.ts'

/** Longer than the time without a change after which an event is sent. */
const QUIET_MS = 2_600
/** Changes that are one event follow each other sooner. */
const BURST_MS = 1_500
/** The tests of both engines make their requests at the same time. */
const MAX_WAIT_MS = 60_000

let paths = 0

interface Watched extends ContentBoard {
  path: string
  /** The next events: types with the titles of the cards of each list. */
  next: (count?: number) => Promise<string[]>
}

function told({ type, data }: CardsJson): string {
  const lists = ['published', 'unpublished', 'updated'].map((name) =>
    data[name].map(({ title }: CardsJson) => title).join(' ')
  )
  return [type, ...lists].join('|')
}

type Step = (board: ContentBoard, card: string) => Promise<unknown>

const put = ({ site, token }: ContentBoard, path: string, body: object) =>
  site.json(path, { method: 'PUT', body, token })
const move =
  (list: 'draft' | 'published'): Step =>
  (board, card) =>
    board.change(card, { idList: board.lists[list] })
const changed =
  (fields: object): Step =>
  (board, card) =>
    board.change(card, fields)
const closeList =
  (closed: boolean): Step =>
  (board) =>
    put(board, `/lists/${board.lists.published}`, { closed })
const setRole =
  (role: string): Step =>
  (board) =>
    board.patch(`/lists/${board.lists.published}`, { role })
const closeBoard =
  (closed: boolean): Step =>
  (board) =>
    put(board, `/boards/${board.id}`, { closed })
const schedule =
  (publishAt: string | null): Step =>
  (board, card) =>
    board.patch(`/cards/${card}`, { publishAt })

const WAYS: readonly [way: string, hide: Step, show: Step][] = [
  ['moving it', move('draft'), move('published')],
  ['the archive', changed({ closed: true }), changed({ closed: false })],
  ['making it a template', changed({ isTemplate: true }), changed({ isTemplate: false })],
  ['closing its list', closeList(true), closeList(false)],
  ['the role of its list', setRole('draft'), setRole('published')],
  ['closing its board', closeBoard(true), closeBoard(false)],
  ['a schedule', schedule('2031-01-01T00:00:00Z'), schedule(null)]
]

interface Watching {
  open: (name: string) => Promise<ContentBoard>
  watch: (board: ContentBoard, events?: readonly string[]) => Promise<Watched>
  receiver: () => DeliveryReceiver
  nonet: () => Nonet<'cards'>
}

/** Runs the tests of both engines side by side, because each waits for seconds. */
function watching(title: string, play: (watching: Watching) => void): void {
  describe(title, { concurrency: true }, () => {
    for (const engine of ENGINES) watchingOn(engine, title, play)
  })
}

function watchingOn(engine: Engine, title: string, play: (watching: Watching) => void): void {
  describe(`${title}, on ${engine}`, { concurrency: true }, () => {
    let nonet: Nonet<'cards'>
    let receiver: DeliveryReceiver

    before(async () => {
      receiver = await openReceiver()
      nonet = await start({ services: ['cards'], ...engineOptions(engine) })
    })
    after(async () => {
      await nonet.stop()
      await receiver.close()
    })

    async function watch(
      board: ContentBoard,
      events: readonly string[] = ['publish', 'unpublish', 'update']
    ): Promise<Watched> {
      const path = `/events-${++paths}`
      const body = { idModel: board.id, callbackURL: receiver.url + path, events }
      await board.site.json('/webhooks', { method: 'POST', token: board.token, body })
      let seen = 0
      return {
        ...board,
        path,
        async next(count = 1) {
          const isThere = () => receiver.received(path).length >= seen + count
          await until(isThere, `${count} events of ${board.slug}`, MAX_WAIT_MS)
          const all = await receiver.arrivals(path, seen + count)
          const bodies = all.slice(seen).map((one) => JSON.parse(one.body))
          seen = all.length
          return bodies.map(told)
        }
      }
    }

    const open = async (name: string) => contentBoard(siteOf(nonet), name)

    play({ open, watch, receiver: () => receiver, nonet: () => nonet })
  })
}

/** One group after the other: requests that must follow each other soon compete with fewer. */
describe('events of publication', () => {
  watching('in time', ({ open, watch, receiver }) => {
    test('changes that follow each other are one event, and nothing in total is none', () =>
      withoutPause(BURST_MS, async () => {
        const empty = await open('Burst')
        await empty.add({ name: 'Old' })
        const board = await watch(empty)
        const first = await board.add({ name: 'First' })
        await board.change(first.id, { desc: 'Text' })
        await board.add({ name: 'Second' })
        const shortly = await board.add({ name: 'Shortly' })
        await board.change(shortly.id, { closed: true })
        assert.deepEqual(await board.next(), ['publish|First Second||'])
        const [event] = receiver().received(board.path)
        const { headers, body } = event ?? assert.fail('no event')
        const { timestamp, data } = JSON.parse(body)
        assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 10_000, timestamp)
        const { revision } = await board.readJson('')
        const { id, slug } = board
        assert.deepEqual(data.board, { id, slug, name: 'Burst', revision })
        assert.deepEqual(data.published[0], {
          ...{ id: first.id, slug: 'first', title: 'First' },
          url: `${board.site.url}/content/${slug}/cards/first`
        })
        assert.deepEqual(data.counts, { published: 2, unpublished: 0, updated: 0 })
        assert.ok(headers['webhook-id'])

        const draft = await board.add({ name: 'Draft', idList: board.lists.draft })
        await board.change(draft.id, { idList: board.lists.published })
        await board.change(draft.id, { idList: board.lists.draft })
        await setTimeout(QUIET_MS)
        await board.change(first.id, { name: 'Renamed' })
        assert.deepEqual(await board.next(), ['update|||Renamed'], 'none before it')
      }))

    test('changes without an end are told after ten seconds', async () => {
      const board = await watch(await open('Endless'))
      const { id } = await board.add({ name: 'Card' })
      const begin = Date.now()
      let [last, longestMs] = [begin, 0]
      while (receiver().received(board.path).length === 0) {
        assert.ok(Date.now() - begin < MAX_WAIT_MS, 'not told')
        await board.change(id, { desc: String(Date.now()) })
        longestMs = Math.max(longestMs, Date.now() - last)
        last = Date.now()
        await setTimeout(400)
      }
      const { timestamp } = JSON.parse(receiver().received(board.path)[0]?.body ?? '')
      const delay = Date.parse(timestamp) - begin
      assert.ok(delay > 8_000 || longestMs > 1_500, 'told too early')
      assert.ok(delay < 14_000 + longestMs, 'not told in time')
      assert.deepEqual((await board.next())[0], 'publish|Card||')
    })

    test('a webhook gets the events it wants, from its creation on', () =>
      withoutPause(BURST_MS, async () => {
        const board = await open('Wanted')
        await board.add({ name: 'Before' })
        const all = await watch(board)
        const unpublish = await watch(board, ['unpublish'])
        const card = await board.add({ name: 'After' })
        assert.deepEqual(await all.next(), ['publish|After||'])
        await board.change(card.id, { closed: true })
        await board.add({ name: 'Another' })
        assert.deepEqual(await all.next(), ['publish|Another|After|'])
        assert.deepEqual(await unpublish.next(), ['unpublish||After|'])
      }))
  })

  watching('of every way', ({ open, watch, nonet }) => {
    for (const [way, hide, show] of WAYS) {
      test(`a card is unpublished and published by ${way}`, async () => {
        const opened = await open('Way')
        const card = await opened.add({ name: 'Card' })
        const board = await watch(opened)
        await hide(board, card.id)
        assert.deepEqual(await board.next(), ['unpublish||Card|'])
        await show(board, card.id)
        assert.deepEqual(await board.next(), ['publish|Card||'])
      })
    }

    test('a card that is added or deleted is an event', async () => {
      const board = await watch(await open('Deleted'))
      const { id } = await board.add({ name: 'Card' })
      assert.deepEqual(await board.next(), ['publish|Card||'])
      await board.site.json(`/cards/${id}`, { method: 'DELETE', token: board.token })
      assert.deepEqual(await board.next(), ['unpublish||Card|'])
    })

    test('a schedule is an event at its time, and a move to another board one on each', async () => {
      const board = await watch(await open('From'))
      const { token, lists, site } = board
      const soon = new Date(Date.now() + 1_500).toISOString()
      const card = await board.add({ name: 'Timed', idList: lists.draft })
      await board.patch(`/cards/${card.id}`, { publishAt: soon })
      assert.deepEqual(await board.next(), ['publish|Timed||'])
      const post = (path: string, body: object) => site.json(path, { method: 'POST', body, token })
      const made = await post('/boards', { name: 'To', defaultLists: false })
      const list = await post('/lists', { name: 'Published', idBoard: made.id })
      const target = await watch({ ...board, id: made.id })
      await board.change(card.id, { idBoard: made.id, idList: list.id })
      assert.deepEqual(await board.next(), ['unpublish||Timed|'])
      assert.deepEqual(await target.next(), ['publish|Timed||'])
    })

    test('an import is an event', async () => {
      const board = await watch(await open('Imported'))
      await board.add({ name: 'Written' })
      await board.add({ name: 'Draft', idList: board.lists.draft })
      assert.deepEqual(await board.next(), ['publish|Written||'])
      const folder = await exportCards(nonet(), board.id)
      const file = join(folder, 'board.json')
      const text = readFileSync(file, 'utf8').replaceAll(board.lists.draft, board.lists.published)
      writeFileSync(file, text.replaceAll('"Written"', '"Rewritten"'))
      await importCards(nonet(), folder)
      assert.deepEqual(await board.next(), ['publish|Draft||Rewritten'])
    })
  })
})
