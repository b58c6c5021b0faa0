/** react-tweet 3.3.1, unmodified: the component in a page of another origin, and its functions. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import type { Entity } from '../../src/services/statuses/records/record.ts'
import { post, type Site, siteOf, video } from '../contract/statuses-site.ts'
import { openBrowser, visit } from '../support/browser.ts'
import { type ApplicationServer, serveApplication } from './react-tweet/application-server.ts'
import { redirectHosts, serverFunctions } from './react-tweet/server-functions.ts'

const { fetchTweet, getOEmbed, getTweet } = serverFunctions

const ID = {
  quoted: '1800000000000000001',
  main: '1800000000000000002',
  video: '1800000000000000003',
  reply: '1800000000000000004',
  bare: '1800000000000000005',
  hidden: '1800000000000000006',
  deleted: '1800000000000000007',
  unknown: '1800000000000000008',
  malformed: '0123'
}
const SHOWN = [ID.main, ID.video, ID.reply, ID.bare]
const NOT_SHOWN = [ID.hidden, ID.deleted, ID.unknown, ID.malformed]

const LINK = 'https://example.org/engine?a=1&b=2'
const TEXT = 'Ada & Grace <3 👩‍🚀 see LINK #engines @grace $NOTE &amp; <b>more</b>'
const ALT = 'A "drawing" of <an> engine & its wheels'

/** A part of a text, by code points. */
function entity(text: string, type: Entity['type'], part: string, more: object = {}): Entity {
  const start = Array.from(text.slice(0, text.indexOf(part))).length
  return { type, start, end: start + Array.from(part).length, ...more }
}

const ENTITIES = [
  entity(TEXT, 'url', 'LINK', { href: LINK, display: 'example.org/engine?a=1&b=2' }),
  entity(TEXT, 'hashtag', '#engines'),
  entity(TEXT, 'mention', '@grace', { href: 'https://x.com/grace' }),
  entity(TEXT, 'symbol', '$NOTE')
]

async function drawJpeg(browser: Browser): Promise<Uint8Array> {
  const page = await browser.newPage()
  const data = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 1200
    canvas.height = 800
    canvas.getContext('2d')?.fillRect(100, 100, 500, 500)
    return canvas.toDataURL('image/jpeg')
  })
  await page.close()
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64')
}

async function storePosts(site: Site, jpeg: Uint8Array): Promise<void> {
  const picture = await site.file(jpeg)
  const clip = await site.file(video(5_000))
  const avatar = { file: picture, sourceKey: 'avatar' }
  const account = await site.account({ name: 'Ada <i>Lovelace</i> & Co', avatar })
  const size = { width: 1200, height: 800 }
  const counts = { likes: 1234, reposts: 5, replies: 6, quotes: 7 }
  const quotedText = 'Quoted <u>text</u> & LINK'
  await site.posts(
    account,
    post(ID.quoted, {
      text: quotedText,
      entities: [entity(quotedText, 'url', 'LINK', { href: LINK, display: '<b>example</b>' })],
      lang: 'en'
    }),
    post(ID.main, {
      text: TEXT,
      entities: ENTITIES,
      lang: 'en',
      createdAt: '2024-06-10T10:20:30.000Z',
      quotedId: ID.quoted,
      counts,
      media: [{ type: 'photo', file: picture, alt: ALT, sourceKey: 'photo', ...size }]
    }),
    post(ID.video, {
      text: '',
      media: [
        {
          type: 'video',
          file: clip,
          posterHash: picture.hash,
          posterKey: 'poster',
          sourceKey: 'video',
          bitrate: 832_000,
          durationMs: 1_000,
          ...size
        }
      ]
    }),
    post(ID.reply, {
      kind: 'reply',
      text: 'Continued',
      lang: 'en',
      replyTo: { id: ID.main, userName: 'ada' }
    }),
    post(ID.bare, {
      text: 'Clip without poster, size and bit rate',
      lang: 'en',
      media: [
        { type: 'animated_gif', file: clip, sourceKey: 'bare', alt: 'Waves', width: 0, height: 0 }
      ]
    }),
    post(ID.hidden, { visibility: 'hidden' }),
    post(ID.deleted, { visibility: 'deleted' })
  )
}

describe('react-tweet', () => {
  let nonet: Nonet<'statuses'>
  let application: ApplicationServer
  let browser: Browser
  let page: Page
  let complaints: string[]
  before(async () => {
    ;[nonet, application, browser] = await Promise.all([
      start({ services: ['statuses'] }),
      serveApplication(),
      openBrowser()
    ])
    await storePosts(siteOf(nonet), await drawJpeg(browser))
    const url = application.urlOf(nonet.statuses.url, [...SHOWN, ...NOT_SHOWN])
    ;({ page, complaints } = await visit(browser, url, {}))
    await page
      .getByText('Tweet not found')
      .nth(NOT_SHOWN.length - 1)
      .waitFor()
    for (const id of SHOWN) await page.locator(`#post-${id} time`).waitFor()
  })
  after(async () => {
    await browser.close()
    await application[Symbol.asyncDispose]()
    await nonet.stop()
  })

  test('shows the text and its links', async () => {
    const body = page.locator(`#post-${ID.main} p[lang]`).first()
    assert.equal(
      await body.textContent(),
      TEXT.replace('LINK', 'example.org/engine?a=1…'),
      'the text is shown as it was written'
    )
    const links = await body
      .locator('a')
      .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]))
    assert.deepEqual(links, [
      ['example.org/engine?a=1…', LINK],
      ['#engines', 'https://x.com/hashtag/engines'],
      ['@grace', 'https://x.com/grace'],
      ['$NOTE', 'https://x.com/search?q=%24NOTE']
    ])
    assert.equal(await body.locator('b').count(), 0)
  })

  test('shows author, time and counts', async () => {
    const shown = page.locator(`#post-${ID.main}`)
    await shown.getByText('Ada <i>Lovelace</i> & Co', { exact: true }).first().waitFor()
    await shown.getByText('@ada', { exact: true }).first().waitFor()
    assert.equal(await shown.locator('time').getAttribute('datetime'), '2024-06-10T10:20:30.000Z')
    await shown.getByText('1.2K', { exact: true }).waitFor()
    await shown.getByText('Read 6 replies').waitFor()
    const avatar = shown.locator('img[width="48"]')
    assert.ok(await avatar.evaluate(isLoaded))
  })

  test('shows the image by its rewritten URL, with its description', async () => {
    const image = page.locator(`#post-${ID.main} img[alt='${ALT}']`)
    const source = new URL((await image.getAttribute('src')) ?? '')
    assert.match(source.pathname, /^\/media\/[0-9a-f]{64}$/)
    assert.equal(source.search, '?format=jpg&name=small')
    assert.ok(await image.evaluate(isLoaded))
    const { status, headers } = await fetch(source)
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/jpeg'])
  })

  test('shows the poster of a video, which can be fetched in parts', async () => {
    const clip = page.locator(`#post-${ID.video} video`)
    const poster = new URL((await clip.getAttribute('poster')) ?? '')
    assert.equal(poster.search, '?format=jpg&name=small')
    assert.equal((await fetch(poster)).headers.get('content-type'), 'image/jpeg')
    const source = clip.locator('source')
    assert.equal(await source.getAttribute('type'), 'video/mp4')
    const url = (await source.getAttribute('src')) ?? ''
    const part = await fetch(url, { headers: { range: 'bytes=0-3' } })
    assert.equal(part.status, 206)
    const bare = page.locator(`#post-${ID.bare} video`)
    const picture = await fetch((await bare.getAttribute('poster')) ?? '')
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/svg+xml'])
  })

  test('shows the quoted post and what a reply replies to', async () => {
    const quoted = page.locator(`#post-${ID.main} article article p`)
    assert.equal(await quoted.textContent(), 'Quoted <u>text</u> & …')
    assert.equal(await quoted.locator('u, b').count(), 0)
    const reply = page.locator(`#post-${ID.reply}`).getByText('Replying to @ada')
    assert.equal(await reply.getAttribute('href'), `https://x.com/ada/status/${ID.main}`)
  })

  test('shows that unknown, hidden and deleted posts are not found', async () => {
    for (const id of NOT_SHOWN) {
      await page.locator(`#post-${id}`).getByText('Tweet not found').waitFor()
    }
    const unexpected = complaints.filter((one) => !one.includes('status of 404'))
    assert.deepEqual(unexpected, [])
    assert.equal(complaints.length, NOT_SHOWN.length)
  })

  test('its server functions read posts, and tell which are not found', async (t) => {
    using _redirected = redirectHosts(nonet.statuses.url)
    const told = t.mock.method(console, 'error', () => {})
    const found = await fetchTweet(ID.main)
    assert.deepEqual(Object.keys(found), ['data'])
    assert.deepEqual(await getTweet(ID.main), found.data)
    assert.equal(found.data?.__typename, 'Tweet')
    assert.equal(found.data?.id_str, ID.main)
    assert.equal(found.data?.quoted_tweet?.id_str, ID.quoted)
    assert.equal(found.data?.user.screen_name, 'ada')
    assert.equal(told.mock.callCount(), 0)
    for (const id of NOT_SHOWN) assert.deepEqual(await fetchTweet(id), { notFound: true }, id)
    assert.equal(await getTweet(ID.hidden), undefined)
    assert.match(String(told.mock.calls[0]?.arguments[0]), /does not exist or has been deleted/)
  })

  test('its function for oEmbed resolves URLs of the old site', async () => {
    using _redirected = redirectHosts(nonet.statuses.url)
    const found = await getOEmbed(`https://twitter.com/somebody/status/${ID.reply}`)
    assert.equal(found?.url, `${nonet.statuses.url}/ada/status/${ID.reply}`)
    assert.match(found?.html ?? '', /Continued/)
    assert.equal(await getOEmbed(`https://x.com/ada/status/${ID.hidden}`), undefined)
  })
})

/** Runs in the page. */
async function isLoaded(image: Element): Promise<boolean> {
  if (!(image instanceof HTMLImageElement)) return false
  image.loading = 'eager'
  await image.decode()
  return image.naturalWidth > 0
}
