/** Scheduled publishing by real processes that are killed or share a database. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type ContentBoard, contentBoard } from '../contract/cards-content-board.ts'
import { type CardsJson, type Site, siteOf } from '../contract/cards-site.ts'
import { type DeliveryReceiver, openReceiver, until } from '../support/delivery-receiver.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { type Launched, launchNonet, temporaryFolder } from '../support/launcher.ts'

const CARDS = 8
const PATH = '/events'
/** For the requests that schedule the cards, at least. */
const LEAD_MS = 4_000
/** Scheduling takes two requests for each card, adding takes one. */
const LEAD_OF_ADDING = 4
/**
 * A job of a process that was killed has a lease of 20 s on PostgreSQL, jobs are looked for every
 * 5 s, and a delivery that fails is made again after up to 33 s.
 */
const MAX_WAIT_MS = 75_000
const ENV = { NONET_SECRET_KEY: '5'.repeat(64) }

function siteAt({ ready }: Launched): Site {
  const { services, console, token } = ready
  return siteOf({
    cards: { url: services.cards ?? '' },
    console: { url: console ?? '', ...(token !== undefined && { token }) }
  } as Parameters<typeof siteOf>[0])
}

interface Scheduled {
  id: string
  revision: number
  actions: number
}

/** Drafts of which the first is due at `start`, and each further one `step` ms later. */
async function scheduleAll(
  board: ContentBoard,
  start: number,
  step: number,
  ids: readonly string[]
): Promise<Scheduled[]> {
  const rows: Scheduled[] = []
  for (const [index, id] of ids.entries()) {
    const publishAt = new Date(start + index * step).toISOString()
    const { status, text } = await board.patch(`/cards/${id}`, { publishAt })
    assert.equal(status, 200, text)
    rows.push({ id, revision: JSON.parse(text).revision, actions: await countActions(board, id) })
  }
  assert.ok(Date.now() < start, 'all were scheduled in time')
  return rows
}

async function countActions({ site, token }: ContentBoard, id: string): Promise<number> {
  return (await site.json(`/cards/${id}/actions?filter=all`, { token })).length
}

/** Drafts, and the time they can be due. */
async function addDrafts(board: ContentBoard): Promise<{ ids: string[]; start: number }> {
  const begin = Date.now()
  const ids: string[] = []
  for (let number = 0; number < CARDS; number++) {
    ids.push((await board.add({ name: `Card ${number}`, idList: board.lists.draft })).id)
  }
  const end = Date.now()
  return { ids, start: end + Math.max(LEAD_MS, LEAD_OF_ADDING * (end - begin)) }
}

async function addWebhook({ site, id, token }: ContentBoard, { url }: DeliveryReceiver) {
  const body = { idModel: id, callbackURL: url + PATH, events: ['publish', 'unpublish', 'update'] }
  await site.json('/webhooks', { method: 'POST', token, body })
}

/** Ids of the cards that events have published, whatever is delivered twice. */
function publishedBy(receiver: DeliveryReceiver): string[] {
  const events = new Map(
    receiver.received(PATH).map(({ headers, body }) => [headers['webhook-id'], body])
  )
  return [...events.values()].flatMap((body) => {
    const { data } = JSON.parse(body)
    assert.deepEqual(data.unpublished, [])
    assert.deepEqual(data.updated, [])
    return data.published.map(({ id }: CardsJson) => id)
  })
}

async function requireOnce(board: ContentBoard, cards: readonly Scheduled[]): Promise<void> {
  for (const { id, revision, actions } of cards) {
    const card = await board.readJson(`/cards/${id}`)
    assert.equal(card.revision, revision + 1, 'one revision')
    assert.equal(await countActions(board, id), actions + 1, 'one action')
  }
}

const waitForAll = (count: () => Promise<number>, what: string) =>
  until(async () => (await count()) >= CARDS, what, MAX_WAIT_MS)

const countPublic = (board: ContentBoard) => async () => (await board.readJson('/cards')).total

test('two processes on PostgreSQL publish each card once, with one event', async () => {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await temporaryDatabase())
  const receiver = stack.use(await openReceiver())
  const sites: Site[] = []
  for (let number = 0; number < 2; number++) {
    const data = stack.use(temporaryFolder()).path
    const args = ['cards', '--data', data, '--database', url]
    sites.push(siteAt(stack.use(await launchNonet(args, { env: ENV }))))
  }
  const [first] = sites
  const board = await contentBoard(first ?? assert.fail())
  await addWebhook(board, receiver)
  const { ids, start } = await addDrafts(board)
  const cards = await scheduleAll(board, start, 0, ids)
  await waitForAll(countPublic(board), 'the publication of all cards')
  await until(() => publishedBy(receiver).length >= CARDS, 'the event')
  await setTimeout(2_500)
  assert.deepEqual(publishedBy(receiver).sort(), ids.sort())
  assert.equal(receiver.received(PATH).length, 1)
  await requireOnce(board, cards)
})

/** Side by side, because PostgreSQL waits for the end of a lease. */
describe('scheduled publishing', { concurrency: true }, () => {
  for (const engine of ENGINES) {
    test(`a process that is killed around the time publishes each card once, on ${engine}`, async () => {
      await using stack = new AsyncDisposableStack()
      const database = engine === 'postgres' ? stack.use(await temporaryDatabase()).url : undefined
      const receiver = stack.use(await openReceiver())
      const data = stack.use(temporaryFolder()).path
      const storage = database === undefined ? [] : ['--database', database]
      const launch = async () =>
        stack.use(await launchNonet(['cards', '--data', data, ...storage], { env: ENV }))
      let nonet = await launch()
      let board = await contentBoard(siteAt(nonet))
      await addWebhook(board, receiver)
      const { ids, start } = await addDrafts(board)
      const cards = await scheduleAll(board, start, 100, ids)
      await setTimeout(start + 250 - Date.now())
      await nonet.end('SIGKILL')
      nonet = await launch()
      board = { ...board, ...(await reopen(board, siteAt(nonet))) }
      await waitForAll(countPublic(board), 'the publication of all cards')
      await waitForAll(async () => publishedBy(receiver).length, 'the events of all cards')
      await setTimeout(300)
      assert.deepEqual(publishedBy(receiver).sort(), [...ids].sort())
      await requireOnce(board, cards)
    })
  }
})

/** The same board of another process. */
async function reopen(board: ContentBoard, site: Site): Promise<Partial<ContentBoard>> {
  const path = `/content/${board.slug}`
  const readJson = async (below = '/cards', token = board.key): Promise<CardsJson> => {
    const { status, text } = await site.ask(path + below, { token })
    assert.equal(status, 200, text)
    return JSON.parse(text)
  }
  return { site, readJson }
}
