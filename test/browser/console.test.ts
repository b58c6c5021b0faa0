/** The start page of the console in a real browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { openBrowser, visit } from '../support/browser.ts'

const NAMES = [
  'reference',
  'boxes',
  'countries',
  'scenarios',
  'forms',
  'mailbox',
  'statuses',
  'mock',
  'cards'
] as const

describe('start page of the console in a browser', () => {
  let browser: Browser
  let nonet: Nonet
  let home: string
  before(async () => {
    nonet = await start()
    home = `${nonet.console?.url}/`
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  const cardOf = (page: Page, name: string) => page.locator(`#service-${name}`)

  test('cards are in the order of the tiles, three in a row', async () => {
    const { page } = await visit(browser, home, { viewport: { width: 1280, height: 900 } })
    const boxes = await Promise.all(NAMES.map((name) => cardOf(page, name).boundingBox()))
    const positions = boxes.map((box) => ({ x: box?.x ?? 0, y: box?.y ?? 0 }))
    const columns = [...new Set(positions.map(({ x }) => x))].sort((a, b) => a - b)
    const rows = [...new Set(positions.map(({ y }) => y))].sort((a, b) => a - b)
    const found = positions.map(({ x, y }) => rows.indexOf(y) * 3 + columns.indexOf(x))
    assert.deepEqual(found, [...NAMES.keys()])
    await page.context().close()
  })

  test('the copy button copies the base URL', async () => {
    const { page, complaints } = await visit(browser, home, {
      permissions: ['clipboard-read', 'clipboard-write']
    })
    const card = cardOf(page, 'scenarios')
    // The label lasts for a moment only.
    const copied = card.getByRole('button', { name: 'Copied' }).waitFor()
    await card.getByRole('button', { name: 'Copy the URL' }).click()
    await copied
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), nonet.scenarios.url)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('figures and lines follow requests without a reload and without a jump', async () => {
    const { page, complaints } = await visit(browser, home, {})
    await page.locator('#live').getByText('live', { exact: true }).waitFor()
    const requests = page.locator('[data-figure="requests"]')
    const line = cardOf(page, 'boxes').locator('polyline')
    const points = await line.getAttribute('points')
    const count = Number(await requests.innerText())
    const top = await cardOf(page, 'mock').boundingBox()
    for (let i = 0; i < 5; i++) await fetch(nonet.boxes.url)
    await page.waitForFunction(
      (wanted) => Number(document.querySelector('[data-figure="requests"]')?.textContent) >= wanted,
      count + 5
    )
    assert.notEqual(await line.getAttribute('points'), points)
    assert.deepEqual(await cardOf(page, 'mock').boundingBox(), top)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('tabs of code and operations of an API open without JavaScript', async () => {
    const { page } = await visit(browser, home, {}, false)
    const panel = page.locator('#snippets')
    const shown = panel.locator('pre:visible')
    assert.match(await shown.innerText(), /^NONET_REFERENCE_URL=/)
    await panel.getByText('curl', { exact: true }).click()
    assert.match(await shown.innerText(), /^curl http/)
    assert.equal(await page.locator('#live').isVisible(), false)
    await cardOf(page, 'boxes').getByRole('link', { name: 'API of boxes' }).click()
    await page.waitForURL('**/api/boxes')
    await page.locator('.operation summary').first().click()
    await page.locator('.operation[open]').getByText('Responses').waitFor()
    await page.getByRole('link', { name: 'Snippets', exact: true }).click()
    await page.waitForURL('**/snippets/boxes')
    await page.context().close()
  })

  test('a link to an operation opens it', async () => {
    const { page } = await visit(browser, `${home}api/reference#get-api-people-id`, {})
    await page.locator('#get-api-people-id').getByText('Responses').waitFor()
    await page.context().close()
  })

  test('Open leads to a page of each service', async () => {
    const { page } = await visit(browser, home, {})
    for (const name of NAMES) {
      const link = cardOf(page, name).getByRole('link', { name: `Open ${name}` })
      const href = await link.getAttribute('href')
      // The link of cards leads to its page by a code that signs the browser in.
      const target = name === 'cards' ? `${nonet.cards.url}/` : href
      const [response] = await Promise.all([
        page.waitForResponse(
          (candidate) =>
            candidate.url().startsWith(target ?? '') &&
            ![302, 303].includes(candidate.status()) &&
            candidate.request().isNavigationRequest()
        ),
        link.click()
      ])
      assert.equal(response.status(), 200, name)
      assert.match(response.headers()['content-type'] ?? '', /^text\/html/, name)
      await page.waitForURL(`${target}**`)
      await page.goto(home)
    }
    await page.context().close()
  })
})
