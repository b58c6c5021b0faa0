import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { watchPauses, withoutPause } from '../support/pauses.ts'
import { type ContentBoard, contentBoard, titles } from './cards-content-board.ts'
import { publicView } from './cards-public-view.ts'
import { type CardsJson, sites } from './cards-site.ts'

/** Time to make requests before a card is due. */
const SOON_MS = 2_000
/** Further time, for as many requests as were made since a time: a busy machine needs more. */
const FURTHER = 2
const MAX_WAIT_MS = 60_000
const LATER = '2031-05-06T07:08:09+02:00'
const LATER_UTC = '2031-05-06T05:08:09.000Z'

function soon(since = Date.now()): string {
  const furtherMs = FURTHER * (Date.now() - since)
  return new Date(Date.now() + SOON_MS + furtherMs).toISOString()
}

async function scheduled(board: ContentBoard, fields: object, publishAt = LATER) {
  const card = await board.add(fields)
  await schedule(board, card.id, publishAt)
  return card
}

async function schedule(board: ContentBoard, card: string, publishAt: string | null) {
  const { status, text } = await board.patch(`/cards/${card}`, { publishAt })
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

/** Resolves when the public sees the card. */
async function published(board: ContentBoard, card: string): Promise<CardsJson> {
  const path = `/cards/${card}`
  await until(async () => (await board.read(path)).status === 200)
  return board.readJson(path)
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + MAX_WAIT_MS
  while (!(await isTrue())) {
    assert.ok(Date.now() < end, 'it lasts too long')
    await setTimeout(30)
  }
}

async function isPublicFile(board: ContentBoard, url: string): Promise<boolean> {
  const { status } = await board.site.ask(url.slice(board.site.url.length))
  assert.ok(status === 200 || status === 404, String(status))
  return status === 200
}

sites('scheduled cards', {}, (site) => {
  test('leave no trace before their time, and are public everywhere within a second after it', async () => {
    const board = await contentBoard(site(), 'Launch')
    const { token } = board
    const visibility = { method: 'PUT', body: { 'prefs/permissionLevel': 'public' }, token }
    await site().json(`/boards/${board.id}`, visibility)
    await board.add({ name: 'Shown', desc: 'Shown text' })
    const before = await publicView(board)
    const unchanged = async (what: string) =>
      assert.deepEqual(await publicView(board), before, what)

    const draft = { name: 'Secret', desc: 'Shown secret', idList: board.lists.draft }
    const { id } = await scheduled(board, draft)
    await unchanged('a draft is scheduled')
    await board.addImage(id)
    await schedule(board, id, '2030-01-01T00:00Z')
    await unchanged('the time is changed')
    await schedule(board, id, null)
    await unchanged('the schedule is removed')
    await schedule(board, id, LATER)
    await board.change(id, { idList: board.lists.published, pos: 'top' })
    await unchanged('the card is moved to a published list')
    const { url } = (await board.readJson(`/cards/${id}`, token)).images[0]
    await board.change(id, { name: 'Secret plan', idList: board.lists.draft })
    await board.change(id, { idList: board.lists.published })
    await unchanged('the card is edited and moved')
    await site().json(`/lists/${board.lists.draft}/archiveAllCards`, { method: 'POST', token })
    const move = { idBoard: board.id, idList: board.lists.published }
    const drafts = await scheduled(board, { ...draft, name: 'Secret too' })
    const all = { method: 'POST', body: move, token }
    await site().json(`/lists/${board.lists.draft}/moveAllCards`, all)
    await unchanged('scheduled cards are moved together')
    await site().json(`/cards/${drafts.id}`, { method: 'DELETE', token })
    await unchanged('a scheduled card is deleted')
    assert.equal(await isPublicFile(board, url), false)
    for (const path of [`/cards/${id}`, `/cards/${id}/attachments`]) {
      assert.equal((await site().api(path)).status, 404, path)
      assert.equal((await site().api(path, { token: board.key })).status, 404, path)
    }
    const nested = `/boards/${board.id}?cards=all&card_attachments=true&lists=all`
    assert.doesNotMatch((await site().api(nested)).text, /Secret/)
    assert.doesNotMatch((await site().ask(`/b/${board.slug}`)).text, /Secret/)

    const etag = (await board.read()).headers.get('etag')
    using pauses = watchPauses()
    const due = soon()
    await schedule(board, id, due)
    const card = await published(board, id)
    const delay = Date.parse(card.publishedAt) - Date.parse(due)
    assert.ok(delay >= 0 && delay < 1_000 + pauses.longestMs(), `${delay} ms`)
    assert.equal('publishAt' in card, false)
    assert.equal(card.slug, 'secret-plan')
    const list = await board.read()
    assert.deepEqual(titles(JSON.parse(list.text)), ['Shown', 'Secret plan'])
    assert.equal(JSON.parse(list.text).total, 2)
    assert.notEqual(list.headers.get('etag'), etag)
    assert.deepEqual(titles(await board.readJson('/cards?q=secret')), ['Secret plan'])
    for (const feed of ['/feed.xml', '/feed.json']) {
      assert.match((await board.read(feed)).text, /Secret plan/, feed)
    }
    assert.equal(await isPublicFile(board, url), true)
    assert.match((await site().api(nested)).text, /Secret plan/)
  })

  test('are published with one revision and one action, at the end of the first published list', () =>
    withoutPause(1_000, async () => {
      const began = Date.now()
      const board = await contentBoard(site(), 'Once')
      const { token } = board
      await board.add({ name: 'First' })
      const due = soon(began)
      const { id } = await scheduled(board, { name: 'Second', idList: board.lists.draft }, due)
      const read = () => board.readJson(`/cards/${id}`, token)
      const actionsOf = () => site().json(`/cards/${id}/actions?filter=all`, { token })
      const [card, state, actions] = [
        await read(),
        await board.readJson('', token),
        await actionsOf()
      ]
      assert.equal(card.publishAt, due)
      assert.deepEqual(actions[0].data.old, { publishAt: null })
      await published(board, id)
      assert.deepEqual(titles(await board.readJson()), ['First', 'Second'])
      const after = await read()
      assert.deepEqual([after.publishAt, after.revision], [null, card.revision + 1])
      assert.equal((await board.readJson('', token)).revision, state.revision + 1)
      const [last, ...others] = await actionsOf()
      assert.equal(last.type, 'updateCard')
      assert.deepEqual(last.data.old, { idList: board.lists.draft })
      assert.equal(last.data.listAfter.name, 'Published')
      assert.deepEqual(others, actions)
    }))

  test('are published at once by a time that is past', async () => {
    const board = await contentBoard(site(), 'Past')
    const { id } = await board.add({ name: 'Draft', idList: board.lists.draft })
    const card = await schedule(board, id, '2020-01-01T00:00:00Z')
    assert.deepEqual([card.publishAt, card.list.name], [null, 'Published'])
    assert.deepEqual(titles(await board.readJson()), ['Draft'])
    await schedule(board, id, LATER)
    assert.deepEqual(titles(await board.readJson()), [], 'a public card is hidden until then')
    await schedule(board, id, null)
    assert.deepEqual(titles(await board.readJson()), ['Draft'], 'its list decides again')
  })

  test('stay where they are if they cannot be published at their time', () =>
    withoutPause(1_000, async () => {
      const warnings: string[] = []
      const onWarning = ({ message }: Error) => warnings.push(message)
      process.on('warning', onWarning)
      const began = Date.now()
      const board = await contentBoard(site(), 'Nowhere')
      const { token } = board
      const due = soon(began)
      const draft = { idList: board.lists.draft }
      const lost = await scheduled(board, { ...draft, name: 'Without a list' }, due)
      const moved = await scheduled(board, { ...draft, name: 'Rescheduled' }, due)
      const gone = await scheduled(board, { ...draft, name: 'Deleted' }, due)
      const archived = await scheduled(board, { ...draft, name: 'Archived' }, due)
      await schedule(board, moved.id, LATER)
      await site().json(`/cards/${gone.id}`, { method: 'DELETE', token })
      await board.change(archived.id, { closed: true })
      await board.patch(`/lists/${board.lists.published}`, { role: 'archive' })
      const publishAt = async (id: string) =>
        (await board.readJson(`/cards/${id}`, token)).publishAt
      await until(async () => (await publishAt(lost.id)) === null)
      assert.equal(await publishAt(moved.id), LATER_UTC)
      await board.patch(`/lists/${board.lists.published}`, { role: 'published' })
      assert.deepEqual(titles(await board.readJson()), [])
      await board.change(archived.id, { closed: false })
      await until(async () => (await publishAt(archived.id)) === null)
      assert.deepEqual(titles(await board.readJson()), [], 'it was archived at its time')
      process.off('warning', onWarning)
      const told = warnings.filter((text) => text.includes('no open list with the role published'))
      assert.deepEqual(
        told.map((text) => /The card (\w+)/.exec(text)?.[1]),
        [lost.shortLink]
      )
    }))

  test('only members and previews see the time', async () => {
    const board = await contentBoard(site(), 'Told')
    const { id } = await scheduled(board, { name: 'Waiting', idList: board.lists.draft })
    const shown = await board.add({ name: 'Shown' })
    const body = { card: id }
    const made = { method: 'POST', body, token: board.token }
    const preview = await site().ask(`/content/${board.slug}/preview-tokens`, made)
    const { token } = JSON.parse(preview.text)
    for (const secret of [board.token, token]) {
      assert.equal((await board.readJson(`/cards/${id}`, secret)).publishAt, LATER_UTC)
    }
    assert.equal((await board.readJson(`/cards/${shown.id}`, board.token)).publishAt, null)
    assert.doesNotMatch((await board.read()).text, /publishAt/)
    const types = await board.readJson('/openapi.json')
    assert.ok('publishAt' in types.components.schemas.Card.properties)
    assert.equal(types.components.schemas.Card.required.includes('publishAt'), false)
  })

  test('times without a zone, too far away or for nobody are rejected', async () => {
    const board = await contentBoard(site(), 'Checked')
    const { token } = board
    const { id } = await board.add({ name: 'Draft', idList: board.lists.draft })
    const state = () => board.readJson('', token)
    const before = await state()
    const far = new Date(Date.now() + 11 * 366 * 24 * 3600 * 1000).toISOString()
    const rejected: [publishAt: unknown, sentence: RegExp][] = [
      ['2031-05-06T07:08:09', /publishAt must be a time with its zone/],
      ['tomorrow', /publishAt must be a time with its zone/],
      [1_900_000_000_000, /publishAt must be a time with its zone/],
      [true, /publishAt must be a time with its zone/],
      ['2031-02-30T00:00:00Z', /publishAt must be a time with its zone/],
      [far, /publishAt must be within 10 years/]
    ]
    const patch = (publishAt: unknown, secret = token) =>
      board.patch(`/cards/${id}`, { publishAt }, secret)
    for (const [publishAt, sentence] of rejected) {
      const { status, text } = await patch(publishAt)
      assert.deepEqual([status, sentence.test(text)], [400, true], text)
    }
    assert.equal((await patch(LATER, board.key)).status, 401)
    const other = await contentBoard(site(), 'Other')
    assert.equal((await patch(LATER, other.token)).status, 404)
    assert.deepEqual(await state(), before)
    await board.patch(`/lists/${board.lists.published}`, { role: 'draft' })
    for (const publishAt of [LATER, '2020-01-01T00:00:00Z']) {
      const { status, text } = await patch(publishAt)
      assert.equal(status, 400)
      assert.match(text, /the board has no open list with the role published/)
    }
    assert.equal((await patch(null)).status, 200)
  })
})
