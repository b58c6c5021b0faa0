import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { siteOf } from '../contract/cards-site.ts'
import {
  assertKeyboardWalk,
  assertSoundInBothColours,
  openBrowser,
  SHAPES,
  visit
} from '../support/browser.ts'
import { openBoard } from '../support/cards-files.ts'
import { type FileHost, startFileHost } from '../support/file-host.ts'
import { buildPortfolio } from '../support/portfolio.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const MAX_BYTES_WITHOUT_IMAGES = 100 * 1024
const MAX_SHIFT = 0.05
const HOSTILE = '"><img src=x onerror=alert(1)></title><script>alert(2)</script>'

describe('the example examples/portfolio', () => {
  let browser: Browser
  let nonet: Nonet<'cards'>
  let host: FileHost
  before(async () => {
    nonet = await start({ services: ['cards'] })
    browser = await openBrowser()
    host = await startFileHost()
    host.folder = scratchFolder()
    const run = await buildPortfolio(host.folder, boardUrl('portfolio'))
    assert.equal(run.code, 0, run.output)
  })
  after(async () => {
    await browser.close()
    await host[Symbol.asyncDispose]()
    await nonet.stop()
  })

  const boardUrl = (board: string) => ({ CARDS_URL: `${nonet.cards.url}/content/${board}` })

  for (const [shape, options] of Object.entries(SHAPES)) {
    for (const file of ['index.html', 'harbour-lights.html', 'label-city.html']) {
      test(`${file}, ${shape}`, async () => {
        const shown = await visit(browser, `${host.url}/${file}`, options)
        const { page } = shown
        await showAllImages(page)
        for (const image of await page.evaluate(imageFacts)) {
          assert.ok(image.width > 0 && image.height > 0 && image.naturalWidth > 0, image.src)
          assert.ok(image.alt.length > 0, `${image.src} has no alternative text`)
          assert.match(image.srcset, /\.webp \d+w, .* \d+w/)
          assert.ok(!image.src.startsWith(nonet.cards.url), image.src)
        }
        assert.ok((await layoutShift(page)) <= MAX_SHIFT)
        await assertSoundInBothColours(shown, `portfolio ${file} ${shape}`)
        if (shape === 'desktop') await assertKeyboardWalk(shown, file)
        await page.context().close()
      })
    }
  }

  test('pages and style sheet of the sample are small, and the sample has all its cards', () => {
    const files = readdirSync(host.folder).filter((file) => /\.(html|css)$/.test(file))
    const bytes = files.reduce((sum, file) => sum + readFileSync(join(host.folder, file)).length, 0)
    assert.ok(bytes <= MAX_BYTES_WITHOUT_IMAGES, `${bytes} bytes`)
    for (const card of ['harbour-lights', 'a-bridge-for-bicycles', 'night-bus-map', 'clay']) {
      assert.ok(files.includes(`${card}.html`), card)
    }
    assert.ok(!readFileSync(join(host.folder, 'index.html'), 'utf8').includes('Museum'))
  })

  test('a second build ends at once until a published card changes', async () => {
    const site = siteOf(nonet)
    const board = await openBoard(site, 'private')
    const key = await site.publishable(board.userName, board.board)
    const folder = scratchFolder()
    const environment = { ...boardUrl(board.board), CARDS_KEY: key }
    const build = async () => (await buildPortfolio(folder, environment)).output
    assert.match(await build(), /^1 projects, 2 pages and 0 new images/)
    assert.match(await build(), /^No published card has changed/)
    const add = (name: string, idList: string) =>
      site.json('/cards', { method: 'POST', token: board.token, body: { name, idList } })
    await add('A draft', board.drafts)
    assert.match(await build(), /^No published card has changed/)
    const index = await add('Index', board.published)
    assert.match(await build(), /^2 projects, 3 pages/)
    const pages = () => readdirSync(folder).filter((file) => file.endsWith('.html'))
    assert.deepEqual(pages().toSorted(), ['a-bridge.html', 'index-project.html', 'index.html'])
    await site.json(`/cards/${index.id}`, { method: 'DELETE', token: board.token })
    await build()
    assert.deepEqual(pages().toSorted(), ['a-bridge.html', 'index.html'])
  })

  test('texts of a board are shown as texts', async () => {
    const site = siteOf(nonet)
    const board = await openBoard(site)
    const change = (path: string, method: string, body: object) =>
      site.json(path, { method, token: board.token, body })
    await change(`/boards/${board.board}`, 'PUT', { name: HOSTILE, desc: HOSTILE })
    await change(`/cards/${board.card}`, 'PUT', { name: HOSTILE, desc: HOSTILE })
    await change(`/cards/${board.card}/labels`, 'POST', { name: HOSTILE, color: 'red' })
    await using files = await startFileHost()
    files.folder = scratchFolder()
    const run = await buildPortfolio(files.folder, boardUrl(board.board))
    assert.equal(run.code, 0, run.output)
    for (const file of readdirSync(files.folder).filter((name) => name.endsWith('.html'))) {
      const path = encodeURIComponent(file)
      const { page, complaints } = await visit(browser, `${files.url}/${path}`, {})
      assert.equal(await page.locator('img[src="x"], script').count(), 0)
      assert.match((await page.textContent('body')) ?? '', /onerror=alert\(1\)/)
      assert.deepEqual(complaints, [])
      await page.context().close()
    }
  })

  test('a wrong URL ends with one line', async () => {
    const unknown = await buildPortfolio(scratchFolder(), boardUrl('unknown'))
    assert.equal(unknown.code, 1)
    assert.match(unknown.output, /^http:\S+\/content\/unknown\S*: 404 .*\n$/)
    const closed = { CARDS_URL: 'http://127.0.0.1:1/content/portfolio' }
    const { code, output } = await buildPortfolio(scratchFolder(), closed)
    assert.deepEqual([code, output.split('\n').length], [1, 2], output)
  })
})

/** Lazy ones are loaded only when they are near the window. */
async function showAllImages(page: Page): Promise<void> {
  for (const image of await page.locator('img').all()) {
    await image.scrollIntoViewIfNeeded()
    await image.evaluate((element) => (element as HTMLImageElement).decode())
  }
}

function imageFacts() {
  return [...document.images].map((image) => ({
    src: image.currentSrc,
    srcset: image.srcset,
    alt: image.alt,
    width: Number(image.getAttribute('width')),
    height: Number(image.getAttribute('height')),
    naturalWidth: image.naturalWidth
  }))
}

/** Sum of all shifts since the navigation. */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += Reflect.get(entry, 'value')
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 0)))
      })
  )
}
