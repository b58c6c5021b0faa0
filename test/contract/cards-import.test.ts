import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { start } from '../../src/host/start.ts'
import {
  exportFolder,
  importCards,
  objectId,
  trelloBoard,
  trelloCard
} from '../support/cards-import.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { siteOf } from './cards-site.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

for (const engine of ENGINES) {
  describe(`cards: import, on ${engine}`, () => {
    const open = () => start({ services: ['cards'], ...engineOptions(engine) })

    test('name, lists and cards are enough, and ids and short links stay', async () => {
      await using nonet = await open()
      const board = {
        name: 'Tiny',
        lists: [{ id: objectId(2), name: 'Drafts' }],
        cards: [{ id: objectId(3), name: 'One', idList: objectId(2), shortLink: 'aBcd1234' }]
      }
      const { cards, skipped, adjusted } = await importCards(nonet, exportFolder(board))
      assert.deepEqual([cards.added, skipped, adjusted], [1, [], []])
      const site = siteOf(nonet)
      const { secret } = await site.token()
      const card = await site.json('/cards/aBcd1234', { token: secret })
      assert.deepEqual([card.id, card.name, card.idList], [objectId(3), 'One', objectId(2)])
    })

    test('a second import changes only what differs, and the sample is gone', async () => {
      await using nonet = await open()
      assert.equal((await fetch(`${nonet.cards.url}/content/portfolio/cards`)).status, 200)
      const first = trelloBoard([trelloCard(10), trelloCard(11), trelloCard(12)])
      assert.equal((await importCards(nonet, exportFolder(first))).cards.added, 3)
      assert.equal((await fetch(`${nonet.cards.url}/content/portfolio/cards`)).status, 404)
      const second = trelloBoard([trelloCard(10), trelloCard(11, { name: 'New' }), trelloCard(13)])
      const { cards, lists, board } = await importCards(nonet, exportFolder(second))
      assert.deepEqual(cards, { added: 1, updated: 1, unchanged: 1 })
      assert.deepEqual([lists.unchanged, board.result], [1, 'unchanged'])
      const site = siteOf(nonet)
      const { secret } = await site.token()
      const names = await site.json(`/lists/${objectId(2)}/cards?fields=name`, { token: secret })
      assert.deepEqual(names.map(({ name }: { name: string }) => name).sort(), [
        'Card 10',
        'Card 12',
        'Card 13',
        'New'
      ])
    })

    test('files are found by id, then by a name that one attachment has; others are missing', async () => {
      await using nonet = await open()
      const upload = (number: number, fileName: string) => ({
        ...{
          id: objectId(number),
          name: fileName,
          fileName,
          isUpload: true,
          mimeType: 'image/png'
        },
        url: `https://trello.com/1/cards/x/attachments/y/download/${fileName}`
      })
      const attachments = [
        upload(20, 'a.png'),
        upload(21, 'b.png'),
        upload(22, 'same.png'),
        upload(23, 'same.png'),
        { id: objectId(24), name: 'site', isUpload: false, url: 'https://site.example/' },
        upload(20, 'a.png')
      ]
      const folder = exportFolder(trelloBoard([trelloCard(10, { attachments })]))
      const files = exportFolder('{}', {
        [`x/${objectId(20)}/other.png`]: PIXEL,
        'b.png': PIXEL,
        'same.png': PIXEL
      })
      const report = await importCards(nonet, folder, { attachments: files })
      assert.equal(report.files.uploaded, 2)
      assert.deepEqual(
        report.files.missing.map(({ count, examples }) => [count, ...examples]),
        [[2, 'same.png', 'same.png']]
      )
      assert.deepEqual(
        report.skipped.map(({ reason, count }) => [reason, count]),
        [['attachments whose id the file has twice', 1]]
      )
      const site = siteOf(nonet)
      const { secret } = await site.token()
      const stored = await site.json(`/cards/${objectId(10)}/attachments`, { token: secret })
      assert.deepEqual(
        stored.map(({ isUpload, bytes, url }: Record<string, unknown>) => [
          isUpload,
          isUpload ? bytes : url
        ]),
        [
          [true, PIXEL.length],
          [true, PIXEL.length],
          [true, null],
          [true, null],
          [false, 'https://site.example/']
        ]
      )
    })

    test('ids of boards of another member are not touched, and --new-ids makes a copy', async () => {
      await using nonet = await open()
      const site = siteOf(nonet)
      const ada = await site.member('ada')
      const bob = await site.member('bob')
      const whole = exportFolder(trelloBoard([trelloCard(10)]))
      await importCards(nonet, whole, { member: 'ada' })
      const changed = exportFolder(trelloBoard([trelloCard(10, { name: 'Stolen' })]))
      await assert.rejects(importCards(nonet, changed, { member: 'bob' }), {
        message: /^The id of the board is in use already; --new-ids/
      })
      const other = {
        ...trelloBoard([trelloCard(10, { name: 'Stolen' }), trelloCard(11)]),
        id: objectId(90),
        shortLink: 'bObs1234'
      }
      const lists = [
        { id: objectId(91), name: 'Mine' },
        { id: objectId(2), name: 'Stolen' }
      ]
      const mine = exportFolder({ ...other, lists })
      const { skipped, lists: stored } = await importCards(nonet, mine, { member: 'bob' })
      assert.equal(stored.added, 1)
      assert.deepEqual(
        skipped.map(({ reason, count }) => [reason.split(';')[0], count]),
        [
          ['lists whose id is in use elsewhere', 1],
          ['cards whose id is in use elsewhere', 1],
          ['cards of a list that is not imported', 1]
        ]
      )
      const copy = await importCards(nonet, changed, { member: 'bob', 'new-ids': true })
      assert.deepEqual([copy.cards.added, copy.skipped], [1, []])
      assert.equal((await site.json(`/cards/${objectId(10)}`, { token: ada })).name, 'Card 10')
      assert.equal((await site.api(`/cards/${objectId(10)}`, { token: bob })).status, 404)
      const cards = await site.json(`/boards/${copy.board.id}/cards`, { token: bob })
      assert.equal(cards[0].name, 'Stolen')
      assert.equal(cards[0].id.slice(0, 8), objectId(10).slice(0, 8), 'the time of creation stays')
    })

    test('comments are imported with --comments only, and a dry run stores nothing', async () => {
      await using nonet = await open()
      const actions = [
        {
          id: objectId(51),
          type: 'commentCard',
          date: '2024-05-02T00:00:00.000Z',
          data: { text: 'two', card: { id: objectId(10) } }
        },
        {
          id: objectId(50),
          type: 'commentCard',
          date: '2024-05-01T00:00:00.000Z',
          data: { text: 'one', card: { id: objectId(10) } }
        },
        { id: objectId(52), type: 'updateCard', data: { card: { id: objectId(10) } } }
      ]
      const folder = exportFolder(trelloBoard([trelloCard(10)], { actions }))
      const dry = await importCards(nonet, folder, { 'dry-run': true, comments: true })
      assert.deepEqual([dry.cards.added, dry.actions.added], [1, 2])
      assert.equal((await fetch(`${nonet.cards.url}/content/portfolio/cards`)).status, 200)
      assert.equal((await importCards(nonet, folder)).actions.added, 0)
      assert.equal((await importCards(nonet, folder, { comments: true })).actions.added, 2)
      const site = siteOf(nonet)
      const { secret } = await site.token()
      const found = await site.json(`/cards/${objectId(10)}/actions?filter=commentCard`, {
        token: secret
      })
      assert.deepEqual(
        found.map(({ data }: { data: { text: string } }) => data.text),
        ['two', 'one']
      )
    })
  })
}
