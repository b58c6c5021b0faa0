import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { NOT_FOUND, prepare, UNKNOWN, type Workbench } from './cards-objects.ts'
import { type CardsJson, sites } from './cards-site.ts'

const FIELDS = [
  ...['id', 'badges', 'checkItemStates', 'closed', 'dueComplete', 'dateLastActivity', 'desc'],
  ...['descData', 'due', 'dueReminder', 'email', 'idBoard', 'idChecklists', 'idList', 'idMembers'],
  ...['idMembersVoted', 'idShort', 'idAttachmentCover', 'labels', 'idLabels'],
  ...['manualCoverAttachment', 'name', 'pos', 'shortLink', 'shortUrl', 'start', 'subscribed'],
  ...['url', 'cover', 'isTemplate', 'cardRole']
]

sites('Cards of the compatible API', {}, (site) => {
  let ada: Workbench
  let eve: Workbench
  before(async () => {
    ada = await prepare(site(), 'ada')
    eve = await prepare(site(), 'eve')
  })

  describe('creation', () => {
    test('a new card has all fields, and attachments, stickers and limits', async () => {
      const card = await ada.newCard({ name: 'Test Trello::Card.create', desc: '*Steel*' })
      assert.deepEqual(Object.keys(card), [...FIELDS, 'attachments', 'stickers', 'limits'])
      assert.match(card.shortLink, /^[A-Za-z0-9]{8}$/)
      assert.deepEqual(
        [card.url, card.shortUrl],
        [
          `${site().url}/c/${card.shortLink}/${card.idShort}-test-trellocardcreate`,
          `${site().url}/c/${card.shortLink}`
        ]
      )
      assert.deepEqual(card.badges, {
        attachmentsByType: { trello: { board: 0, card: 0 } },
        ...{ location: false, votes: 0, viewingMemberVoted: false, subscribed: false },
        ...{ fogbugz: '', checkItems: 0, checkItemsChecked: 0, checkItemsEarliestDue: null },
        ...{ comments: 0, attachments: 0, description: true, due: null, dueComplete: false },
        start: null
      })
      assert.deepEqual(
        [card.desc, card.descData, card.checkItemStates, card.idBoard, card.idList],
        ['*Steel*', { emoji: {} }, [], ada.board.id, ada.list.id]
      )
      const { attachments, stickers, limits, ...rest } = card
      assert.deepEqual([attachments, stickers, limits], [[], [], {}])
      assert.deepEqual(await ada.get(`/cards/${card.shortLink}`), rest)
      assert.deepEqual(await ada.get(`/card/${card.id.toUpperCase()}/`), rest)
    })

    test('idShort counts from 1 and is not used again', async () => {
      const other = await ada.post('/boards', { name: 'Other' })
      const [list] = await ada.get(`/boards/${other.id}/lists`)
      const add = () => ada.post(`/lists/${list.id}/cards`, { name: 'A' })
      const [first, second] = [await add(), await add()]
      assert.deepEqual(await ada.remove(`/cards/${second.id}`), { limits: {} })
      const third = await add()
      assert.deepEqual([first.idShort, second.idShort, third.idShort], [1, 2, 3])
    })

    test('all parameters are taken', async () => {
      const label = await ada.post('/labels', { name: 'New', color: 'sky', idBoard: ada.board.id })
      const me = await ada.get('/members/me')
      const card = await ada.newCard({
        ...{ pos: 'top', due: '2026-01-02 03:04:05 UTC', start: '2026-01-01', dueComplete: true },
        ...{ idLabels: label.id, idMembers: [me.id], urlSource: 'https://example.com/x' },
        ...{ locationName: 'Bonn', coordinates: '50.7,7.1', cardRole: 'separator' },
        cover: { color: 'pink', size: 'full' }
      })
      assert.deepEqual(
        [card.due, card.start, card.dueComplete, card.idLabels, card.idMembers, card.cardRole],
        [
          '2026-01-02T03:04:05.000Z',
          '2026-01-01T00:00:00.000Z',
          true,
          [label.id],
          [me.id],
          'separator'
        ]
      )
      assert.deepEqual(card.labels, [
        { id: label.id, idBoard: ada.board.id, name: 'New', color: 'sky' }
      ])
      assert.deepEqual(
        [card.attachments[0].url, card.attachments[0].isUpload, card.badges.attachments],
        ['https://example.com/x', false, 1]
      )
      assert.deepEqual([card.cover.color, card.cover.size], ['pink', 'full'])
      assert.deepEqual(card.coordinates, { latitude: 50.7, longitude: 7.1 })
      const [first] = await ada.get(`/lists/${ada.list.id}/cards?limit=1000`)
      assert.equal(first.id, card.id)
    })

    test('a file of a form becomes an attachment', async () => {
      const form = new FormData()
      form.append('idList', ada.list.id)
      form.append('name', 'With file')
      form.append('fileSource', new Blob(['text']), 'notes.txt')
      const card = await site().json('/cards', { method: 'POST', token: ada.token, body: form })
      assert.deepEqual(
        card.attachments.map(({ name, bytes, isUpload }: CardsJson) => [name, bytes, isUpload]),
        [['notes.txt', 4, true]]
      )
    })

    test('wrong parameters are rejected by name, foreign ids are unknown', async () => {
      const { id: foreign } = await eve.post('/labels', {
        ...{ name: 'Hers', color: 'red', idBoard: eve.board.id }
      })
      const theirs = await eve.newCard()
      const me = await eve.get('/members/me')
      const rows: [object, [number, string]][] = [
        [{ idList: undefined }, [400, 'invalid value for idList']],
        [{ idList: 'x' }, [400, 'invalid value for idList']],
        [{ idList: UNKNOWN }, [404, NOT_FOUND]],
        [{ idList: eve.list.id }, [404, NOT_FOUND]],
        [{ idLabels: foreign }, [404, NOT_FOUND]],
        [{ idLabels: 'red' }, [400, 'invalid value for idLabels']],
        [{ idMembers: me.id }, [404, NOT_FOUND]],
        [{ idCardSource: theirs.id }, [404, NOT_FOUND]],
        [{ pos: 'middle' }, [400, 'invalid value for pos']],
        [{ due: 'soon' }, [400, 'invalid value for due']],
        [{ cover: 'blue' }, [400, 'invalid value for cover']],
        [{ cover: { url: 'https://example.com/a.png' } }, [400, 'invalid value for cover']],
        [{ urlSource: 'javascript:alert(1)' }, [400, 'invalid value for urlSource']],
        [{ name: 'a\u0000b' }, [400, 'invalid value for name']],
        [{ name: 'a'.repeat(16_385) }, [400, 'invalid value for name']],
        [{ coordinates: '91,0' }, [400, 'invalid value for coordinates']]
      ]
      const count = (await ada.get(`/boards/${ada.board.id}/cards/all?fields=id`)).length
      for (const [more, expected] of rows) {
        const body = { idList: ada.list.id, name: 'A', ...more }
        await ada.rejects(expected, 'POST', '/cards', body)
      }
      assert.equal((await ada.get(`/boards/${ada.board.id}/cards/all?fields=id`)).length, count)
    })

    test('a copy has what keepFromSource names, labels and fields on the same board only', async () => {
      const label = await ada.post('/labels', { name: 'Kept', color: 'red', idBoard: ada.board.id })
      const source = await ada.newCard({ desc: 'D', due: '2026-01-02', idLabels: label.id })
      const field = await ada.newField('number')
      await ada.put(`/cards/${source.id}/customField/${field.id}/item`, { value: { number: '7' } })
      const { id: list } = await ada.post(`/cards/${source.id}/checklists`, { name: 'Steps' })
      await ada.post(`/checklists/${list}/checkItems`, { name: 'One', checked: true })
      await ada.post(`/cards/${source.id}/actions/comments`, { text: 'Hello' })
      await ada.post(`/cards/${source.id}/attachments`, { url: 'https://example.com/' })
      const copied = { idCardSource: source.id, name: undefined }
      const whole = await ada.newCard(copied)
      assert.deepEqual(
        [whole.name, whole.desc, whole.due, whole.idLabels, whole.badges.attachments],
        ['Bridge', 'D', source.due, [label.id], 1]
      )
      assert.deepEqual([whole.badges.comments, whole.badges.checkItemsChecked], [1, 1])
      const items = await ada.get(`/cards/${whole.id}/customFieldItems`)
      assert.deepEqual(items[0].value, { number: '7' })
      const part = await ada.newCard({ ...copied, keepFromSource: 'due,checklists' })
      assert.deepEqual([part.due, part.idLabels, part.badges.comments], [source.due, [], 0])
      assert.deepEqual([part.badges.checkItems, part.badges.attachments], [1, 0])
      const other = await ada.post('/boards', { name: 'Target' })
      const [target] = await ada.get(`/boards/${other.id}/lists`)
      const away = await ada.newCard({ ...copied, idList: target.id })
      assert.deepEqual([away.idLabels, away.badges.attachments, away.idShort], [[], 1, 1])
    })
  })

  describe('lists of cards', () => {
    test('filters, limits and ranges select', async () => {
      const list = await ada.post('/lists', { name: 'Range', idBoard: ada.board.id })
      const add = (name: string) => ada.newCard({ name, idList: list.id })
      const [one, two, three] = [await add('1'), await add('2'), await add('3')]
      await ada.put(`/cards/${two.id}/closed`, { value: true })
      const names = async (path: string) =>
        (await ada.get(path)).map(({ name }: CardsJson) => name).join('')
      const cards = `/lists/${list.id}/cards`
      assert.deepEqual(
        [await names(cards), await names(`${cards}?filter=all`), await names(`${cards}/closed`)],
        ['13', '123', '2']
      )
      assert.equal(await names(`${cards}?filter=all&limit=2`), '23')
      assert.equal(await names(`${cards}?filter=all&before=${three.id}`), '12')
      assert.equal(await names(`${cards}?filter=all&since=${one.id}`), '23')
      assert.equal(await names(`${cards}?filter=all&since=2100-01-01`), '')
      assert.equal(await names(`${cards}?filter=none`), '')
      assert.equal(await names(`/boards/${ada.board.id}/cards?before=1970-01-02`), '')
      await ada.put(`/lists/${list.id}/closed`, { value: true })
      const ofBoard = async (filter: string) =>
        (await ada.get(`/boards/${ada.board.id}/cards/${filter}`))
          .filter(({ idList }: CardsJson) => idList === list.id)
          .map(({ name }: CardsJson) => name)
          .join('')
      assert.deepEqual(
        [await ofBoard('open'), await ofBoard('visible'), await ofBoard('closed')],
        ['13', '', '2']
      )
      await ada.rejects([400, 'invalid value for limit'], 'GET', `${cards}?limit=1001`)
      await ada.rejects([404, NOT_FOUND], 'GET', `/lists/${eve.list.id}/cards`)
      await ada.rejects([404, NOT_FOUND], 'GET', `/boards/${eve.board.id}/cards`)
      await ada.rejects([400, 'invalid id'], 'GET', '/boards/portfolio/cards')
    })

    test('fields and parts are chosen by parameters', async () => {
      const card = await ada.newCard({ urlSource: 'https://example.com/' })
      const query = 'fields=name,,url,&attachments=true&attachment_fields=url&members=true'
      const more = '&customFieldItems=true&checklists=all&stickers=true&pluginData=true'
      const cards = await ada.get(`/boards/${ada.board.id}/cards?${query}${more}`)
      const found = cards.find(({ id }: CardsJson) => id === card.id)
      assert.deepEqual(found, {
        ...{ id: card.id, name: card.name, url: card.url },
        attachments: [{ id: card.attachments[0].id, url: 'https://example.com/' }],
        ...{ customFieldItems: [], members: [], checklists: [], stickers: [], pluginData: [] }
      })
      const one = await ada.get(`/boards/${ada.board.id}/cards/${card.id}?fields=name`)
      assert.deepEqual(one, { id: card.id, name: 'Bridge' })
      const theirs = await eve.newCard()
      await ada.rejects([404, NOT_FOUND], 'GET', `/boards/${ada.board.id}/cards/${theirs.id}`)
    })

    test('cards of a member are those that the member is on', async () => {
      const me = await ada.get('/members/me')
      const card = await ada.newCard({ name: 'Mine' })
      const added = await ada.post(`/cards/${card.id}/idMembers`, { value: me.id })
      assert.deepEqual(added, await ada.get(`/cards/${card.id}/members`))
      assert.equal(added[0].username, 'ada')
      const ids = async () =>
        (await ada.get('/members/me/cards?fields=id')).map(({ id }: CardsJson) => id)
      assert.ok((await ids()).includes(card.id))
      assert.deepEqual(await ada.remove(`/cards/${card.id}/idMembers/${me.id}`), [])
      assert.ok(!(await ids()).includes(card.id))
      await ada.rejects([404, NOT_FOUND], 'DELETE', `/cards/${card.id}/idMembers/${me.id}`)
      await ada.rejects([404, NOT_FOUND], 'GET', '/members/eve/cards')
      await ada.rejects([404, NOT_FOUND], 'POST', `/cards/${card.id}/idMembers`, { value: UNKNOWN })
    })
  })

  describe('one card', () => {
    test('its board, list and fields are resources', async () => {
      const card = await ada.newCard({ desc: 'Text' })
      const path = `/cards/${card.id}`
      assert.equal((await ada.get(`${path}/board?fields=name`)).name, 'Portfolio')
      assert.equal((await ada.get(`${path}/list`)).id, ada.list.id)
      assert.deepEqual(await ada.get(`${path}/desc`), { _value: 'Text' })
      assert.deepEqual(await ada.get(`${path}/due`), { _value: null })
      assert.deepEqual(await ada.get(`${path}/labels`), [])
      assert.deepEqual(
        (await ada.get(`${path}?board=true&list=true&actions=all`)).list.id,
        card.idList
      )
      await ada.rejects([404, `Cannot GET /1${path}/secret`], 'GET', `${path}/secret`)
      await ada.rejects([404, NOT_FOUND], 'GET', `/cards/${UNKNOWN}`)
      await ada.rejects([400, 'invalid id'], 'GET', '/cards/none')
      const theirs = await eve.newCard()
      for (const method of ['GET', 'PUT', 'DELETE']) {
        await ada.rejects([404, NOT_FOUND], method, `/cards/${theirs.shortLink}`)
      }
      assert.equal((await eve.get(`/cards/${theirs.id}`)).name, 'Bridge')
    })

    test('a change of all fields is sent back', async () => {
      const card = await ada.newCard()
      const path = `/cards/${card.id}`
      const changed = await ada.put(path, {
        ...{ name: 'Tower', desc: 'High', due: '2026-05-01', start: null, dueComplete: 'true' },
        ...{ closed: '1', pos: 1000, dueReminder: 60, isTemplate: false, subscribed: true }
      })
      const { name, desc, due, dueComplete, closed, pos, dueReminder, subscribed } = changed
      assert.deepEqual(
        [name, desc, due, dueComplete, closed, pos, dueReminder, subscribed],
        ['Tower', 'High', '2026-05-01T00:00:00.000Z', true, true, 1000, 60, false]
      )
      assert.deepEqual(await ada.get(path), changed)
      assert.equal((await ada.put(`${path}/name`, { value: 'Castle' })).name, 'Castle')
      assert.equal((await ada.put(`${path}/DUE?value=`)).due, null)
      await ada.rejects([400, 'invalid value for name'], 'PUT', path, { name: ' ' })
      await ada.rejects([404, `Cannot PUT /1${path}/shortLink`], 'PUT', `${path}/shortLink`, {
        value: 'abcdefgh'
      })
    })

    test('what the service decides is ignored in changes', async () => {
      const card = await ada.newCard()
      const { dateLastActivity, ...same } = await ada.put(`/cards/${card.id}`, {
        ...{ id: UNKNOWN, shortLink: 'abcdefgh', idShort: 99, idMemberCreator: UNKNOWN },
        ...{ dateLastActivity: '2001-01-01', revision: 99, owner: UNKNOWN, creator: UNKNOWN }
      })
      const { attachments: _a, stickers: _s, limits: _l, dateLastActivity: _d, ...before } = card
      assert.deepEqual(same, before)
      assert.ok(dateLastActivity > '2020')
    })

    test('a cover is an object, JSON or nothing', async () => {
      const card = await ada.newCard()
      const path = `/cards/${card.id}`
      const cover = async (value: unknown) => (await ada.put(path, { cover: value })).cover
      assert.equal((await cover({ color: 'lime', brightness: 'light' })).brightness, 'light')
      assert.equal((await cover('{"color":"sky"}')).color, 'sky')
      assert.equal((await cover('[object Object]')).color, 'sky')
      assert.equal((await ada.put(`${path}?cover[color]=red`)).cover.color, 'red')
      assert.equal((await cover({ size: 'full' })).color, 'red')
      assert.equal((await cover(null)).color, null)
      const bad = [{ color: 'beige' }, { color: 'red', idAttachment: UNKNOWN }, { size: 'tiny' }]
      for (const value of bad) {
        await ada.rejects([400, 'invalid value for cover'], 'PUT', path, { cover: value })
      }
      const other = await ada.newCard({ urlSource: 'https://example.com/' })
      for (const id of [UNKNOWN, other.attachments[0].id]) {
        await ada.rejects([404, NOT_FOUND], 'PUT', path, { idAttachmentCover: id })
      }
      const link = await ada.post(`${path}/attachments`, { url: 'https://example.com/' })
      await ada.rejects([400, 'invalid value for cover'], 'PUT', path, {
        idAttachmentCover: link.id
      })
    })

    test('a card moves between lists and boards of its owner', async () => {
      const target = await ada.post('/boards', { name: 'Target', defaultLabels: false })
      const [first, second] = await ada.get(`/boards/${target.id}/lists`)
      const card = await ada.newCard()
      await ada.post(`/cards/${card.id}/actions/comments`, { text: 'Stays' })
      const moved = await ada.put(`/cards/${card.id}`, { idBoard: target.id })
      assert.deepEqual([moved.idBoard, moved.idList, moved.idShort], [target.id, first.id, 1])
      assert.equal(moved.shortLink, card.shortLink)
      const again = await ada.put(`/cards/${card.id}/idList?value=${second.id}`)
      assert.deepEqual([again.idList, again.badges.comments], [second.id, 1])
      const path = `/cards/${card.id}`
      await ada.rejects([400, 'invalid value for idList'], 'PUT', path, {
        ...{ idBoard: ada.board.id, idList: first.id }
      })
      await ada.rejects([404, NOT_FOUND], 'PUT', path, { idList: eve.list.id })
      await ada.rejects([404, NOT_FOUND], 'PUT', path, { idBoard: eve.board.id })
      const types = (await ada.get(`${path}/actions?filter=moveCardToBoard,updateCard:idList`)).map(
        ({ type }: CardsJson) => type
      )
      assert.deepEqual(types, ['updateCard', 'moveCardToBoard'])
    })

    test('a deleted card leaves nothing but an action', async () => {
      const card = await ada.newCard({ urlSource: 'https://example.com/' })
      const path = `/cards/${card.id}`
      await ada.post(`${path}/checklists`, { name: 'Steps' })
      const comment = await ada.post(`${path}/actions/comments`, { text: 'Gone' })
      assert.deepEqual(await ada.remove(path), { limits: {} })
      await ada.rejects([404, NOT_FOUND], 'GET', path)
      await ada.rejects([404, NOT_FOUND], 'DELETE', path)
      await ada.rejects([404, NOT_FOUND], 'GET', `/actions/${comment.id}`)
      const [last] = await ada.get(`/boards/${ada.board.id}/actions?limit=1`)
      assert.deepEqual([last.type, last.data.card.id], ['deleteCard', card.id])
    })
  })

  describe('labels of a card', () => {
    test('are added and removed by id, and as new ones', async () => {
      const label = await ada.post('/labels', { name: '', color: null, idBoard: ada.board.id })
      const card = await ada.newCard()
      const path = `/cards/${card.id}`
      assert.deepEqual(await ada.post(`${path}/idLabels`, { value: label.id }), [label.id])
      assert.deepEqual(await ada.post(`${path}/idLabels`, { value: label.id }), [label.id])
      const added = await ada.post(`${path}/labels?color=pink_dark&name=Fresh`)
      assert.deepEqual([added.name, added.color], ['Fresh', 'pink_dark'])
      assert.deepEqual((await ada.get(path)).idLabels, [label.id, added.id])
      assert.deepEqual(await ada.remove(`${path}/idLabels/${label.id}`), { _value: null })
      await ada.rejects([404, NOT_FOUND], 'DELETE', `${path}/idLabels/${label.id}`)
      await ada.rejects([400, 'invalid value for value'], 'POST', `${path}/idLabels`, {})
      await ada.rejects([400, 'invalid value for color'], 'POST', `${path}/labels`, { name: 'A' })
      const other = await ada.post('/boards', { name: 'Other' })
      const [foreign] = await ada.get(`/boards/${other.id}/labels`)
      await ada.rejects([404, NOT_FOUND], 'POST', `${path}/idLabels`, { value: foreign.id })
      await ada.rejects([404, NOT_FOUND], 'PUT', path, { idLabels: foreign.id })
      assert.deepEqual((await ada.put(path, { idLabels: '' })).idLabels, [])
    })
  })

  describe('the public', () => {
    test('sees published cards without what belongs to members', async () => {
      const { json, api } = site()
      const ann = await prepare(site(), 'ann')
      const key = await site().publishable('ann', ann.board.id)
      const me = await ann.get('/members/me')
      const shown = await ann.newCard({ name: 'Shown', idMembers: me.id })
      const hidden = await ann.newCard({ name: 'Hidden', idList: ann.drafts.id })
      await ann.newCard({ name: 'Template', isTemplate: true })
      await ann.post(`/cards/${shown.id}/actions/comments`, { text: 'Secret' })
      await ann.post(`/cards/${shown.id}/checklists`, { name: 'Secret' })
      const cards = await json(`/boards/${ann.board.id}/cards/all?checklists=all&members=true`, {
        token: key
      })
      assert.deepEqual(
        cards.map(({ name, idMembers, idChecklists, badges, checklists, members }: CardsJson) => [
          ...[name, idMembers, idChecklists, badges.comments, checklists, members]
        ]),
        [['Shown', [], [], 0, [], []]]
      )
      const hiddenPath = `/cards/${hidden.id}`
      assert.equal((await api(hiddenPath, { token: key })).status, 404)
      assert.equal((await api(`/cards/${shown.id}`)).status, 404, 'the board is private')
      assert.equal((await api(`/cards/${shown.id}`, { method: 'PUT', token: key })).status, 401)
      await ann.put(`/boards/${ann.board.id}`, { 'prefs/permissionLevel': 'public' })
      assert.equal((await json(`/cards/${shown.id}`)).name, 'Shown')
      assert.equal((await api(hiddenPath)).status, 404)
      await ann.put(hiddenPath, { idList: ann.list.id })
      assert.equal((await json(hiddenPath)).name, 'Hidden')
    })
  })
})
