/** The first minute of a new user, and of an operator who signs in, each as one walk. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { confirm, openBrowser, visit } from '../support/browser.ts'

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
const TOKEN = 'a-token-of-the-operator'

describe('walks in a browser', () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser.close())

  test('from the console to a URL, a form, a document, every service and back', async () => {
    await using nonet = await start()
    const home = `${nonet.console?.url}/`
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page, complaints } = await visit(browser, home, { permissions })

    const card = page.locator('#service-boxes')
    // The label lasts for a moment only.
    const copied = card.getByRole('button', { name: 'Copied' }).waitFor()
    await card.getByRole('button', { name: 'Copy the URL' }).click()
    await copied
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), nonet.boxes.url)

    await page.getByRole('link', { name: 'Open forms' }).click()
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByLabel('fullName').fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const arrived = page.locator('.inbox summary').filter({ hasText: 'Ada Lovelace' })
    await arrived.click()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText(/: The webhook responded with 200/).waitFor({ state: 'visible' })
    assert.equal((await caught(nonet)).length, 2)

    await page.getByRole('link', { name: 'nonet', exact: true }).click()
    await page.waitForURL(home)
    await card.getByRole('link', { name: 'Docs of boxes' }).click()
    await page.waitForURL('**/docs/services/boxes')
    await page.locator('pre').filter({ hasText: nonet.boxes.url }).first().waitFor()

    for (const name of NAMES) {
      await page.goto(home)
      await openFromConsole(page, name)
      // Public pages have no link to the console.
      if (name === 'statuses' || name === 'cards') await page.goBack()
      else await page.getByRole('link', { name: 'nonet', exact: true }).click()
      await page.waitForURL(home)
    }
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('of an operator who pastes the token, changes something and signs out', async () => {
    await using nonet = await start({ adminToken: TOKEN, lan: true })
    const home = `${nonet.console?.url}/`
    const { page } = await visit(browser, home, {}, false, 401)
    await page.getByLabel('Admin token').fill('another-token')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Admin token').fill(TOKEN)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(home)

    await fetch(`${nonet.mock.url}/plants`)
    await openFromConsole(page, 'mock')
    assert.equal(new URL(page.url()).search, '', 'the link that signs in is not in the history')
    await page.getByRole('link', { name: 'Journal' }).click()
    await confirm(page, 'Clear the journal', 'Clear')
    await page.getByText(/No entries/).waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Admin token').waitFor()
    await page.goto(home)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Admin token').waitFor()
    assert.deepEqual(await page.context().cookies(), [])
    await page.context().close()
  })
})

async function openFromConsole(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: `Open ${name}` }).click()
  await page.waitForLoadState()
  const shown = await page.evaluate(() => document.contentType)
  assert.equal(shown, 'text/html', name)
  assert.equal(await page.locator('h1').count(), 1, name)
}

async function caught(nonet: Nonet): Promise<unknown[]> {
  return (await (await fetch(`${nonet.console?.url}/forms/catch.json`)).json()) as unknown[]
}
