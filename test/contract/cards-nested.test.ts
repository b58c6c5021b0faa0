import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { API_ROUTES } from '../../src/services/cards/api/route-table.ts'
import { openapi } from '../../src/services/cards/openapi.ts'
import { type CardsJson, sites } from './cards-site.ts'

const NESTED =
  'fields=all&lists=all&cards=all&card_attachments=true&customFields=true&card_customFieldItems=true' +
  '&labels=all&checklists=all&actions=all&card_members=true&card_checklists=all&card_stickers=true'

/** Names of cards, sorted. */
function namesOf(cards: readonly CardsJson[]): string[] {
  return cards.map(({ name }) => name).sort()
}

sites('Boards with their cards', {}, (site) => {
  let ada = ''
  let eve = ''
  const add = (path: string, body: object) =>
    site().json(path, { method: 'POST', token: ada, body })
  const change = (path: string, body: object) =>
    site().json(path, { method: 'PUT', token: ada, body })

  /** A board with a published, a draft and an archived card. */
  async function boardWithCards(): Promise<CardsJson> {
    const board = await add('/boards', { name: 'Work', prefs_permissionLevel: 'public' })
    const [todo] = await site().json(`/boards/${board.id}/lists`, { token: ada })
    const drafts = await add(`/boards/${board.id}/lists`, { name: 'Drafts' })
    const [label] = await site().json(`/boards/${board.id}/labels`, { token: ada })
    const field = await add('/customFields', {
      idModel: board.id,
      modelType: 'board',
      name: 'URL',
      type: 'text'
    })
    const card = await add('/cards', { idList: todo.id, name: 'Shown', idLabels: label.id })
    await change(`/cards/${card.id}/customField/${field.id}/item`, {
      value: { text: 'https://a.b' }
    })
    await add('/checklists', { idCard: card.id, name: 'Steps' })
    await add('/cards', { idList: drafts.id, name: 'Draft' })
    const old = await add('/cards', { idList: todo.id, name: 'Old' })
    await change(`/cards/${old.id}`, { closed: true })
    return { ...board, todo, drafts, card, label, field }
  }

  before(async () => {
    ada = await site().member('ada')
    eve = await site().member('eve')
  })

  test('all parts of a board in one request', async () => {
    const { id, card, field } = await boardWithCards()
    const board = await site().json(`/boards/${id}/?${NESTED}`, { token: ada })
    assert.deepEqual(namesOf(board.cards), ['Draft', 'Old', 'Shown'])
    const shown = board.cards.find((one: CardsJson) => one.id === card.id)
    assert.equal(shown.customFieldItems[0].value.text, 'https://a.b')
    assert.equal(shown.labels.length, 1)
    assert.equal(shown.checklists[0].name, 'Steps')
    assert.deepEqual([shown.attachments, shown.members, shown.stickers], [[], [], []])
    assert.equal(board.customFields[0].id, field.id)
    assert.equal(board.checklists[0].name, 'Steps')
    assert.equal(board.lists.length, 4)
    assert.ok(board.actions.length > 3)
    const few = await site().json(
      `/boards/${id}?fields=id&cards=open&card_fields=name&actions=createBoard&actions_limit=5`,
      { token: ada }
    )
    assert.deepEqual(Object.keys(few.cards[0]), ['id', 'name'])
    assert.deepEqual(namesOf(few.cards), ['Draft', 'Shown'])
    assert.deepEqual(
      few.actions.map(({ type }: CardsJson) => type),
      ['createBoard']
    )
  })

  test('without a token only the published part of a public board is there', async () => {
    const { id, shortUrl } = await boardWithCards()
    const board = await site().json(`/boards/${id}/?${NESTED}`)
    assert.deepEqual(namesOf(board.cards), ['Shown'])
    assert.deepEqual([board.checklists, board.actions], [[], []])
    const { text } = await site().ask(`/b/${shortUrl.split('/').at(-1)}.json`)
    const whole = JSON.parse(text)
    assert.deepEqual(namesOf(whole.cards), ['Shown'])
    assert.doesNotMatch(text, /"(Drafts?|Old|Steps|ada)"/)
    const own = await site().ask(`/b/${shortUrl.split('/').at(-1)}/work.json`, { token: ada })
    assert.deepEqual(namesOf(JSON.parse(own.text).cards), ['Draft', 'Old', 'Shown'])
  })

  test('a draft leaves no trace in what the public sees', async () => {
    const { id, shortUrl, drafts } = await boardWithCards()
    const link = shortUrl.split('/').at(-1)
    const key = await site().publishable('ada', id)
    const look = async () => [
      (await site().ask(`/b/${link}.json`)).text,
      (await site().api(`/boards/${id}?${NESTED}`, { token: key })).text
    ]
    const earlier = await look()
    const draft = await add('/cards', { idList: drafts.id, name: 'Secret' })
    await change(`/cards/${draft.id}`, { desc: 'Secret' })
    await change(`/lists/${drafts.id}`, { name: 'Secret' })
    assert.deepEqual(await look(), earlier)
  })

  test('cards of a list are archived and moved together', async () => {
    const { id, todo, card } = await boardWithCards()
    const lists = await site().json(`/boards/${id}/lists`, { token: ada })
    const done = lists.find(({ name }: CardsJson) => name === 'Done')
    await add(`/lists/${todo.id}/moveAllCards`, { idBoard: id, idList: done.id })
    const moved = await site().json(`/lists/${done.id}/cards`, { token: ada })
    assert.deepEqual(namesOf(moved), ['Shown'])
    await add(`/lists/${done.id}/archiveAllCards`, {})
    assert.equal((await site().json(`/cards/${card.id}`, { token: ada })).closed, true)
    assert.deepEqual(await site().json(`/lists/${done.id}/cards`, { token: ada }), [])
  })

  test('a list moves to another board with its cards, their labels and values', async () => {
    const { todo, card } = await boardWithCards()
    const other = await add('/boards', { name: 'Other', defaultLabels: false })
    await add('/customFields', { idModel: other.id, modelType: 'board', name: 'URL', type: 'text' })
    await change(`/lists/${todo.id}`, { idBoard: other.id })
    const moved = await site().json(`/cards/${card.id}?customFieldItems=true`, { token: ada })
    assert.equal(moved.idBoard, other.id)
    assert.equal(moved.labels[0].idBoard, other.id)
    assert.equal(moved.labels[0].color, 'green')
    assert.equal(moved.customFieldItems[0].value.text, 'https://a.b')
    const shorts = await site().json(`/boards/${other.id}/cards/all?fields=idShort`, { token: ada })
    assert.deepEqual(shorts.map(({ idShort }: CardsJson) => idShort).sort(), [1, 2])
    const next = await add('/cards', { idList: todo.id, name: 'Next' })
    assert.equal(next.idShort, 3)
  })

  test('cards move to a list of another board, but not of another member', async () => {
    const { todo, card } = await boardWithCards()
    const other = await add('/boards', { name: 'Other' })
    const [target] = await site().json(`/boards/${other.id}/lists`, { token: ada })
    const foreign = await site().json('/boards', {
      method: 'POST',
      token: eve,
      body: { name: 'Foreign' }
    })
    const [closed] = await site().json(`/boards/${foreign.id}/lists`, { token: eve })
    const denied = await site().api(`/lists/${todo.id}/moveAllCards`, {
      method: 'POST',
      token: ada,
      body: { idList: closed.id }
    })
    assert.equal(denied.status, 404)
    const wrong = await site().api(`/lists/${todo.id}/moveAllCards`, {
      method: 'POST',
      token: ada,
      body: { idList: target.id, idBoard: todo.idBoard }
    })
    assert.deepEqual([wrong.status, wrong.text], [400, 'The list is not on that board'])
    await add(`/lists/${todo.id}/moveAllCards`, { idList: target.id, idBoard: other.id })
    const moved = await site().json(`/cards/${card.id}`, { token: ada })
    assert.deepEqual([moved.idBoard, moved.idList], [other.id, target.id])
  })

  test('cards of a member are those that the member is on', async () => {
    const { card } = await boardWithCards()
    const { id } = await site().json('/members/me', { token: ada })
    await add(`/cards/${card.id}/idMembers`, { value: id })
    const cards = await site().json('/members/me/cards?fields=name', { token: ada })
    assert.deepEqual(cards, [{ id: card.id, name: 'Shown' }])
    assert.deepEqual(await site().json('/members/me/cards', { token: eve }), [])
  })
})

test('the description has each route once, and each of its references', () => {
  const { paths, components } = openapi('http://localhost') as CardsJson
  const operations: CardsJson[] = Object.values(paths).flatMap((one) =>
    Object.values(one as object)
  )
  const ids = operations.map(({ operationId }) => operationId)
  assert.equal(new Set(ids).size, ids.length)
  for (const { method, pattern } of API_ROUTES) {
    const path = `/1${pattern.replace(/:(\w+)/g, '{$1}')}`
    assert.ok(paths[path][method.toLowerCase()].responses[401], path)
  }
  const names = [...JSON.stringify(paths).matchAll(/#\/components\/schemas\/(\w+)/g)]
  assert.ok(names.length > 50)
  for (const [, name = ''] of names) assert.ok(components.schemas[name], name)
})
