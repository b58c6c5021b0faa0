import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Nonet } from '../../src/host/start.ts'
import {
  assertKeyboardWalk,
  assertSoundInBothColours,
  openBrowser,
  SHAPES,
  sharePages,
  visit
} from '../support/browser.ts'
import { SAMPLE_PAGES, type SamplePage, startWithSamples } from '../support/pages.ts'

describe('pages in a real browser', () => {
  let browser: Browser
  let nonet: Nonet
  let urlOf: (page: SamplePage) => string
  before(async () => {
    ;({ nonet, urlOf } = await startWithSamples())
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  const pages = SAMPLE_PAGES.filter(({ of }) => ['console', 'reference'].includes(of))
  const show = sharePages(() => browser)
  for (const sample of pages) {
    const { name } = sample
    for (const [shape, options] of Object.entries(SHAPES)) {
      test(`${name}, ${shape}`, async () => {
        const watched = await show(options, urlOf(sample))
        await assertSoundInBothColours(watched, `${name} ${shape}`)
        if (shape === 'desktop') await assertKeyboardWalk(watched, name)
      })
    }
  }

  test('a reader walks from the start page to a person, her world and back, without JavaScript', async () => {
    const { page, complaints } = await visit(browser, `${nonet.console?.url}/`, {}, false)
    await page.locator('main').getByRole('link', { name: 'Open reference' }).click()
    await page.waitForURL(`${nonet.reference.url}/**`)
    await page.waitForLoadState()
    await page.goto(`${nonet.reference.url}/api/people/`)
    const person = page.locator('main a[href*="/api/people/1/"]').first()
    const name = await person.innerText()
    await person.click()
    await page.waitForURL('**/api/people/1/')
    assert.equal(await page.locator('h1').innerText(), name)
    await page.locator('main a[href*="/api/planets/"]').first().click()
    await page.waitForURL('**/api/planets/*/')
    await page.getByRole('link', { name, exact: true }).click()
    await page.waitForURL('**/api/people/1/')
    assert.equal(await page.locator('h1').innerText(), name)
    assert.deepEqual(complaints, [])
  })

  test('all documentation can be read on a phone, page by page, without JavaScript', async () => {
    const narrow = { viewport: { width: 360, height: 700 }, isMobile: true }
    const { page, complaints } = await visit(browser, `${nonet.console?.url}/docs/`, narrow, false)
    await page.getByRole('link', { name: 'Five minutes with nonet' }).click()
    const titles = new Set<string>()
    for (let hasNext = true; hasNext; ) {
      await page.waitForLoadState()
      const title = await page.locator('h1').innerText()
      assert.ok(!titles.has(title), `${title} is shown twice`)
      titles.add(title)
      assert.deepEqual(await page.evaluate(findCrampedText), [], title)
      const next = page.locator('a[rel="next"]')
      hasNext = (await next.count()) > 0
      const href = hasNext ? await next.getAttribute('href') : null
      if (href !== null) await page.goto(new URL(href, page.url()).href)
    }
    assert.ok(titles.size >= 20, `${titles.size} pages`)
    await page.getByText('Contents', { exact: true }).click()
    await page.getByRole('link', { name: 'Configuration', exact: true }).click()
    await page.waitForURL('**/docs/reference/configuration')
    assert.deepEqual(complaints, [])
  })

  test('the search form and the paging links of a list work without JavaScript', async () => {
    const { page } = await visit(browser, `${nonet.reference.url}/api/people/`, {}, false)
    await page.getByRole('link', { name: /next/i }).click()
    assert.equal(new URL(page.url()).searchParams.get('page'), '2')
    await page.locator('input[name="search"]').fill('maren')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search=maren/)
    assert.ok((await page.locator('main').innerText()).toLowerCase().includes('maren'))
  })
})

/** Table cells with more lines than words, and what makes the page scroll sideways. */
function findCrampedText(): string[] {
  const root = document.documentElement
  const tooWide = root.scrollWidth > root.clientWidth ? ['the page scrolls sideways'] : []
  const cells = [...document.querySelectorAll('td, th')].filter((cell) => {
    const range = document.createRange()
    range.selectNodeContents(cell)
    const middles = [...range.getClientRects()]
      .map(({ top, bottom }) => (top + bottom) / 2)
      .sort((a, b) => a - b)
    const lines = middles.filter((middle, index) => middle - (middles[index - 1] ?? 0) > 8)
    return lines.length > (cell.textContent ?? '').trim().split(/\s+/).length
  })
  return [...tooWide, ...cells.map((cell) => cell.textContent ?? '')]
}
