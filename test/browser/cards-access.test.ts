import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { siteOf } from '../contract/cards-site.ts'
import {
  assertKeyboardWalk,
  assertSoundInBothColours,
  openBrowser,
  SHAPES,
  visit
} from '../support/browser.ts'
import { openFromConsole, pasteToken } from '../support/cards-board-page.ts'
import { exportFolder, objectId } from '../support/cards-import.ts'

const EXPORT = {
  id: objectId(900),
  name: 'Boat yard',
  lists: [{ id: objectId(901), name: 'Published', pos: 1 }],
  cards: [{ id: objectId(902), name: 'Dinghy', idList: objectId(901), pos: 1 }],
  labels: []
}

describe('signed-in pages of cards in a real browser', () => {
  let browser: Browser
  let nonet: Nonet<'cards'>
  before(async () => {
    nonet = await start({ services: ['cards'] })
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  const openConsole = (options?: BrowserContextOptions, hasScripts?: boolean) =>
    openFromConsole(browser, nonet, options, hasScripts)
  const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' })

  for (const [shape, options] of Object.entries(SHAPES)) {
    test(`from the console to boards, settings and a key, ${shape}`, async () => {
      const watched = await openConsole(options)
      const { page } = watched
      assert.equal(page.url().includes('signin'), false)
      await signOut(page).waitFor()
      await assertSoundInBothColours(watched, `cards boards ${shape}`)
      if (shape === 'desktop') await assertKeyboardWalk(watched, 'cards boards')
      await page.getByRole('link', { name: 'Settings of Portfolio' }).click()
      await page.waitForURL(/\/-\/settings$/)
      await assertSoundInBothColours(watched, `cards settings ${shape}`)
      if (shape === 'desktop') await assertKeyboardWalk(watched, 'cards settings')
      await page.locator('#keys').getByLabel('Name').fill(`site ${shape}`)
      await page.getByRole('button', { name: 'Make a key' }).click()
      await page.getByRole('heading', { name: 'The new publishable key' }).waitFor()
      await assertSoundInBothColours(watched, `cards key ${shape}`)
      await page.goto(`${nonet.cards.url}/b/PrtFl1o9/-/delete`)
      await assertSoundInBothColours(watched, `cards delete ${shape}`)
      assert.deepEqual(watched.complaints, [])
      await page.context().close()
    })

    test(`signing in with a token, and out, ${shape}`, async () => {
      const { secret, id } = await siteOf(nonet).token({ name: `laptop ${shape}` })
      const watched = await visit(browser, `${nonet.cards.url}/sign-in`, options)
      const { page } = watched
      await assertSoundInBothColours(watched, `cards sign-in ${shape}`)
      await pasteToken(page, secret)
      await signOut(page).click()
      await page.getByRole('heading', { name: 'Boards' }).waitFor()
      assert.equal(await signOut(page).count(), 0)
      await page.goto(`${nonet.cards.url}/sign-in`)
      await pasteToken(page, secret)
      await signOut(page).waitFor()
      assert.deepEqual(watched.complaints, [])
      await siteOf(nonet).revoke(id)
      await page.reload()
      assert.equal(await signOut(page).count(), 0)
      await page.goto(`${nonet.cards.url}/sign-in`)
      await pasteToken(page, secret)
      await page.getByRole('alert').getByText('unknown, expired or revoked').waitFor()
      await page.context().close()
    })
  }

  // An import removes the sample, so these come first.
  test('a read-only token sees the boards and no form', async () => {
    const { secret } = await siteOf(nonet).token({ scopes: ['read'] })
    const { page } = await visit(browser, `${nonet.cards.url}/sign-in`, {})
    await pasteToken(page, secret)
    await page.getByText('may only read').waitFor()
    assert.equal(await page.locator('main form').count(), 0)
    await page.goto(`${nonet.cards.url}/b/PrtFl1o9/-/settings`)
    assert.equal(await page.locator('main button').count(), 0)
    await page.context().close()
  })

  test('a page of another origin changes nothing, and a private board looks unknown', async () => {
    const { page } = await openConsole()
    const [{ value } = { value: '' }] = await page.context().cookies(nonet.cards.url)
    assert.match(value, /^[\w-]{43}$/)
    const statuses = await page.evaluate(async (url) => {
      const post = (path: string) =>
        fetch(url + path, { method: 'POST', headers: { accept: 'application/json' } })
      return [(await post('/boards')).status, (await post('/remove-sample')).status]
    }, nonet.cards.url)
    assert.deepEqual(statuses, [403, 403])
    // Another port of the same host is the same site, so the browser sends the cookie.
    const elsewhere = 'http://127.0.0.1:25999/'
    const form = `<form method="post" action="${nonet.cards.url}/remove-sample"><button>Go</button></form>`
    await page.route(elsewhere, (route) => route.fulfill({ contentType: 'text/html', body: form }))
    await page.goto(elsewhere)
    await page.getByRole('button', { name: 'Go' }).click()
    await page.getByText('Signed-in browsers may change state only from pages of').first().waitFor()
    await page.goto(`${nonet.cards.url}/`)
    await page.getByText('· sample').waitFor()
    await page.context().close()

    const { secret } = await siteOf(nonet).token()
    const made = await siteOf(nonet).json('/boards?name=Hidden', { method: 'POST', token: secret })
    const { shortLink } = await siteOf(nonet).json(`/boards/${made.id}?fields=shortLink`, {
      token: secret
    })
    const unknown = await visit(browser, `${nonet.cards.url}/b/AAAAAAAA`, {}, true, 404)
    const text = async () => (await unknown.page.content()).replaceAll(shortLink, 'AAAAAAAA')
    const before = await text()
    await unknown.page.goto(`${nonet.cards.url}/b/${shortLink}`)
    assert.equal(await text(), before)
    await unknown.page.getByRole('link', { name: 'Sign in' }).click()
    await unknown.page.waitForURL(`${nonet.cards.url}/sign-in`)
    await unknown.page.context().close()
  })

  for (const hasScripts of [true, false]) {
    test(`create, import and change a board, ${hasScripts ? 'with' : 'without'} JavaScript`, async () => {
      const { page, complaints } = await openConsole({}, hasScripts)
      const name = hasScripts ? 'Lamps' : 'Chairs'
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('Public:').check()
      await page.getByRole('button', { name: 'Create' }).click()
      await page.waitForURL(new RegExp(`/b/\\w{8}/${name.toLowerCase()}$`))
      const board = new URL(page.url()).pathname.split('/')[2]
      await page.goto(`${nonet.cards.url}/b/${board}/-/settings`)

      const lists = page.locator('#list-rows input[name=name]')
      const names = () =>
        lists.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
      await page.locator('#lists').getByLabel('New list').fill('Ideas')
      await page.locator('#lists').getByRole('button', { name: 'Add' }).click()
      await page.locator('#list-rows').getByRole('button', { name: 'Move Ideas left' }).click()
      await page.waitForLoadState()
      assert.deepEqual(await names(), ['Draft', 'Published', 'Ideas', 'Archive'])
      await page.locator('#lists').getByRole('button', { name: 'Archive Ideas' }).click()
      await page.getByRole('button', { name: 'Restore Ideas' }).waitFor()

      await page.locator('#labels').getByLabel('New label').fill('oak')
      await page.locator('#labels').getByRole('button', { name: 'Add' }).click()
      const label = page.locator('#labels li', { hasText: 'oak' })
      await label.locator('summary').click()
      await page.getByRole('button', { name: 'Delete the label oak' }).click()
      await label.waitFor({ state: 'detached' })

      await page.locator('#board').getByLabel('Slug').fill('Not A Slug')
      await page.locator('#board').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').getByText('slug must have').waitFor()
      assert.equal(await page.locator('#board').getByLabel('Slug').inputValue(), 'Not A Slug')

      await page.goto(`${nonet.cards.url}/`)
      const file = join(exportFolder(EXPORT), 'board.json')
      await page.getByLabel('An export of a board').setInputFiles(file)
      await page.getByLabel('As a copy').check()
      await page.getByRole('button', { name: 'Import' }).click()
      await page.getByRole('heading', { name: 'Imported Boat yard' }).waitFor()
      await page.getByRole('link', { name: 'Boat yard' }).first().click()
      await page.waitForURL(/\/boat-yard(-\d)?$/)

      await page.goto(`${nonet.cards.url}/b/${board}/-/delete`)
      await page.getByRole('button', { name: 'Delete the board' }).click()
      await page.waitForURL(`${nonet.cards.url}/`)
      assert.equal(await page.getByText(name, { exact: true }).count(), 0)
      const expected = complaints.filter((text) => !/status of 400/.test(text))
      assert.deepEqual(expected, [])
      await page.context().close()
    })
  }

  test('a dropped file is imported', async () => {
    const { page, complaints } = await openConsole()
    const text = JSON.stringify({ ...EXPORT, id: objectId(990), name: 'Dropped yard' })
    const data = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([content], 'board.json', { type: 'application/json' }))
      return transfer
    }, text)
    await page.getByLabel('As a copy').check()
    await page.dispatchEvent('#import-form', 'drop', { dataTransfer: data })
    await page.getByRole('heading', { name: 'Imported Dropped yard' }).waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
})
