import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import {
  assertKeyboardWalk,
  assertSoundInBothColours,
  openBrowser,
  SHAPES,
  sharePages,
  visit
} from '../support/browser.ts'

describe('pages in a real browser', () => {
  let browser: Browser
  let nonet: Nonet
  before(async () => {
    nonet = await start()
    browser = await openBrowser()
    for (const fullName of ['Ada Lovelace', '<script>alert(1)</script> "Mallory" & Sons']) {
      await fetch(nonet.forms.url, {
        method: 'POST',
        body: JSON.stringify({ email: 'somebody.with.a.long.address@example.org', fullName })
      })
    }
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  const pages: Readonly<Record<string, (nonet: Nonet) => string>> = {
    start: ({ console }) => `${console?.url}/`,
    documentation: ({ console }) => `${console?.url}/docs/`,
    'documentation page': ({ console }) => `${console?.url}/docs/services/forms`,
    forms: ({ console }) => `${console?.url}/forms/`,
    'reference home': ({ reference }) => `${reference.url}/`,
    'reference list': ({ reference }) => `${reference.url}/api/people/`,
    'reference search': ({ reference }) => `${reference.url}/api/planets/?search=zzzz`,
    'reference person': ({ reference }) => `${reference.url}/api/people/1/`,
    'reference film': ({ reference }) => `${reference.url}/api/films/1/`,
    'reference starship': ({ reference }) => `${reference.url}/api/starships/9/`
  }

  const show = sharePages(() => browser)
  for (const [name, address] of Object.entries(pages)) {
    for (const [shape, options] of Object.entries(SHAPES)) {
      test(`${name}, ${shape}`, async () => {
        const watched = await show(options, address(nonet))
        await assertSoundInBothColours(watched, `${name} ${shape}`)
        if (shape === 'desktop') await assertKeyboardWalk(watched, name)
      })
    }
  }

  test('a reader walks from the start page to a person, her world and back, without JavaScript', async () => {
    const { page, complaints } = await visit(browser, `${nonet.console?.url}/`, {}, false)
    await page.getByRole('link', { name: nonet.reference.url }).click()
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
      if (hasNext)
        await page.goto(new URL((await next.getAttribute('href')) ?? '', page.url()).href)
    }
    assert.ok(titles.size >= 20, `${titles.size} pages`)
    await page.getByText('Contents', { exact: true }).click()
    await page.getByRole('link', { name: 'Configuration', exact: true }).click()
    await page.waitForURL('**/docs/reference/configuration')
    assert.deepEqual(complaints, [])
  })

  test('the search form and the paging links of a list work', async () => {
    const { page } = await visit(browser, `${nonet.reference.url}/api/people/`, {})
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
