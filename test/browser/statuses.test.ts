import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import type { ImportedPost } from '../../src/services/statuses/import/protocol.ts'
import { PIXEL, post, siteOf, video } from '../contract/statuses-site.ts'
import {
  assertKeyboardWalk,
  assertSoundInBothColours,
  openBrowser,
  SHAPES,
  sharePages,
  visit
} from '../support/browser.ts'

const LOGGED_BY_CHROMIUM = /^Failed to load resource: .* status of 404/
const HOSTILE = '"><img src=x onerror=alert(1)></title></script><script>alert(2)</script>'
const THREAD = '1974530433555103749'
const QUOTE = '2010021726447992842'
const WARNING = '2022786197859860492'
const MAX_PAGE_BYTES = 30 * 1024

/** Pages of the sample, and the selector of what each of them shows. */
const PAGES: Readonly<Record<string, readonly [path: string, selector: string]>> = {
  'post in a thread': [`/marit/status/${THREAD}`, 'nav[aria-label="Thread"] li >> nth=1'],
  'post with a quotation': [`/marit/status/${QUOTE}`, 'blockquote .u-photo'],
  'post with a warning': [`/marit/status/${WARNING}`, 'details.warning'],
  embed: [`/marit/status/${QUOTE}/embed`, 'article'],
  profile: ['/marit', '.h-feed article'],
  month: ['/marit/archive/2025/10', 'nav.months [aria-current="page"]'],
  search: ['/search?q=clock', 'article .u-url'],
  'search help': ['/search', 'dl code'],
  'search problem': ['/search?q=from:', '[role="alert"]']
}

describe('the pages of statuses in a real browser', () => {
  let browser: Browser
  let nonet: Nonet<'statuses'>
  before(async () => {
    nonet = await start({ services: ['statuses'] })
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
        const watched = await show(options, nonet.statuses.url + path)
        await watched.page.locator(selector).first().waitFor()
        await assertSoundInBothColours(watched, `statuses ${name} ${shape}`)
        assert.ok(watched.bytes <= MAX_PAGE_BYTES, `${watched.bytes} bytes`)
        if (shape === 'desktop') await assertKeyboardWalk(watched, name)
      })
    }
  }

  test('a reader follows a thread, a month, a search and a warning without JavaScript', async () => {
    const { url } = nonet.statuses
    const { page, complaints } = await visit(browser, `${url}/`, {}, false)
    assert.equal(new URL(page.url()).pathname, '/marit')
    await page.getByRole('searchbox').fill('"189 turns"')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL(/\/search\?q=/)
    await page.locator('article').first().locator('.facts a').first().click()
    await page.waitForURL(`${url}/marit/status/${QUOTE}`)
    await page.locator('blockquote .facts a').click()
    await page.waitForURL(`${url}/marit/status/${THREAD}`)
    const thread = page.getByRole('navigation', { name: 'Thread' })
    assert.equal(await thread.getByRole('link').count(), 2)
    await thread.getByRole('link').first().click()
    await page.getByRole('navigation', { name: 'Thread' }).waitFor()
    await page.getByRole('link', { name: 'October 2025' }).click()
    await page.getByRole('link', { name: 'Feb 2 posts in 2026' }).click()
    await page.getByText('A spider, described fondly').click()
    assert.ok(await page.getByText('it has eight knees').isVisible())
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('pictures take their area before they are loaded', async () => {
    const { page } = await visit(browser, `${nonet.statuses.url}/`, {}, false)
    await page.context().route('**/media/**', (route) => route.abort())
    await page.goto(`${nonet.statuses.url}/marit/status/${THREAD}`)
    const box = await page.locator('.media img').boundingBox()
    assert.ok(box !== null && Math.abs(box.width / box.height - 800 / 480) < 0.02, `${box?.height}`)
    await page.context().close()
  })

  test('the theme of the query wins over the system, and stays in links', async () => {
    const look = { colorScheme: 'light' } as const
    const { page } = await visit(browser, `${nonet.statuses.url}/marit?theme=dark`, look, false)
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    assert.equal(await background(), 'rgb(21, 22, 26)')
    await page.getByRole('link', { name: 'Oct 3 posts in 2025' }).click()
    await page.getByRole('heading', { name: 'October 2025' }).waitFor()
    assert.equal(await background(), 'rgb(21, 22, 26)')
    await page.context().close()
  })

  test('another site may show the embed in a frame, and nothing else', async () => {
    const source = `${nonet.statuses.url}/marit/status/${QUOTE}`
    const other = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<iframe src="${source}/embed"></iframe><iframe src="${source}"></iframe>`)
    })
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const { port } = other.address() as AddressInfo
    const { page, complaints } = await visit(browser, `http://127.0.0.1:${port}/`, {})
    const [embed, refused] = [0, 1].map((index) => page.frameLocator(`iframe >> nth=${index}`))
    await embed?.locator('article').waitFor()
    assert.equal(await refused?.locator('article').count(), 0)
    assert.match(complaints.join(), /frame-ancestors/)
    await page.context().close()
    other.close()
  })
})

describe('pages of an archive with hostile texts and all kinds of media', () => {
  let browser: Browser
  let nonet: Nonet<'statuses'>
  before(async () => {
    nonet = await start({ services: ['statuses'] })
    browser = await openBrowser()
    const site = siteOf(nonet)
    const file = await site.file(PIXEL)
    const clip = await site.file(video(2000))
    const photo = { type: 'photo', file, width: 1, height: 1, sourceKey: 'pixel' } as const
    const film = { type: 'video', file: clip, width: 16, height: 9, sourceKey: 'clip' } as const
    const link = { type: 'url', start: 0, end: 4, href: 'javascript:alert(3)' } as const
    const posts: readonly Partial<ImportedPost>[] = [
      { text: HOSTILE, entities: [link], media: [{ ...photo, alt: HOSTILE }] },
      { text: 'x'.repeat(2_000), media: [photo, photo, photo] },
      { text: `${'wide'.repeat(80)}\n\n\nشكرا \u202e hidden`, media: [photo, photo, photo, photo] },
      { text: '', media: [film, photo], sensitive: true },
      { text: 'warned', summary: HOSTILE, media: [film] },
      { text: 'y '.repeat(4_000), quotedId: '60', lang: 'qme' }
    ]
    const hostile = { name: HOSTILE, bio: `${HOSTILE} ${'z'.repeat(300)}`, location: HOSTILE }
    const account = await site.account({ ...hostile, website: 'javascript:alert(4)' })
    await site.posts(account, ...posts.map((more, index) => post(String(60 + index), more)))
    const other = await site.account({ id: '13', userName: 'w'.repeat(60), name: 'W'.repeat(200) })
    await site.posts(other, post('70'))
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  const show = sharePages(() => browser)
  const paths = ['/', '/ada', `/${'w'.repeat(60)}`, '/ada/status/62', '/ada/status/64']
  for (const [shape, options] of Object.entries(SHAPES)) {
    test(`no text runs, and every page fits, ${shape}`, async () => {
      for (const path of paths) {
        const watched = await show(options, nonet.statuses.url + path)
        const shown = await watched.page.evaluate(() => ({
          images: document.querySelectorAll('img[src="x"]').length,
          scripts: document.querySelectorAll('script:not([type="application/ld+json"])').length
        }))
        assert.deepEqual(shown, { images: 0, scripts: 0 }, path)
        await assertSoundInBothColours(watched, `statuses${path.slice(0, 20)} ${shape}`)
      }
    })
  }

  const showMissing = sharePages(() => browser, 404)
  for (const [shape, options] of Object.entries(SHAPES)) {
    test(`not found, ${shape}`, async () => {
      const watched = await showMissing(options, `${nonet.statuses.url}/ada/status/404`)
      const { page, complaints } = watched
      const own = complaints.filter((text) => !LOGGED_BY_CHROMIUM.test(text))
      complaints.splice(0, complaints.length, ...own)
      await assertSoundInBothColours(watched, `statuses not found ${shape}`)
      assert.equal(await page.getByRole('heading').innerText(), 'Not found')
    })
  }
})
