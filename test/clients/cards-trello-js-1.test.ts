/** trello.js 1.2.8, unmodified, with nothing changed but the base URL of its axios instance. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import type { TrelloClient as Client } from 'trello.js-1'
import { type Nonet, start } from '../../src/host/start.ts'
import { type Site, siteOf } from '../contract/cards-site.ts'
import { PIXEL } from '../contract/statuses-site.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'

const { TrelloClient }: typeof import('trello.js-1') = createRequire(import.meta.url)('trello.js-1')

interface Stored {
  id: string
  [field: string]: unknown
}

for (const engine of ENGINES) {
  describe(`trello.js 1, on ${engine}`, () => {
    let nonet: Nonet<'cards'>
    let site: Site
    let token: string
    let client: Client
    let board: string
    let list: string
    let card: string

    before(async () => {
      nonet = await start({ services: ['cards'], ...engineOptions(engine) })
      site = siteOf(nonet)
      token = await site.member('ada')
      client = open(token)
    })
    after(() => nonet.stop())

    function open(secret: string): Client {
      const made = new TrelloClient({ key: 'k', token: secret })
      // biome-ignore lint/complexity/useLiteralKeys: the field is private in its types
      made['instance'].defaults.baseURL = `${nonet.cards.url}/1`
      return made
    }

    test('makes a board, lists, labels and cards', async () => {
      const made = await client.boards.createBoard({ name: 'Work, all of it', defaultLists: false })
      board = made.id
      list = (await client.lists.createList({ idBoard: board, name: 'Published' })).id
      const label: Stored = await client.labels.createLabel({
        idBoard: board,
        name: 'A b',
        color: 'green'
      })
      const other: Stored = await client.labels.createLabel({
        idBoard: board,
        name: 'C',
        color: 'lime'
      })
      const due = '2026-05-01T10:00:00.000Z'
      const idLabels = [label.id, other.id]
      const added = await client.cards.createCard({
        idList: list,
        name: 'Bridge: 50% $5, [new]',
        due,
        idLabels
      })
      card = added.id
      const read: Stored = await client.cards.getCard({ id: card })
      assert.equal(read.name, 'Bridge: 50% $5, [new]')
      assert.equal(read.due, due)
      assert.deepEqual(read.idLabels, idLabels)
      const cards: Stored[] = await client.boards.getBoardCards({ id: board })
      assert.deepEqual(cards, [read])
      const lists: Stored[] = await client.boards.getBoardLists({ id: board })
      assert.deepEqual(
        lists.map(({ id }) => id),
        [list]
      )
      await client.cards.updateCard({ id: card, name: 'Bridge', pos: 'top' })
      const { _value }: { _value?: unknown } = await client.cards.getCardField({
        id: card,
        field: 'name'
      })
      assert.equal(_value, 'Bridge')
    })

    test('uploads a file: it is first in the form, its name and type also in the query', async () => {
      const made: Stored = await client.cards.createCardAttachment({
        id: card,
        file: Buffer.from(PIXEL),
        name: 'süße Aussicht.png',
        mimeType: 'image/png',
        setCover: true
      })
      assert.equal(made.name, 'süße Aussicht.png')
      assert.equal(made.mimeType, 'image/png')
      assert.equal(made.isUpload, true)
      assert.equal(made.bytes, PIXEL.length)
      assert.ok(Array.isArray(made.previews) && made.previews.length > 0)
      const read: Stored = await client.cards.getCard({ id: card })
      assert.equal(read.idAttachmentCover, made.id)
      const url = String(made.url)
      const headers = { authorization: `OAuth oauth_consumer_key="k", oauth_token="${token}"` }
      const download = await fetch(url, { headers })
      assert.equal(download.status, 200, url)
      assert.deepEqual(new Uint8Array(await download.arrayBuffer()), new Uint8Array(PIXEL))
      assert.match(download.headers.get('content-disposition') ?? '', /^attachment/)
      const closed = await fetch(url)
      assert.equal(closed.status, 401)
      assert.equal(await closed.text(), 'unauthorized permission requested')
    })

    test('links, and lists and deletes attachments', async () => {
      const url = 'https://example.org/?a=1&b=c,d'
      const made = await client.cards.createCardAttachment({ id: card, url })
      const read: Stored = await client.cards.getCardAttachment({ id: card, idAttachment: made.id })
      assert.deepEqual([read.url, read.isUpload, read.bytes], [url, false, null])
      assert.equal((await client.cards.getCardAttachments({ id: card })).length, 2)
      await client.cards.deleteCardAttachment({ id: card, idAttachment: made.id })
      assert.equal((await client.cards.getCardAttachments({ id: card })).length, 1)
    })

    test('custom fields and their items', async () => {
      const made = await untyped<Stored>(
        client.customFields.createCustomField({
          idModel: board,
          modelType: 'board',
          name: 'Completed',
          type: 'date',
          pos: 'bottom',
          displayCardFront: true
        })
      )
      const path = `/cards/${card}/customField/${made.id}/item`
      const date = '2020-04-17T04:00:00.000Z'
      await client.sendRequest({ url: path, method: 'PUT', data: { value: { date } } }, undefined)
      const [item]: Stored[] = await client.cards.getCardCustomFields({ id: card })
      assert.deepEqual([item?.idCustomField, item?.value], [made.id, { date }])
      const [field]: Stored[] = await client.boards.getBoardCustomFields({ id: board })
      assert.deepEqual([field?.name, field?.type], ['Completed', 'date'])
      await client.sendRequest({ url: path, method: 'PUT', data: { value: '' } }, undefined)
      assert.deepEqual(await client.cards.getCardCustomFields({ id: card }), [])
    })

    test('comments, checklists, the member, the search and a batch', async () => {
      await client.cards.addCardComment({ id: card, text: 'One, two' })
      const [action]: Stored[] = await client.cards.getCardActions({ id: card })
      assert.equal(action?.type, 'commentCard')
      const checklist: Stored = await client.checklists.createChecklist({
        idCard: card,
        name: 'Steps'
      })
      const checkItem: Stored = await client.checklists.createChecklistCheckItems({
        id: checklist.id,
        name: 'One',
        checked: true
      })
      assert.equal(checkItem.state, 'complete')
      const [read]: Stored[] = await client.cards.getCardChecklists({ id: card })
      assert.equal(read?.id, checklist.id)
      const member: Stored = await client.members.getMember({ id: 'me' })
      assert.equal(member.username, 'ada')
      const found = await untyped<{ cards: Stored[] }>(
        client.search.getSearch({ query: 'bridge', modelTypes: ['cards'], idBoards: [board] })
      )
      assert.deepEqual(
        found.cards.map(({ id }) => id),
        [card]
      )
      const urls = `/boards/${board}?fields=name,/cards/${card}/list,/cards/${'f'.repeat(24)}`
      const parts: unknown = await client.batch.getBatch({ urls })
      assert.ok(Array.isArray(parts))
      assert.deepEqual(
        parts.flatMap((part: object) => Object.keys(part)),
        ['200', '200', '404']
      )
      assert.deepEqual(parts[0], { '200': { id: board, name: 'Work, all of it' } })
    })

    test('errors have the status and the text of the response', async () => {
      const unknown = client.cards.getCard({ id: 'f'.repeat(24) })
      await assert.rejects(unknown, (error: Failed) => {
        assert.equal(error.response?.status, 404)
        assert.equal(error.response.data, 'The requested resource was not found.')
        return true
      })
      const other = open(await site.member('bob'))
      const rejected = other.cards.updateCard({ id: card, name: 'Mine' })
      await assert.rejects(rejected, ({ response }: Failed) => response?.status === 404)
    })

    test('deletes', async () => {
      const deleted: unknown = await client.cards.deleteCard({ id: card })
      assert.deepEqual(deleted, { limits: {} })
      assert.deepEqual(await client.lists.getListCards({ id: list }), [])
      await client.boards.deleteBoard({ id: board })
      await assert.rejects(client.boards.getBoard({ id: board }), /404/)
    })
  })
}

/** Some of its types are not those of the response. */
async function untyped<T>(response: Promise<unknown>): Promise<T> {
  return response as Promise<T>
}

interface Failed extends Error {
  response?: { status: number; data: unknown }
}
