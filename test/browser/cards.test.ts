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
import { exportFolder, importCards, objectId } from '../support/cards-import.ts'

const HOSTILE = '"><img src=x onerror=alert(1)></title><script>alert(2)</script>'
const MAX_PAGE_BYTES = 30 * 1024

/** Pages of the sample, and the selector of what each of them shows. */
const PAGES: Readonly<Record<string, readonly [path: string, selector: string]>> = {
  boards: ['/', '.boards a'],
  board: ['/b/PrtFl1o9/portfolio', '.tile img'],
  card: ['/c/Hb7rLt2q/1-harbour-lights', 'article picture']
}

describe('the pages of cards in a real browser', () => {
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

  const show = sharePages(() => browser)
  for (const [shape, options] of Object.entries(SHAPES)) {
    for (const [name, [path, selector]] of Object.entries(PAGES)) {
      test(`${name}, ${shape}`, async () => {
        const watched = await show(options, nonet.cards.url + path)
        await watched.page.locator(selector).first().waitFor()
        await assertSoundInBothColours(watched, `cards ${name} ${shape}`)
        assert.ok(watched.bytes <= MAX_PAGE_BYTES, `${watched.bytes} bytes`)
        if (shape === 'desktop') await assertKeyboardWalk(watched, name)
      })
    }
  }

  test('a reader goes from the boards to a card and back without JavaScript', async () => {
    const { url } = nonet.cards
    const { page, complaints } = await visit(browser, `${url}/`, {}, false)
    await page.getByRole('link', { name: 'Portfolio' }).click()
    await page.waitForURL(`${url}/b/PrtFl1o9/portfolio`)
    assert.equal(await page.getByText('Museum of small things').count(), 0)
    await page.getByRole('link', { name: 'Tide clock' }).click()
    await page.waitForURL(`${url}/c/Td2kCk7z/5-tide-clock`)
    assert.equal(await page.getByRole('link', { name: 'tide-clock.example' }).count(), 1)
    await page.getByRole('link', { name: 'Portfolio' }).click()
    await page.waitForURL(`${url}/b/PrtFl1o9/portfolio`)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('another slug leads to the right one, and drafts look like unknown cards', async () => {
    const { url } = nonet.cards
    const get = (path: string) => fetch(url + path, { redirect: 'manual' })
    for (const path of ['/b/PrtFl1o9', '/b/PrtFl1o9/other', '/b/PrtFl1o9/portfolio%2F..']) {
      const response = await get(path)
      assert.deepEqual(
        [response.status, response.headers.get('location')],
        [301, `${url}/b/PrtFl1o9/portfolio`]
      )
    }
    const draft = await get('/c/Ms6mTg4u/6-museum-of-small-things')
    const unknown = await get('/c/AAAAAAAA/6-museum-of-small-things')
    assert.deepEqual([draft.status, await draft.text()], [404, await unknown.text()])
    assert.equal((await get('/robots.txt')).status, 200)
    assert.equal((await get('/favicon.svg')).headers.get('content-type'), 'image/svg+xml')
    assert.equal((await fetch(`${url}/`, { method: 'POST' })).status, 405)
  })

  test('texts of a board are shown as texts', async () => {
    await using other = await start({ services: ['cards'] })
    const card = {
      id: objectId(3),
      name: HOSTILE,
      desc: HOSTILE,
      idList: objectId(2),
      shortLink: 'hoSt1234',
      idShort: 1,
      idLabels: [objectId(4)]
    }
    await importCards(
      other,
      exportFolder({
        ...{
          name: HOSTILE,
          desc: HOSTILE,
          shortLink: 'hoStb234',
          prefs: { permissionLevel: 'public' }
        },
        lists: [{ id: objectId(2), name: HOSTILE }],
        labels: [{ id: objectId(4), name: HOSTILE, color: 'red' }],
        cards: [card]
      })
    )
    for (const path of ['/', '/b/hoStb234', '/c/hoSt1234']) {
      const { page, complaints } = await visit(browser, other.cards.url + path, {}, true)
      assert.equal(await page.locator('img[src="x"], main script').count(), 0)
      assert.match((await page.textContent('body')) ?? '', /onerror=alert\(1\)/)
      assert.deepEqual(complaints, [])
      await page.context().close()
    }
  })
})
