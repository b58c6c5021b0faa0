/**
 * trello.js 2.2.0, unmodified, with nothing changed but its host. It parses boards, lists, cards,
 * labels and more with its schemas; these reject attachments with images and strip custom fields,
 * as of Trello, so that `skipParsing` is on for those.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTrelloClient } from 'trello.js'
import { type Nonet, start } from '../../src/host/start.ts'
import { type Site, siteOf } from '../contract/cards-site.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'

const HEX_ID = /^[0-9a-f]{24}$/

for (const engine of ENGINES) {
  describe(`trello.js 2, on ${engine}`, () => {
    let nonet: Nonet<'cards'>
    let site: Site
    let token: string
    let client: ReturnType<typeof createTrelloClient>
    let unparsed: typeof client
    let board: string
    let list: string
    let card: string

    before(async () => {
      nonet = await start({ services: ['cards'], ...engineOptions(engine) })
      site = siteOf(nonet)
      token = await site.member('ada')
      client = open(token)
      unparsed = open(token, true)
    })
    after(() => nonet.stop())

    function open(apiToken: string, skipParsing = false): typeof client {
      return createTrelloClient({
        host: `${nonet.cards.url}/1`,
        apiKey: 'k',
        apiToken,
        skipParsing
      })
    }

    test('makes a board with lists', async () => {
      const made = await client.boards.createBoard({
        name: 'Portfolio & co',
        desc: 'Work, "quoted"',
        defaultLists: false,
        prefsPermissionLevel: 'private'
      })
      board = made.id
      assert.match(board, HEX_ID)
      assert.equal(made.name, 'Portfolio & co')
      assert.equal(made.prefs?.permissionLevel, 'private')
      const first = await client.lists.createList({ idBoard: board, name: 'Published' })
      const last = await client.boards.createBoardList({ id: board, name: 'Last', pos: 'bottom' })
      list = first.id
      const lists = await client.boards.getBoardLists({ id: board })
      assert.deepEqual(
        lists.map(({ id, name, closed }) => [id, name, closed]),
        [
          [list, 'Published', false],
          [last.id, 'Last', false]
        ]
      )
      const renamed = await client.lists.updateList({ id: last.id, name: 'Drafts', pos: 'top' })
      assert.equal(renamed.name, 'Drafts')
      assert.equal((await client.lists.getList({ id: list })).idBoard, board)
      const archived = await client.lists.archiveList({ id: last.id, value: 'true' })
      assert.equal(archived.closed, true)
      const closed = await client.boards.getBoardListsByFilter({ id: board, filter: 'closed' })
      assert.deepEqual(
        closed.map(({ name }) => name),
        ['Drafts']
      )
      const changed = await client.boards.updateBoard({ id: board, 'prefs/cardCovers': false })
      assert.equal(changed.prefs?.cardCovers, false)
      const read = await client.boards.getBoard({ id: board, fields: 'all' })
      assert.equal(read.desc, 'Work, "quoted"')
      assert.ok(read.dateLastActivity instanceof Date)
      const { _value } = await client.boards.getBoardField({ id: board, field: 'name' })
      assert.equal(_value, 'Portfolio & co')
    })

    test('makes cards with labels, and parses all of them', async () => {
      const label = await client.labels.createLabel({ idBoard: board, name: 'Web', color: 'sky' })
      const other = await client.boards.createBoardLabel({
        id: board,
        name: 'Ink',
        color: 'red_dark'
      })
      const made = await client.cards.createCard({
        idList: list,
        name: 'Bridge über Main',
        desc: '# Text\n\n*more*',
        due: '2026-05-01T10:00:00.000Z',
        idLabels: [label.id, other.id],
        pos: 'bottom'
      })
      card = made.id
      assert.deepEqual(made.idLabels, [label.id, other.id])
      assert.equal(made.due?.toISOString(), '2026-05-01T10:00:00.000Z')
      const second = await client.cards.createCard({ idList: list, name: 'Tower', pos: 'top' })
      const cards = await client.boards.getBoardCards({ id: board })
      assert.deepEqual(
        cards.map(({ name, idShort }) => [name, idShort]),
        [
          ['Tower', 2],
          ['Bridge über Main', 1]
        ]
      )
      assert.deepEqual(await client.lists.getListCards({ id: list }), cards)
      const changed = await client.cards.updateCard({
        id: card,
        name: 'Bridge',
        dueComplete: true,
        cover: { value: { color: 'blue' } }
      })
      assert.equal(changed.name, 'Bridge')
      assert.equal(changed.dueComplete, true)
      assert.equal(changed.cover?.color ?? null, null, 'it sends [object Object]')
      await client.cards.removeCardLabel({ id: card, idLabel: other.id })
      await client.cards.addCardLabel({ id: second.id, value: other.id })
      const labels = await client.boards.getBoardLabels({ id: board })
      assert.deepEqual(
        labels.filter(({ name }) => name !== '').map(({ name, color }) => [name, color]),
        [
          ['Web', 'sky'],
          ['Ink', 'red_dark']
        ]
      )
      const read = await client.cards.getCard({ id: card })
      assert.deepEqual(
        read.labels?.map(({ name }) => name),
        ['Web']
      )
      const renamed = await client.labels.updateLabelField({
        id: label.id,
        field: 'name',
        value: 'Site'
      })
      assert.equal(renamed.name, 'Site')
      assert.equal((await client.labels.getLabel({ id: label.id })).name, 'Site')
      await client.labels.deleteLabel({ id: other.id })
      assert.deepEqual((await client.cards.getCard({ id: second.id })).idLabels, [])
      assert.equal((await client.cards.getCardBoard({ id: card })).id, board)
      assert.equal((await client.cards.getCardList({ id: card })).id, list)
    })

    test('custom fields, their options and items, without parsing', async () => {
      const { customFields, cards } = unparsed
      const shared = { idModel: board, modelType: 'board', pos: 'bottom' }
      const [text, number, date, checkbox, choice] = await Promise.all(
        ['text', 'number', 'date', 'checkbox', 'list'].map((type) =>
          customFields.createCustomField({ ...shared, name: type, type, display_cardFront: false })
        )
      )
      const option = await customFields.createCustomFieldOption({
        id: choice?.id ?? '',
        value: { text: 'Large' },
        pos: 'bottom'
      })
      const bodies = [
        [text, { value: { text: 'https://example.org/?a=1&b=2' } }],
        [number, { value: { number: '10' } }],
        [date, { value: { date: '2020-04-17T04:00:00.000Z' } }],
        [checkbox, { value: { checked: true } }],
        [choice, { idValue: option._id }]
      ] as const
      for (const [field, body] of bodies) {
        const target = { idCard: card, idCustomField: field?.id ?? '' }
        await cards.updateCardCustomFieldItem({ ...target, body })
      }
      const items: unknown = await cards.getCardCustomFieldItems({ id: card })
      assert.ok(Array.isArray(items))
      const found = new Map(items.map((item) => [item.idCustomField, item.value ?? item.idValue]))
      assert.deepEqual(found.get(text?.id), { text: 'https://example.org/?a=1&b=2' })
      assert.deepEqual(found.get(number?.id), { number: '10' })
      assert.deepEqual(found.get(date?.id), { date: '2020-04-17T04:00:00.000Z' })
      assert.deepEqual(found.get(checkbox?.id), { checked: 'true' })
      assert.equal(found.get(choice?.id), option._id)
      const fields = await unparsed.boards.getBoardCustomFields({ id: board })
      assert.deepEqual(fields.map(({ type }) => type).toSorted(), [
        'checkbox',
        'date',
        'list',
        'number',
        'text'
      ])
      const options = await customFields.getCustomFieldOptions({ id: choice?.id ?? '' })
      assert.equal(options.length, 1)
      await customFields.deleteCustomField({ id: number?.id ?? '' })
      const rest: unknown = await cards.getCardCustomFieldItems({ id: card })
      assert.ok(Array.isArray(rest) && rest.length === 4)
    })

    test('a linked attachment, without parsing', async () => {
      const { cards } = unparsed
      const url = 'https://example.org/a.png?b=1&c=2'
      const made = await cards.createCardAttachment({ id: card, url, name: 'Link' })
      const [read] = await cards.getCardAttachments({ id: card })
      assert.deepEqual([read?.id, read?.url, read?.name], [made.id, url, 'Link'])
      assert.equal(read?.bytes, null)
      await cards.deleteCardAttachment({ id: card, idAttachment: made.id })
      assert.deepEqual(await cards.getCardAttachments({ id: card }), [])
    })

    test('comments, checklists, members, tokens and the search', async () => {
      const { id } = await client.cards.createCardComment({ id: card, text: 'Looks fine' })
      const [action] = await client.cards.getCardActions({ id: card, filter: 'commentCard' })
      assert.deepEqual([action?.id, action?.data.text], [id, 'Looks fine'])
      await client.cards.updateCardComment({ id: card, idAction: id, text: 'Looks better' })
      assert.equal((await client.actions.getAction({ id })).data.text, 'Looks better')
      const checklist = await client.checklists.createChecklist({ idCard: card, name: 'Steps' })
      const item = await client.checklists.createChecklistItem({ id: checklist.id, name: 'One' })
      const state = { id: card, idCheckItem: item.id, state: 'complete' } as const
      assert.equal((await client.cards.updateCardCheckItem(state)).state, 'complete')
      const [read] = await client.cards.getCardChecklists({ id: card })
      assert.deepEqual(
        read?.checkItems?.map(({ name, state }) => [name, state]),
        [['One', 'complete']]
      )
      const member = await client.members.getMember({ id: 'me' })
      assert.equal(member.username, 'ada')
      const boards = await client.members.getMemberBoards({ id: 'me' })
      assert.deepEqual(
        boards.filter(({ id }) => id === board).map(({ name }) => name),
        ['Portfolio & co']
      )
      assert.equal((await client.tokens.getToken({ token })).idMember, member.id)
      const found = await client.search.search({
        query: 'bridge',
        modelTypes: 'cards',
        idBoards: board
      })
      assert.deepEqual(
        found.cards?.map(({ id }) => id),
        [card]
      )
    })

    test('a batch', async () => {
      const [one, other] = await client.batch.run((batch) => [
        batch.cards.getCard({ id: card }),
        batch.boards.getBoard({ id: board })
      ])
      assert.equal(one.name, 'Bridge')
      assert.equal(other.name, 'Portfolio & co')
      const unknown = client.batch.run((batch) => [batch.cards.getCard({ id: 'f'.repeat(24) })])
      await assert.rejects(unknown, /"404"/)
    })

    test('errors have the text of the response', async () => {
      const unknown = 'f'.repeat(24)
      await assert.rejects(client.cards.getCard({ id: unknown }), {
        message: 'Request failed: 404 Not Found - The requested resource was not found.'
      })
      await assert.rejects(
        client.boards.getBoard({ id: 'My board' }),
        /400 Bad Request - invalid id/
      )
      await assert.rejects(
        open('0'.repeat(64)).members.getMember({ id: 'me' }),
        /401 Unauthorized - invalid token/
      )
      const reading = await site.token({ flags: { member: 'ada' }, scopes: ['read'] })
      await assert.rejects(
        open(reading.secret).cards.deleteCard({ id: card }),
        /401 Unauthorized - unauthorized permission requested/
      )
      const other = await site.member('bob')
      await assert.rejects(open(other).cards.getCard({ id: card }), /404 Not Found/)
    })

    test('deletes a card and the board', async () => {
      await client.cards.deleteCard({ id: card })
      await assert.rejects(client.cards.getCard({ id: card }), /404/)
      await client.boards.deleteBoard({ id: board })
      await assert.rejects(client.boards.getBoard({ id: board }), /404/)
    })
  })
}
