import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { NOT_FOUND, prepare, UNKNOWN, type Workbench } from './cards-objects.ts'
import { type CardsJson, sites } from './cards-site.ts'

sites('Checklists, comments, actions and search', {}, (site) => {
  let ada: Workbench
  let eve: Workbench
  before(async () => {
    ada = await prepare(site(), 'ada')
    eve = await prepare(site(), 'eve')
  })

  describe('checklists', () => {
    test('are added, changed, copied and removed', async () => {
      const card = await ada.newCard()
      const list = await ada.post('/checklists', { idCard: card.id, name: 'Steps' })
      assert.deepEqual(list, {
        ...{ id: list.id, name: 'Steps', idBoard: ada.board.id, idCard: card.id, pos: 65535 },
        ...{ limits: {}, checkItems: [], creationMethod: null }
      })
      const path = `/checklists/${list.id}`
      const item = await ada.post(`${path}/checkItems`, {
        ...{ name: 'One', checked: 'true', due: '2026-01-02' }
      })
      const { limits, ...stored } = item
      assert.deepEqual(
        [limits, item.state, item.due, item.idChecklist],
        [{}, 'complete', '2026-01-02T00:00:00.000Z', list.id]
      )
      assert.deepEqual(await ada.get(`${path}/checkItems`), [stored])
      assert.deepEqual((await ada.get(path)).checkItems, [stored])
      assert.deepEqual(await ada.get(`${path}/name`), { _value: 'Steps' })
      assert.equal((await ada.put(`${path}/name`, { value: 'Work' })).name, 'Work')
      assert.equal((await ada.get(`${path}/board`)).id, ada.board.id)
      assert.equal((await ada.get(`${path}/cards?fields=name`))[0].id, card.id)
      const copy = await ada.post(`/cards/${card.id}/checklists`, {
        ...{ idChecklistSource: list.id, pos: 'top' }
      })
      assert.deepEqual([copy.name, copy.checkItems[0].name], ['Work', 'One'])
      const ids = (lists: CardsJson) => lists.map(({ id }: CardsJson) => id)
      assert.deepEqual(ids(await ada.get(`/cards/${card.id}/checklists`)), [copy.id, list.id])
      const { idChecklists, badges } = await ada.get(`/cards/${card.id}`)
      assert.deepEqual([idChecklists, badges.checkItems], [[copy.id, list.id], 2])
      assert.ok(ids(await ada.get(`/boards/${ada.board.id}/checklists`)).includes(copy.id))
      assert.deepEqual(await ada.remove(path), { limits: {} })
      assert.deepEqual(await ada.remove(`/cards/${card.id}/checklists/${copy.id}`), { limits: {} })
      assert.deepEqual(await ada.get(`/cards/${card.id}/checklists`), [])
    })

    test('items are checked, moved and removed', async () => {
      const card = await ada.newCard()
      const [one, two] = [
        await ada.post('/checklists', { idCard: card.shortLink }),
        await ada.post('/checklists', { idCard: card.id, name: 'Two' })
      ]
      assert.equal(one.name, 'Checklist')
      const { limits: _, ...item } = await ada.post(`/checklists/${one.id}/checkItems`, {
        name: 'A'
      })
      const path = `/cards/${card.id}/checkItem/${item.id}`
      assert.deepEqual(await ada.get(path), item)
      const changed = await ada.put(path, { state: 'complete', name: 'B', idChecklist: two.id })
      assert.deepEqual(
        [changed.state, changed.name, changed.idChecklist],
        ['complete', 'B', two.id]
      )
      assert.equal((await ada.put(path, { state: false })).state, 'incomplete')
      assert.equal((await ada.get(`/checklists/${two.id}/checkItems/${item.id}`)).name, 'B')
      await ada.rejects([404, NOT_FOUND], 'GET', `/checklists/${one.id}/checkItems/${item.id}`)
      await ada.rejects([400, 'invalid value for state'], 'PUT', path, { state: 'half' })
      assert.deepEqual(await ada.remove(path), { limits: {} })
      await ada.rejects([404, NOT_FOUND], 'DELETE', path)
    })

    test('those of others are unknown, also through a card of the member', async () => {
      const [card, theirs] = [await ada.newCard(), await eve.newCard()]
      const list = await eve.post('/checklists', { idCard: theirs.id, name: 'Hers' })
      const item = await eve.post(`/checklists/${list.id}/checkItems`, { name: 'A' })
      const rows: [string, string, object?][] = [
        ['GET', `/checklists/${list.id}`],
        ['PUT', `/checklists/${list.id}`, { name: 'Mine' }],
        ['DELETE', `/checklists/${list.id}`],
        ['DELETE', `/cards/${card.id}/checklists/${list.id}`],
        ['POST', `/checklists/${list.id}/checkItems`, { name: 'B' }],
        ['PUT', `/cards/${card.id}/checkItem/${item.id}`, { name: 'B' }],
        ['DELETE', `/cards/${card.id}/checkItem/${item.id}`],
        ['POST', '/checklists', { idCard: theirs.id }],
        ['POST', '/checklists', { idCard: card.id, idChecklistSource: list.id }],
        ['GET', `/checklists/${UNKNOWN}/cards`]
      ]
      for (const [method, path, body] of rows) {
        await ada.rejects([404, NOT_FOUND], method, path, body)
      }
      const other = await ada.newCard()
      const own = await ada.post('/checklists', { idCard: other.id })
      const path = `/cards/${card.id}/checklists/${own.id}`
      await ada.rejects([404, NOT_FOUND], 'DELETE', path)
      assert.equal((await ada.get(`/checklists/${own.id}`)).idCard, other.id)
      const { name, checkItems } = await eve.get(`/checklists/${list.id}`)
      assert.deepEqual([name, checkItems.length], ['Hers', 1])
    })
  })

  describe('comments and actions', () => {
    test('a comment is an action that changes', async () => {
      const card = await ada.newCard()
      const comments = `/cards/${card.id}/actions/comments`
      const comment = await ada.post(comments, { text: 'First' })
      const me = await ada.get('/members/me')
      assert.deepEqual(comment, {
        id: comment.id,
        idMemberCreator: me.id,
        data: {
          board: { id: ada.board.id, name: 'Portfolio', shortLink: comment.data.board.shortLink },
          card: { id: card.id, name: 'Bridge', idShort: card.idShort, shortLink: card.shortLink },
          list: { id: ada.list.id, name: 'Projects' },
          text: 'First'
        },
        ...{ appCreator: null, type: 'commentCard', date: comment.date, limits: {} },
        memberCreator: {
          ...{ id: me.id, username: 'ada', fullName: 'ada', initials: 'A', avatarHash: '' },
          ...{ avatarUrl: '', activityBlocked: false, nonPublic: {}, nonPublicAvailable: false }
        }
      })
      const edited = await ada.put(`/cards/${card.id}/actions/${comment.id}/comments`, {
        text: 'Second'
      })
      assert.equal(edited.data.text, 'Second')
      assert.equal(
        (await ada.put(`/actions/${comment.id}/text`, { value: 'Third' })).data.text,
        'Third'
      )
      assert.equal((await ada.get(`/cards/${card.id}`)).badges.comments, 1)
      const [created] = await ada.get(`/cards/${card.id}/actions?filter=createCard`)
      await ada.rejects([400, 'invalid value for action'], 'DELETE', `/actions/${created.id}`)
      await eve.rejects([404, NOT_FOUND], 'PUT', `/actions/${comment.id}`, { text: 'Hers' })
      await eve.rejects([404, NOT_FOUND], 'GET', `/actions/${comment.id}`)
      await ada.rejects([400, 'invalid value for text'], 'POST', comments, { text: ' ' })
      const other = await ada.newCard()
      const foreign = `/cards/${other.id}/actions/${comment.id}/comments`
      await ada.rejects([404, NOT_FOUND], 'DELETE', foreign)
      const own = `/cards/${card.id}/actions/${comment.id}/comments`
      assert.deepEqual(await ada.remove(own), { _value: null })
      await ada.rejects([404, NOT_FOUND], 'DELETE', own)
    })

    test('changes are actions with the value before, the newest first', async () => {
      const card = await ada.newCard()
      await ada.put(`/cards/${card.id}`, { name: 'Tower', closed: true })
      const path = `/cards/${card.id}/actions`
      const actions = await ada.get(path)
      assert.deepEqual(
        actions.map(({ type, data }: CardsJson) => [type, data.old]),
        [
          ['updateCard', { closed: false }],
          ['updateCard', { name: 'Bridge' }],
          ['createCard', undefined]
        ]
      )
      const names = await ada.get(`${path}?filter=updateCard:name&fields=type`)
      assert.deepEqual(names, [{ id: actions[1].id, type: 'updateCard' }])
      assert.deepEqual(
        (await ada.get(`${path}?limit=1&before=${actions[0].id}`))[0].id,
        actions[1].id
      )
      assert.deepEqual((await ada.get(`${path}?since=${actions[1].id}`)).length, 1)
      const [last] = await ada.get(`/boards/${ada.board.id}/actions?limit=1`)
      assert.equal(last.id, actions[0].id)
      assert.equal((await ada.get(`/lists/${ada.list.id}/actions?limit=1`))[0].id, last.id)
      assert.equal((await ada.get(`/actions/${last.id}?fields=type`)).type, 'updateCard')
      await ada.rejects([404, NOT_FOUND], 'GET', `/boards/${eve.board.id}/actions`)
      await ada.rejects([400, 'invalid value for limit'], 'GET', `${path}?limit=1001`)
    })
  })

  describe('search', () => {
    test('finds cards and boards of the member by their words', async () => {
      const card = await ada.newCard({ name: 'Zeppelin hangar', desc: 'Built of *oak*' })
      await eve.newCard({ name: 'Zeppelin hangar' })
      const found = async (query: string) => {
        const { cards } = await ada.get(`/search?${query}&card_fields=name`)
        return cards.map(({ id }: CardsJson) => id)
      }
      assert.deepEqual(await found('query=zeppelin%20OAK'), [card.id])
      assert.deepEqual(await found('query=oak%20is:archived'), [])
      assert.deepEqual(await found(`query=oak&idBoards=${ada.board.shortLink ?? ada.board.id}`), [
        card.id
      ])
      await ada.put(`/cards/${card.id}`, { closed: true, desc: '' })
      assert.deepEqual(await found('query=oak'), [])
      assert.deepEqual(await found('query=zeppelin%20is:archived'), [card.id])
      const airships = { name: 'Airships', defaultLists: false, defaultLabels: false }
      const [board] = [await ada.post('/boards', airships), await eve.post('/boards', airships)]
      const result = await ada.get('/search?query=airships&modelTypes=boards')
      assert.deepEqual(
        [result.cards, result.boards.map(({ id }: CardsJson) => id)],
        [[], [board.id]]
      )
      await ada.remove(`/cards/${card.id}`)
      assert.deepEqual(await found('query=zeppelin'), [])
      await ada.rejects([400, 'invalid value for query'], 'GET', '/search')
      await ada.rejects([404, NOT_FOUND], 'GET', `/search?query=a&idBoards=${eve.board.id}`)
      const { status, text } = await site().api('/search?query=%22a', { token: ada.token })
      assert.deepEqual([status, text.startsWith('A quotation mark is not closed')], [400, true])
    })

    test('pages follow each other, and a token of other boards finds nothing', async () => {
      for (const name of ['Quark 1', 'Quark 2', 'Quark 3']) await ada.newCard({ name })
      const page = async (number: number) =>
        (await ada.get(`/search?query=quark&cards_limit=2&cards_page=${number}`)).cards.map(
          ({ name }: CardsJson) => name
        )
      assert.deepEqual([await page(0), await page(1)], [['Quark 3', 'Quark 2'], ['Quark 1']])
      const other = await ada.post('/boards', { name: 'Other' })
      const { secret } = await site().token({ flags: { member: 'ada', board: other.id } })
      const { cards } = await site().json('/search?query=quark', { token: secret })
      assert.deepEqual(cards, [])
    })
  })
})
