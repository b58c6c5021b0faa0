import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Nonet } from '../../src/host/start.ts'
import {
  assertKeyboardWalk,
  assertSoundInBothColours,
  assertSoundPage,
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
    await page.getByRole('link', { name: 'Ten minutes with nonet' }).click()
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

  const PEOPLE = '/api/people/'
  const namesIn = (page: Page) => page.locator('.list tbody th').allInnerTexts()

  test('people are searched, sorted, filtered and turned over without JavaScript', async () => {
    const { page, complaints } = await visit(browser, nonet.reference.url + PEOPLE, {}, false)
    await page.getByRole('link', { name: /next/i }).click()
    assert.equal(new URL(page.url()).searchParams.get('page'), '2')
    await page.locator('input[name="search"]').fill('maren')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search=maren/)
    assert.deepEqual(await namesIn(page), ['Maren Tørrvik'])
    await page.getByRole('link', { name: 'Remove the filter Search: maren' }).click()
    await page.getByLabel('Homeworld').selectOption({ label: 'Þelmark' })
    await page.getByText('More filters').click()
    await page.getByLabel('Height (cm) from').fill('180')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(/height__gte=180/)
    await page.getByRole('link', { name: 'Height', exact: true }).click()
    await page.waitForURL(/ordering=height/)
    const byHeight = ['Þorald Eiðarun', 'Hulda Long-Thaw', 'Borrul Nine-Winters']
    assert.deepEqual(await namesIn(page), byHeight)
    await page.getByRole('link', { name: 'Height', exact: true }).click()
    await page.waitForURL(/ordering=-height/)
    assert.deepEqual(await namesIn(page), byHeight.toReversed())
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('people are sorted and filtered while the form is filled in', async () => {
    const watched = await visit(browser, nonet.reference.url + PEOPLE, SHAPES.desktop ?? {})
    const { page } = watched
    await page.getByLabel('Homeworld').selectOption({ label: 'Þelmark' })
    await page.getByText('Homeworld: Þelmark').waitFor()
    await page.getByText('More filters').click()
    await page.getByLabel('Height (cm) from').fill('180')
    await page.getByText('Height from 180 cm').waitFor()
    await page.getByLabel('Sort by').selectOption('-height')
    await page.locator('[aria-sort="descending"]').waitFor()
    assert.equal((await namesIn(page))[0], 'Borrul Nine-Winters')
    assert.equal(await page.getByRole('status').innerText(), '3 records of 88')
    const query = 'ordering=-height&homeworld=5&height__gte=180'
    assert.equal(page.url(), `${nonet.reference.url}${PEOPLE}?${query}`)
    assert.equal(await page.locator('.request code').innerText(), page.url())
    await page.getByLabel('Height (cm) to').fill('tall')
    await page.getByRole('button', { name: 'Show' }).click()
    assert.equal(
      await page.getByLabel('Height (cm) to').evaluate((field) => field.matches(':invalid')),
      true
    )
    assert.equal(new URL(page.url()).search, `?${query}`)
    await assertSoundPage(watched, 'people with all filters')
    await page.reload()
    assert.equal(await page.getByLabel('Sort by').inputValue(), '-height')
    await page.getByRole('link', { name: 'Borrul Nine-Winters' }).click()
    await page.waitForURL('**/api/people/*/')
    await page.goBack()
    await page.waitForURL(/height__gte=180/)
    assert.equal((await namesIn(page)).length, 3)
    await page.context().close()
  })

  test('the JSON of a record is copied as the API sends it', async () => {
    const { page } = await visit(browser, `${nonet.reference.url}/api/people/1/?fields=name`, {})
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const buttons = page.getByRole('button', { name: 'Copy the code' })
    const [count, button] = [await buttons.count(), await buttons.first().elementHandle()]
    // The label lasts for a moment only.
    const isCopied = page.getByRole('button', { name: 'Copied' }).waitFor()
    await button?.click()
    await isCopied
    await button?.click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.deepEqual(JSON.parse(copied), { name: 'Maren Tørrvik' })
    // Until both labels have ended.
    await page.waitForTimeout(2_000)
    await page.getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached' })
    assert.equal(await buttons.count(), count)
    await page.context().close()
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
