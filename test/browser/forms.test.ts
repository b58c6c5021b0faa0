/** The page of forms on the console, with and without JavaScript. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { assertSoundInBothColours, openBrowser, SHAPES, visit } from '../support/browser.ts'

const SCRIPT = '<script>alert(1)</script> "Mallory" & Sons'

describe('the page of forms', () => {
  let browser: Browser
  let nonet: Nonet<'forms'>
  before(async () => {
    nonet = await start({ services: ['forms'] })
    browser = await openBrowser()
  })
  beforeEach(() => nonet.reset('forms'))
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  function open(javaScriptEnabled = true) {
    return visit(browser, `${nonet.console?.url}/forms/`, {}, javaScriptEnabled)
  }

  function submit(fields: object): Promise<Response> {
    return fetch(nonet.forms.url, { method: 'POST', body: JSON.stringify(fields) })
  }

  /** The submissions on the page, by their lines. */
  const lines = (page: Page) => page.locator('.inbox summary')

  test('shows what arrives while it is open, keeps details open, and sends again', async () => {
    const { page, complaints } = await open()
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByText('No submissions yet').waitFor()
    await page.getByLabel('email').fill('ada@example.org')
    await page.getByLabel('fullName').fill(SCRIPT)
    await page.getByLabel('message').fill('dropped by the function')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('#tried').getByText('Response 200').waitFor()
    await lines(page).filter({ hasText: SCRIPT }).waitFor()
    assert.equal(await page.getByLabel('email').inputValue(), 'ada@example.org')

    await lines(page).first().click()
    const entry = page.locator('.inbox .entry').first()
    await entry.getByText('dropped by the function').waitFor()
    assert.equal(await entry.locator('.chip').innerText(), 'dropped')
    assert.match(await entry.locator('pre').innerText(), /^user-agent: .*Chrome/m)

    await submit({ email: 'grace@example.org', fullName: 'Grace Hopper' })
    await lines(page).first().filter({ hasText: 'Grace Hopper' }).waitFor()
    assert.equal(await lines(page).count(), 2)
    await page.getByText('dropped by the function').waitFor({ state: 'visible' })

    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText(/: The webhook responded with 200/).waitFor({ state: 'visible' })
    const caught = await fetch(`${nonet.console?.url}/forms/catch.json`)
    assert.deepEqual(
      (await caught.json()).map(({ fullName }: { fullName: string }) => fullName),
      [SCRIPT, 'Grace Hopper', SCRIPT]
    )
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a click is not lost on a submission that is updated meanwhile', async () => {
    await submit({ email: 'ada@example.org', fullName: 'Ada Lovelace' })
    const { page, complaints } = await open()
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByText('Clear', { exact: true }).hover()
    await page.mouse.down()
    const loaded = page.waitForResponse(page.url())
    await submit({ email: 'grace@example.org', fullName: 'Grace Hopper' })
    await (await loaded).finished()
    await wait(200)
    await page.mouse.up()
    await page.locator('.ask[open]').waitFor()
    await lines(page).first().filter({ hasText: 'Grace Hopper' }).waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('clears after a question, also on other open pages', async () => {
    await submit({ email: 'ada@example.org', fullName: 'Ada Lovelace' })
    const [{ page }, other] = [await open(), await open()]
    await other.page.getByText('live', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete all' }).isVisible(), false)
    await page.getByText('Clear', { exact: true }).click()
    await page.getByRole('button', { name: 'Delete all' }).click()
    for (const shown of [page, other.page]) {
      await shown.getByText('No submissions yet').waitFor()
      assert.equal(await lines(shown).count(), 0)
      await shown.context().close()
    }
  })

  test('works without JavaScript', async () => {
    const { page, complaints } = await open(false)
    await page.getByText('Reload the page to see new submissions.').waitFor()
    await page.getByLabel('fullName').fill(SCRIPT)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.waitForURL('**/forms/?tried=*')
    await page.locator('#tried').getByText('Response 200').waitFor()
    await lines(page).filter({ hasText: SCRIPT }).click()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.waitForURL('**/forms/?shown=*')
    await page.getByText(/: The webhook responded with 200/).waitFor({ state: 'visible' })
    await page.getByText('Clear', { exact: true }).click()
    await page.getByRole('button', { name: 'Delete all' }).click()
    await page.waitForURL('**/forms/')
    await page.getByText('No submissions yet').waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  for (const [shape, look] of Object.entries(SHAPES)) {
    test(`is sound with an open submission, ${shape}`, async () => {
      await submit({ email: 'ada@example.org', fullName: SCRIPT, website: 'https://example.org' })
      await submit({ email: 'grace.with.a.long.address@mail.example.org' })
      const watched = await visit(browser, `${nonet.console?.url}/forms/`, look)
      for (const line of await lines(watched.page).all()) await line.click()
      await assertSoundInBothColours(watched, `forms ${shape}`)
      await watched.page.context().close()
    })
  }
})
