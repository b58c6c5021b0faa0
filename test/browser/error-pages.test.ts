/** A person who opens an unknown URL of a service finds the way back. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { assertSoundInBothColours, openBrowser, SHAPES, sharePages } from '../support/browser.ts'

const LOGGED_BY_CHROMIUM = /^Failed to load resource: .* status of 4\d\d/

const UNKNOWN: Readonly<Record<string, (nonet: Nonet) => string>> = {
  console: ({ console }) => `${console?.url}/nope`,
  reference: ({ reference }) => `${reference.url}/api/people/999/`,
  boxes: ({ boxes }) => `${boxes.url}/some-box/0123456789abcdef01234567`,
  countries: ({ countries }) => `${countries.url}/nope`,
  scenarios: ({ scenarios }) => `${scenarios.url}/nope`,
  mailbox: ({ mailbox }) => `${mailbox.url}/sandbox/messages/nope`,
  mock: ({ mock }) => `${mock.url}/nope`
}

describe('error pages in a real browser', () => {
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

  const show = sharePages(() => browser, 404)
  for (const [name, url] of Object.entries(UNKNOWN)) {
    for (const [shape, options] of Object.entries(SHAPES)) {
      test(`${name}, ${shape}`, async () => {
        const watched = await show(options, url(nonet))
        const { page, complaints } = watched
        const own = complaints.filter((text) => !LOGGED_BY_CHROMIUM.test(text))
        complaints.splice(0, complaints.length, ...own)
        await assertSoundInBothColours(watched, `error page of ${name} ${shape}`)
        assert.equal(await page.locator('h1').innerText(), 'Not found')
        if (shape !== 'desktop') return
        await page.getByRole('link', { name: /^start page of/i }).click()
        await page.waitForLoadState()
        assert.equal(await page.getByRole('heading', { name: 'Not found' }).count(), 0)
        await page.goBack()
        await page.locator('a.brand').click()
        await page.waitForURL(`${nonet.console?.url}/`)
      })
    }
  }
})
