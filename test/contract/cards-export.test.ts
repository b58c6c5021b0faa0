import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { start } from '../../src/host/start.ts'
import { exportCards, exportFolder, importCards } from '../support/cards-import.ts'
import { randomBoard } from '../support/cards-random-board.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { createRandom } from '../support/random.ts'
import { contentBoard } from './cards-content-board.ts'
import { type CardsJson, siteOf } from './cards-site.ts'

/** All files of a folder by path. */
function filesIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length), readFileSync(path, 'latin1')])
  )
}

for (const [index, engine] of ENGINES.entries()) {
  const other = ENGINES[(index + 1) % ENGINES.length] ?? engine
  test(`an exported board is the same after an import on the other engine: ${engine}, ${other}`, async () => {
    for (let seed = 1; seed <= 2; seed++) {
      await using first = await start({ services: ['cards'], ...engineOptions(engine) })
      await using second = await start({ services: ['cards'], ...engineOptions(other) })
      const { board, files } = randomBoard(createRandom(seed + 100 * index), 30)
      const report = await importCards(first, exportFolder(board, files))
      assert.deepEqual(report.skipped, [], `seed ${seed}`)
      assert.equal(report.cards.added, 30)
      const once = await exportCards(first, report.board.slug)
      const again = await importCards(second, once)
      assert.deepEqual([again.skipped, again.adjusted], [[], []])
      const twice = await exportCards(second, report.board.slug)
      assert.deepEqual(filesIn(twice), filesIn(once), `seed ${seed}`)
      assert.ok(filesIn(once).size > 5)
      const repeated = await importCards(second, once)
      const { added, updated, unchanged } = repeated.cards
      assert.deepEqual([added, updated, unchanged, repeated.board.result], [0, 0, 30, 'unchanged'])
      assert.equal(repeated.files.uploaded, 0)
    }
  })

  test(`what the public does not see is not in an export for it, ${engine}`, async () => {
    await using nonet = await start({ services: ['cards'], ...engineOptions(engine) })
    const sample = await (await fetch(`${nonet.cards.url}/content/portfolio/cards`)).json()
    assert.equal(sample.cards.length, 5)
    const folder = await exportCards(nonet, 'portfolio', { 'published-only': true })
    const text = readFileSync(join(folder, 'board.json'), 'utf8')
    assert.equal(JSON.parse(text).cards.length, 5)
    assert.doesNotMatch(text, /Museum of small things|Old signpost|"owner"/)
    const names = [...filesIn(folder).keys()]
    assert.ok(names.every((name) => /^\/board\.json$|\/image\.(?:jpg|png|webp)$/.test(name)))
  })

  test(`Markdown has the facts of a card as front matter, ${engine}`, async () => {
    await using nonet = await start({ services: ['cards'], ...engineOptions(engine) })
    await fetch(`${nonet.cards.url}/content/portfolio/cards`)
    const folder = await exportCards(nonet, 'portfolio', { markdown: true })
    const [, front = '', body = ''] = readFileSync(join(folder, 'harbour-lights.md'), 'utf8').split(
      /^---$/m
    )
    const { images, ...facts } = parse(front)
    assert.deepEqual(facts, {
      title: 'Harbour lights',
      slug: 'harbour-lights',
      date: '2026-05-20T08:30:00.000Z',
      draft: false,
      list: 'Published',
      labels: ['city', 'light'],
      cover: 'images/harbour-lights-1.jpg',
      completedAt: '2026-05-12',
      url: 'https://harbour-lights.example/'
    })
    assert.equal(images.length, 2)
    assert.match(body, /^\n\nForty-two lamps/)
    assert.ok(filesIn(folder).has('/images/harbour-lights-2.png'))
    assert.match(readFileSync(join(folder, 'museum-of-small-things.md'), 'utf8'), /^draft: true$/m)
  })

  test(`a schedule is exported and imported; a time that is past publishes the card, ${engine}`, async () => {
    await using first = await start({ services: ['cards'], ...engineOptions(engine) })
    await using second = await start({ services: ['cards'], ...engineOptions(other) })
    const board = await contentBoard(siteOf(first), 'Timed')
    const publishAt = '2031-01-01T00:00:00.000Z'
    for (const list of [board.lists.draft, board.lists.published]) {
      const { id } = await board.add({ name: `Secret ${list}`, idList: list })
      assert.equal((await board.patch(`/cards/${id}`, { publishAt })).status, 200)
    }
    const pages = await exportCards(first, board.slug, { markdown: true })
    for (const [name, text] of filesIn(pages)) {
      assert.match(text, /^draft: true\npublishAt: 2031-01-01T00:00:00.000Z$/m, name)
    }
    const once = await exportCards(first, board.slug)
    const publicOf = async (secret: string) => {
      const headers = { authorization: `Bearer ${secret}` }
      const path = `${second.cards.url}/content/timed/cards`
      return (await (await fetch(path, { headers })).json()).cards
    }
    await importCards(second, once)
    const site = siteOf(second)
    const { secret: key } = await site.token({ scopes: ['published'], flags: { board: 'timed' } })
    const { secret: token } = await site.token({})
    assert.deepEqual(await publicOf(key), [])
    const times = (await publicOf(token)).map((card: CardsJson) => card.publishAt)
    assert.deepEqual(times, [publishAt, publishAt])
    assert.equal((await importCards(second, once)).cards.unchanged, 2)

    const text = readFileSync(join(once, 'board.json'), 'utf8')
    writeFileSync(join(once, 'board.json'), text.replaceAll('2031-01-01', '2021-01-01'))
    assert.equal((await importCards(second, once)).cards.updated, 2)
    assert.equal((await publicOf(key)).length, 2)
    assert.equal((await importCards(second, once)).cards.unchanged, 2)
  })
}
