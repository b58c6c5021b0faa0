/** Responses of many megabytes, and other requests meanwhile. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentBoard } from '../contract/cards-content-board.ts'
import { type CardsJson, sites } from '../contract/cards-site.ts'

sites('Long responses of cards', {}, (site) => {
  test('a batch of long lists lets other requests pass, and has a limit', async () => {
    const board = await contentBoard(site(), 'Long')
    const text = '€'.repeat(16_384)
    const card = { name: text, desc: text, idList: board.lists.draft }
    await Promise.all(Array.from({ length: 40 }, () => board.add(card)))
    const urls = Array(10).fill(`/boards/${board.id}/cards`).join(',')
    const order: string[] = []
    const request = async (name: string, path: string) => {
      const headers = { authorization: `Bearer ${board.token}` }
      const response = await fetch(`${site().url}/1${path}`, { headers })
      order.push(name)
      return response.json()
    }
    const long = request('long', `/batch?urls=${encodeURIComponent(urls)}`)
    for (let count = 0; count < 5; count++) await request('short', '/members/me?fields=username')
    const parts: CardsJson[] = await long
    assert.deepEqual(order, [...Array(5).fill('short'), 'long'])
    assert.deepEqual(
      parts.map((part) => Object.keys(part).join()),
      [...Array(8).fill('200'), '403', '403']
    )
    assert.equal(parts[0]['200'].length, 40)
    assert.deepEqual(parts[7], parts[0])
    assert.match(parts[9]['403'].message, /^The responses of a batch can have at most 32 MiB/)
  })
})
