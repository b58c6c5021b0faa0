import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { contentBoard, titles } from '../contract/cards-content-board.ts'
import { siteOf } from '../contract/cards-site.ts'
import { temporaryDatabase } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'

test('what one process publishes, hides or revokes counts in another one at once', async () => {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await temporaryDatabase())
  const startOne = async () => {
    const data = stack.use(temporaryFolder()).path
    const services = ['cards'] as const
    const secretKey = '5'.repeat(64)
    const options = { services, database: url, portBase: 0, data, secretKey }
    return siteOf(stack.use(await start(options)))
  }
  const writer = await startOne()
  const reader = await startOne()
  const board = await contentBoard(writer)
  const ask = async (etag = '') =>
    reader.ask(`/content/${board.slug}/cards`, {
      token: board.key,
      headers: { 'if-none-match': etag }
    })
  const card = await board.add({ name: 'Shown' })
  for (let round = 0; round < 2; round++) {
    const shown = await ask()
    assert.deepEqual(titles(JSON.parse(shown.text)), ['Shown'])
    const etag = shown.headers.get('etag') ?? ''
    assert.equal((await ask(etag)).status, 304)
    await board.change(card.id, { idList: board.lists.draft })
    const hidden = await ask(etag)
    assert.equal(hidden.status, 200)
    assert.deepEqual(titles(JSON.parse(hidden.text)), [])
    await board.change(card.id, { idList: board.lists.published })
  }
  const { username: member } = await writer.json('/members/me', { token: board.token })
  const flags = { member, board: board.id }
  const key = await writer.token({ scopes: ['published'], flags })
  const askWith = (token: string) => reader.ask(`/content/${board.slug}/cards`, { token })
  for (let round = 0; round < 3; round++) assert.equal((await askWith(key.secret)).status, 200)
  await writer.revoke(key.id)
  assert.equal((await askWith(key.secret)).status, 401)
  assert.equal((await askWith(board.key)).status, 200)
})
