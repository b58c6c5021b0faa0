/** From the console to a built site: what a new user does with cards, in one go. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { LOOKS, openBrowser, visit } from '../support/browser.ts'
import {
  choose,
  drag,
  lane,
  namesIn,
  openFromConsole,
  press,
  shows,
  tile
} from '../support/cards-board-page.ts'
import { jpeg } from '../support/cards-files.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { startFileHost } from '../support/file-host.ts'
import { buildPortfolio } from '../support/portfolio.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const DESKTOP = LOOKS['desktop light'] ?? {}
const PHONE: BrowserContextOptions = { ...LOOKS['phone light'], hasTouch: true }
const MENU_USERS = [
  ['without JavaScript', DESKTOP, false],
  ['on a phone', PHONE, true]
] as const
const NEW_IN_DRAFT = 'Name of a new card in Draft'

for (const engine of ENGINES) {
  describe(`from the console to a site, on ${engine}`, () => {
    let browser: Browser
    let nonet: Nonet<'cards'>
    before(async () => {
      nonet = await start({ services: ['cards'], ...engineOptions(engine) })
      browser = await openBrowser()
    })
    after(async () => {
      await browser.close()
      await nonet.stop()
    })

    test('two windows, mouse, keyboard, undo and conflict', async () => {
      const { page, complaints } = await openFromConsole(browser, nonet, DESKTOP)
      await createBoard(page, 'Workshop')
      const other = await page.context().newPage()
      other.on('pageerror', (error) => complaints.push(String(error)))
      await other.goto(page.url())

      await page.getByLabel(NEW_IN_DRAFT).fill('Lamp')
      await page.keyboard.press('Enter')
      await shows(other, 'Draft', ['Lamp'])
      await createCard(page, 'Stool')
      await shows(other, 'Draft', ['Lamp', 'Stool'])
      await tile(page, 'Lamp').getByRole('link').click()
      await page.locator('#f-file').setInputFiles(await photos('Lamp'))
      await page.locator('#images > li').nth(1).waitFor()
      await page.getByRole('link', { name: 'Back to the board' }).click()

      await drag(page, tile(page, 'Stool'), lane(page, 'Published'), 'below')
      await shows(other, 'Published', ['Stool'])
      await tile(page, 'Lamp').getByRole('link').focus()
      await press(page, 'Space', 'ArrowRight', 'Space')
      await shows(other, 'Published', ['Lamp', 'Stool'])
      await page.reload()
      assert.deepEqual(await namesIn(page, 'Published'), ['Lamp', 'Stool'])

      await assertOnSite('workshop', await createKey(page))
      await page.getByRole('link', { name: 'Workshop' }).click()

      await choose(other, 'Stool', 'Unpublish')
      await shows(page, 'Draft', ['Stool'])
      await other.reload()
      await other.getByRole('button', { name: 'Undo' }).click()
      await shows(page, 'Published', ['Lamp', 'Stool'])

      await tile(page, 'Lamp').getByRole('link').focus()
      await press(page, 'Space', 'ArrowLeft')
      await tile(other, 'Lamp').getByRole('link').click()
      await other.waitForURL(/\/c\//)
      await other.getByLabel('Title').fill('Reading lamp')
      await other.getByRole('button', { name: 'Save' }).click()
      await other.locator('#status', { hasText: 'Saved at' }).waitFor()
      await press(page, 'Space')
      await page.getByRole('alert').getByText('Meanwhile “Reading lamp” was changed').waitFor()
      await shows(page, 'Published', ['Reading lamp', 'Stool'])
      assert.deepEqual(
        complaints.filter((text) => !text.includes('status of 409')),
        []
      )
      await page.context().close()
    })

    for (const [title, look, hasScripts] of MENU_USERS) {
      // The requests are the same on both engines.
      if (engine !== 'sqlite') continue
      test(`the same by menus, ${title}`, async () => {
        const { page, complaints } = await openFromConsole(browser, nonet, look, hasScripts)
        const name = hasScripts ? 'Pocket' : 'Plain'
        await createBoard(page, name)
        await page.getByLabel(NEW_IN_DRAFT).fill('Draft only')
        await lane(page, 'Draft').getByRole('button', { name: 'Add' }).click()
        await shows(page, 'Draft', ['Draft only'])
        for (const card of ['Lamp', 'Stool']) {
          await createCard(page, card)
          await assertNoSidewaysScroll(page)
          await choose(page, card, 'Publish')
        }
        await shows(page, 'Published', ['Lamp', 'Stool'])
        await tile(page, 'Draft only').locator('summary').click()
        await tile(page, 'Draft only').getByLabel('Move to').selectOption('Published')
        await tile(page, 'Draft only').getByRole('button', { name: 'Move', exact: true }).click()
        await shows(page, 'Published', ['Lamp', 'Stool', 'Draft only'])
        await tile(page, 'Draft only').locator('summary').click()
        await tile(page, 'Draft only').getByRole('link', { name: 'Delete…' }).click()
        await page.getByRole('heading', { name: 'Delete this card?' }).waitFor()
        await page.getByRole('button', { name: 'Delete the card' }).click()
        await page.getByText('“Draft only” was deleted.').waitFor()
        await page.reload()
        assert.deepEqual(await namesIn(page, 'Published'), ['Lamp', 'Stool'])
        await assertOnSite(name.toLowerCase(), await createKey(page))
        assert.deepEqual(complaints, [])
        await page.context().close()
      })
    }

    /** Builds the example and looks at its pages. */
    async function assertOnSite(slug: string, key: string): Promise<void> {
      await using host = await startFileHost()
      host.folder = scratchFolder()
      const run = await buildPortfolio(host.folder, {
        CARDS_URL: `${nonet.cards.url}/content/${slug}`,
        CARDS_KEY: key
      })
      assert.equal(run.code, 0, run.output)
      const { page, complaints } = await visit(browser, `${host.url}/`, {})
      assert.deepEqual((await page.locator('h2').allTextContents()).toSorted(), ['Lamp', 'Stool'])
      assert.equal(await countImages(page), 2)
      await page.getByRole('link', { name: 'Stool' }).first().click()
      await page.waitForURL(/stool\.html$/)
      assert.equal(await countImages(page), 2)
      const text = (await page.textContent('main')) ?? ''
      for (const wanted of ['oak', '2026']) assert.ok(text.includes(wanted), text)
      assert.ok((await page.locator('a[href="https://example.org/stool"]').count()) > 0)
      assert.deepEqual(complaints, [])
      await page.context().close()
    }
  })
}

async function createBoard(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(new RegExp(`/b/\\w{8}/${name.toLowerCase()}$`))
  await assertNoSidewaysScroll(page)
}

/** Fills the form of a new card, creates it and returns to the board. */
async function createCard(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'New card' }).click()
  await page.waitForURL(/\/-\/new$/)
  await page.getByLabel('Title').fill(name)
  await page.locator('#f-file').setInputFiles(await photos(name))
  const oak = page.getByLabel('oak')
  if ((await oak.count()) > 0) await oak.check({ force: true })
  else {
    await page.getByText('New label').click()
    await page.getByLabel('Name', { exact: true }).fill('oak')
  }
  await page.getByLabel('Completed').fill('2026-05-12')
  await page.getByLabel('URL', { exact: true }).fill(`https://example.org/${name.toLowerCase()}`)
  await page.getByRole('button', { name: 'Create card' }).click()
  await page.waitForURL(new RegExp(name.toLowerCase()))
  assert.equal(await page.locator('#images > li').count(), 2)
  await page.getByRole('link', { name: 'Back to the board' }).click()
  await tile(page, name).waitFor()
}

async function photos(name: string) {
  const file = (part: string, buffer: Buffer) => ({
    ...{ name: `${name} ${part}.jpg`, mimeType: 'image/jpeg', buffer }
  })
  // Of a colour of its own: equal bytes are stored once.
  const colour = name === 'Lamp' ? '#c0a020' : '#2060a0'
  return [file('front', await jpeg(900, 600, colour)), file('side', await jpeg(600, 600, colour))]
}

/** Follows the link of the board, and reads the key that is shown once. */
async function createKey(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Publishable key' }).click()
  await page.waitForURL(/settings#keys$/)
  await page.locator('#keys').getByLabel('Name').fill('my site')
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByRole('heading', { name: 'The new publishable key' }).waitFor()
  const [key] = /pk_\w+/.exec((await page.textContent('main')) ?? '') ?? []
  assert.ok(key)
  return key
}

async function countImages(page: Page): Promise<number> {
  return page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    await Promise.all([...document.images].map((image) => image.decode()))
    return [...document.images].filter(({ naturalWidth }) => naturalWidth > 0).length
  })
}

async function assertNoSidewaysScroll(page: Page): Promise<void> {
  const { scrollWidth, clientWidth } = await page
    .locator('html')
    .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))
  assert.ok(scrollWidth <= clientWidth, `${page.url()} scrolls sideways`)
}
