/** The client that `nonet types cards` writes: compiled strictly, and used against the service. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { contentBoard } from '../contract/cards-content-board.ts'
import { siteOf } from '../contract/cards-site.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { openClientProject } from '../support/typed-client.ts'

const CLIENT = `
import { type Card, createClient } from './cards.ts'

const client = createClient({ token: process.argv[2] ?? '' })
const statuses: number[] = []
const plainFetch = globalThis.fetch
globalThis.fetch = async (...request) => {
  const response = await plainFetch(...request)
  statuses.push(response.status)
  return response
}
const page = await client.cards({ sort: '-completed', label: ['Web'], limit: 1 })
await client.cards({ sort: '-completed', label: ['Web'], limit: 1 })
const all: Card[] = await client.allCards()
const [card] = all
const budget: number | string | null = card?.fields.Budget ?? null
const kind: 'Shop' | 'Blog' | null = card?.fields.Kind ?? null
const isOpen: boolean = card?.fields['Open source'] ?? false
const one = await client.card(card?.slug ?? '')
const failed = await client.card('unknown').catch((error: Error) => error.message.slice(0, 3))
console.log(JSON.stringify({
  total: page.total, titles: all.map(({ title }) => title), budget, kind, isOpen,
  excerpt: one.excerpt, failed, statuses
}))
`

const WRONG = `
import type { Card } from './cards.ts'
export const wrong = (card: Card): string => card.fields['No such field']
`

test('types of the board compile, wrong fields do not, and the client sends ETags', async () => {
  await using nonet = await start({ services: ['cards'] })
  using folder = temporaryFolder()
  const site = siteOf(nonet)
  const board = await contentBoard(site, 'Typed "board"')
  const card = await board.add({ name: 'One', desc: 'Text', idLabels: board.labels.web })
  await board.setItem(card.id, board.fields.budget, { value: { number: '3' } })
  await board.setItem(card.id, board.fields.kind, { idValue: board.options.shop })
  await board.add({ name: 'Draft', idList: board.lists.draft })
  const { status, text } = await site.atConsole(`/types?board=${board.slug}`)
  assert.equal(status, 200, text)
  assert.equal((await site.atConsole('/types?board=unknown')).status, 404)
  assert.equal((await site.atConsole('/types?url=ftp://x')).status, 400)
  writeFileSync(join(folder.path, 'cards.ts'), text)
  writeFileSync(join(folder.path, 'client.ts'), CLIENT)
  writeFileSync(join(folder.path, 'wrong.ts'), WRONG)
  const { compile, run } = openClientProject(folder.path)
  assert.deepEqual(await compile('client.ts'), { code: 0, stdout: '', stderr: '' })
  assert.match((await compile('wrong.ts')).stdout, /No such field/)
  const { stdout, stderr } = await run('client.ts', [board.key])
  assert.deepEqual(
    JSON.parse(stdout || '{}'),
    {
      total: 1,
      titles: ['One'],
      budget: 3,
      kind: 'Shop',
      isOpen: false,
      excerpt: 'Text',
      failed: '404',
      statuses: [200, 304, 200, 200, 404]
    },
    stderr
  )
})
