/** trello 0.11.0, unmodified, with nothing changed but its `uri`. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { type Site, siteOf } from '../contract/cards-site.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'

const Trello = createRequire(import.meta.url)('trello')

interface Stored {
  id: string
  name: string
  [field: string]: unknown
}

const namesOf = (objects: Stored[]) => objects.map(({ name }) => name)

for (const engine of ENGINES) {
  describe(`trello, on ${engine}`, () => {
    let nonet: Nonet<'cards'>
    let site: Site
    let client: InstanceType<typeof Trello>
    let board: Stored
    let list: Stored
    let card: Stored

    before(async () => {
      nonet = await start({ services: ['cards'], ...engineOptions(engine) })
      site = siteOf(nonet)
      client = open(await site.member('ada'))
    })
    after(() => nonet.stop())

    function open(token: string) {
      const made = new Trello('k', token)
      made.uri = nonet.cards.url
      return made
    }

    test('makes a board, lists and cards', async () => {
      board = await client.addBoard('Portfolio', 'Work', null)
      list = await client.addListToBoard(board.id, 'First')
      assert.equal((await client.renameList(list.id, 'Published')).name, 'Published')
      card = await client.addCard('Bridge', 'A *text*', list.id)
      const label: Stored = await client.addLabelOnBoard(board.id, 'Web', 'sky')
      const other: Stored = await client.addLabelOnBoard(board.id, 'Ink', 'red')
      const idLabels = [label.id, other.id]
      const extra: Stored = await client.addCardWithExtraParams(
        'Tower',
        { desc: 'Tall', idLabels, pos: 'bottom' },
        list.id
      )
      assert.deepEqual(extra.idLabels, idLabels)
      assert.deepEqual(namesOf(await client.getCardsOnBoard(board.id)), ['Bridge', 'Tower'])
      assert.deepEqual(namesOf(await client.getCardsOnList(list.id)), ['Bridge', 'Tower'])
      assert.equal((await client.getCard(board.id, card.id)).id, card.id)
      assert.equal((await client.getCard(null, card.id)).id, card.id)
      assert.deepEqual(await client.addLabelToCard(card.id, label.id), [label.id])
      await client.deleteLabelFromCard(card.id, label.id)
      assert.deepEqual((await client.getCardById(card.id)).idLabels, [])
      assert.equal((await client.updateLabelName(other.id, 'Paper')).name, 'Paper')
      const labels: Stored[] = await client.getLabelsForBoard(board.id)
      assert.ok(namesOf(labels).includes('Paper'))
      await client.deleteLabel(other.id)
      const lists: Stored[] = await client.getListsOnBoard(board.id)
      assert.ok(namesOf(lists).includes('Published'))
    })

    test('changes cards field by field', async () => {
      assert.equal((await client.updateCardName(card.id, 'Bridges')).name, 'Bridges')
      assert.equal((await client.updateCardDescription(card.id, 'Long & wide')).desc, 'Long & wide')
      const moved: Stored = await client.addListToBoard(board.id, 'Second')
      assert.equal((await client.updateCardList(card.id, moved.id)).idList, moved.id)
      await client.updateCardList(card.id, list.id)
      assert.equal((await client.updateCardPos(card.id, 'top')).pos > 0, true)
      const due = '2026-05-01T10:00:00.000Z'
      assert.equal((await client.addDueDateToCard(card.id, due)).due, due)
    })

    test('custom fields: values in nested names of a form', async () => {
      const field: Stored = await client.addCustomField(board.id, 'Size')
      const option: Stored = await client.addOptionToCustomField(field.id, 'Large')
      await client.setCustomFieldOnCard(card.id, field.id, { idValue: option.id })
      const text = await site.json('/customFields', {
        method: 'POST',
        token: client.token,
        body: {
          idModel: board.id,
          modelType: 'board',
          name: 'Link',
          type: 'text',
          pos: 'bottom'
        }
      })
      await client.setCustomFieldOnCard(card.id, text.id, { value: { text: 'cool & more' } })
      const items: Stored[] = await client.getCustomFieldsOnCard(card.id)
      assert.deepEqual(
        items.map(({ idCustomField, value, idValue }) => [idCustomField, value ?? idValue]),
        [
          [field.id, option.id],
          [text.id, { text: 'cool & more' }]
        ]
      )
      await client.updateCustomFieldOnCard(card.id, text.id, { text: 'other' })
      const [, changed]: Stored[] = await client.getCustomFieldsOnCard(card.id)
      assert.deepEqual(changed?.value, { text: 'other' })
      const fields: Stored[] = await client.getCustomFieldsOnBoard(board.id)
      assert.deepEqual(namesOf(fields), ['Size', 'Link'])
    })

    test('attachments, comments, checklists, members', async () => {
      const link = await client.addAttachmentToCard(card.id, 'https://example.org/?a=b&c=d')
      assert.equal(link.url, 'https://example.org/?a=b&c=d')
      assert.equal((await client.getAttachmentsOnCard(card.id)).length, 1)
      await client.addCommentToCard(card.id, 'Nice & short')
      const [action] = await client.getActionsOnCard(card.id)
      assert.equal(action.data.text, 'Nice & short')
      const checklist: Stored = await client.addChecklistToCard(card.id, 'Steps')
      await client.addItemToChecklist(checklist.id, 'One', 'bottom')
      const [read] = await client.getChecklistsOnCard(card.id)
      assert.deepEqual(namesOf(read.checkItems), ['One'])
      await client.addExistingChecklistToCard(card.id, checklist.id)
      assert.equal((await client.getChecklistsOnCard(card.id)).length, 2)
      const me: Stored = await client.getMember('me')
      assert.equal(me.username, 'ada')
      assert.deepEqual(namesOf(await client.getBoards('me')).includes('Portfolio'), true)
      const [member] = await client.getBoardMembers(board.id)
      assert.equal(member.id, me.id)
      const [organization] = await client.makeRequest('get', '/1/members/me/organizations')
      const boards: Stored[] = await client.getOrgBoards(organization.id)
      assert.ok(namesOf(boards).includes('Portfolio'))
      const found = await client.makeRequest('get', '/1/search', { query: 'bridges' })
      assert.deepEqual(namesOf(found.cards), ['Bridges'])
    })

    test('errors are the text of the response', async () => {
      await assert.rejects(client.getCardById('f'.repeat(24)), {
        message: 'The requested resource was not found.'
      })
      await assert.rejects(client.getCardsOnBoard('My board'), { message: 'invalid id' })
      await assert.rejects(open('0'.repeat(64)).getBoards('me'), { message: 'invalid token' })
      const other = open(await site.member('bob'))
      await assert.rejects(other.updateCardName(card.id, 'Mine'), {
        message: 'The requested resource was not found.'
      })
    })

    test('deletes a card; boards are not copied', async () => {
      await assert.rejects(client.copyBoard('Copy', board.id), /^Error: Boards cannot be copied/)
      assert.deepEqual(await client.deleteCard(card.id), { limits: {} })
      assert.deepEqual(namesOf(await client.getCardsOnBoard(board.id)), ['Tower'])
    })
  })
}
