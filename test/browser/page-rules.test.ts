/** Rules that concern all pages for operators together, and the theme that they share. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { assertSoundPage, openBrowser, visit } from '../support/browser.ts'

const DARK = 'rgb(21, 22, 26)'
const LIGHT = 'rgb(247, 246, 243)'

const PATHS = {
  reference: ['/', '/api/people/', '/api/people/1/', '/api/films/?search=zzzz'],
  boxes: ['/', '/?box=shown'],
  countries: ['/'],
  scenarios: ['/', '/w/looks/_demo'],
  mailbox: ['/', '/?q=nothing', '/sandbox/accounts/caught'],
  mock: [
    ...['/', '/journal', '/violations', '/coverage', '/state', '/webhooks', '/documents'].map(
      (path) => `/__nonet${path}`
    )
  ]
} as const

/** Markup of texts, and whether the rule of contrast complains about them. */
const TEXTS: readonly [string, boolean][] = [
  ['<p>black on white</p>', false],
  ['<p style="color:#777">grey</p>', true],
  ['<p style="color:#999;font-size:30px">large</p>', true],
  ['<p style="color:#888;font-size:30px">large and dark enough</p>', false],
  ['<p style="color:rgba(0,0,0,.4)">half transparent</p>', true],
  ['<p style="opacity:.4">faded</p>', true],
  ['<div style="opacity:.4"><p>faded with its parent</p></div>', true],
  ['<p style="background:#333">black on grey</p>', true],
  ['<p style="background:rgba(0,0,0,.7)">black on a dark layer</p>', true],
  ['<p style="background:rgba(0,0,0,.1)">black on a light layer</p>', false],
  ['<div style="background:#222"><p><b>black in a dark box</b></p></div>', true],
  ['<div style="background:#222"><p style="background:#fff">white in dark</p></div>', false],
  ['<div style="background:#222"><p style="color:#fff">light on dark</p></div>', false],
  ['<div style="background:#222;height:0"><p style="color:#ddd">outside its box</p></div>', true],
  [
    '<div style="position:relative;background:#222;z-index:0"><p style="position:absolute;margin:0">a layer</p>&nbsp;</div>',
    true
  ],
  [
    '<div style="position:relative"><p>covered</p><i style="position:absolute;inset:0;background:#222;z-index:-1"></i></div>',
    true
  ],
  ['<input aria-label="Field" value="text" style="color:#999;background:#fff">', true],
  ['<button style="color:#999;background:#fff">button</button>', true],
  ['<p style="color:color-mix(in srgb, #999 90%, white)">mixed</p>', true]
]

describe('all pages for operators', () => {
  let browser: Browser
  let nonet: Nonet
  before(async () => {
    nonet = await start()
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  const consoleUrl = () => `${nonet.console?.url}/`
  const background = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const faviconOf = (page: Page) => page.locator('link[rel="icon"]').getAttribute('href')

  test('each has a way to the console and the favicon of its service', async () => {
    const { page } = await visit(browser, consoleUrl(), {}, false)
    const icons = new Map([['console', await faviconOf(page)]])
    for (const [service, paths] of Object.entries(PATHS) as [keyof typeof PATHS, string[]][]) {
      for (const path of paths) {
        const url = nonet[service].url + path
        const answer = await page.goto(url)
        assert.ok(answer?.ok(), url)
        assert.equal(await page.locator('a.brand').getAttribute('href'), consoleUrl(), url)
        const icon = await faviconOf(page)
        assert.equal(icons.get(service) ?? icon, icon, url)
        icons.set(service, icon)
      }
    }
    await page.goto(`${consoleUrl()}scenarios/workspaces`)
    assert.equal(await page.locator('a.brand').getAttribute('href'), consoleUrl())
    assert.equal(new Set(icons.values()).size, icons.size)
    await page.context().close()
  })

  test('the theme is remembered over ports and a reload', async () => {
    const look = { colorScheme: 'light' } as const
    const { page, complaints } = await visit(browser, `${nonet.reference.url}/`, look)
    const button = page.getByRole('button', { name: /^Theme: / })
    assert.equal(await background(page), LIGHT)
    while ((await button.getAttribute('aria-label')) !== 'Theme: dark') await button.click()
    assert.equal(await background(page), DARK)
    await page.reload()
    assert.equal(await background(page), DARK)
    await page.goto(`${nonet.boxes.url}/`)
    assert.equal(await background(page), DARK)
    while ((await button.getAttribute('aria-label')) !== 'Theme: system') await button.click()
    await page.goto(`${nonet.mock.url}/__nonet/`)
    assert.equal(await background(page), LIGHT)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('too little contrast is found, whatever is behind the text', async () => {
    const context = await browser.newContext({ colorScheme: 'light' })
    context.setDefaultTimeout(120_000)
    const page = await context.newPage()
    const found: [string, boolean][] = []
    for (const [markup] of TEXTS) {
      await page.setContent(
        `<html lang="en"><title>Texts</title><body style="background:#fff"><h1>Texts</h1>${markup}`
      )
      const checked = assertSoundPage({ page, complaints: [], bytes: 0 }, markup, 'contrast')
      const isBad = checked.then(
        () => false,
        (error: Error) => error.message.includes('color-contrast')
      )
      found.push([markup, await isBad])
    }
    assert.deepEqual(found, TEXTS)
    await context.close()
  })

  test('responses do not vary by the theme', async () => {
    for (const url of [
      `${nonet.reference.url}/api/people/`,
      `${nonet.countries.url}/`,
      `${nonet.scenarios.url}/`,
      `${nonet.mock.url}/__nonet/coverage`
    ]) {
      const [plain, dark] = await Promise.all(
        [{}, { cookie: 'nonet_theme=dark' }].map(async (headers) => {
          const answer = await fetch(url, { headers: { accept: 'text/html', ...headers } })
          assert.doesNotMatch(answer.headers.get('vary') ?? '', /cookie/i)
          return answer.text()
        })
      )
      assert.equal(dark, plain, url)
    }
  })

  for (const [colorScheme, colour] of [
    ['light', LIGHT],
    ['dark', DARK]
  ] as const) {
    test(`without JavaScript a page is ${colorScheme} as the system says`, async () => {
      const { page } = await visit(browser, `${nonet.reference.url}/`, { colorScheme }, false)
      assert.equal(await background(page), colour)
      assert.equal(await page.locator('button.theme').isVisible(), false)
      await page.context().close()
    })
  }
})
