/** Readers of oEmbed, feeds and microformats from npm, unmodified. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { extract, setProviderList } from '@extractus/oembed-extractor'
import { parseFeed } from 'feedsmith'
import { mf2 } from 'microformats-parser'
import RssParser from 'rss-parser'
import { type Nonet, start } from '../../src/host/start.ts'
import { PIXEL, post, type Site, siteOf } from '../contract/statuses-site.ts'

const ID = {
  first: '1800000000000000001',
  second: '1800000000000000002',
  hidden: '1800000000000000003'
}
const TEXT = 'Ada & Grace <3 😀\nsee LINK #engines'
const SHOWN = TEXT.replace('LINK', 'example.org/a')
const START = Array.from(TEXT.slice(0, TEXT.indexOf('LINK'))).length
const CREATED = '2024-06-10T10:20:30.000Z'
const NAME = 'Ada <Lovelace> & Co'
const ALT = 'A "drawing"'

async function storePosts(site: Site): Promise<void> {
  const file = await site.file(PIXEL)
  const account = await site.account({
    name: NAME,
    bio: 'Writes about <engines> & more.',
    avatar: { file, sourceKey: 'avatar' }
  })
  await site.posts(
    account,
    post(ID.first, { text: 'The first', lang: 'en' }),
    post(ID.second, {
      text: TEXT,
      entities: [
        {
          type: 'url',
          start: START,
          end: START + 4,
          href: 'https://example.org/a?b=1&c=2',
          display: 'example.org/a'
        },
        { type: 'hashtag', start: START + 5, end: START + 13 }
      ],
      lang: 'en',
      createdAt: CREATED,
      quotedId: ID.first,
      media: [{ type: 'photo', file, alt: ALT, width: 1, height: 1, sourceKey: 'photo' }]
    }),
    post(ID.hidden, { visibility: 'hidden', text: 'Secret' })
  )
}

describe('readers of public posts', () => {
  let nonet: Nonet<'statuses'>
  let base: string
  let url: string
  before(async () => {
    nonet = await start({ services: ['statuses'] })
    await storePosts(siteOf(nonet))
    base = nonet.statuses.url
    url = `${base}/ada/status/${ID.second}`
  })
  after(() => nonet.stop())

  /** The client always uses `https:` for providers. */
  const withoutTls = (target: string | URL | Request) =>
    fetch(String(target).replace(/^https:\/\/127\./, 'http://127.'))

  test('oembed-extractor finds the endpoint by the link of the page', async () => {
    setProviderList([])
    const found = await extract(url, { maxwidth: 300 })
    assert.equal(found.method, 'auto-discovery')
    assertOembed(found, 300)
    await assert.rejects(extract(`${base}/ada/status/${ID.hidden}`), /error code 404/)
  })

  test('oembed-extractor resolves URLs of the old site with a provider of ours', async () => {
    const schemes = ['https://twitter.com/*', 'https://x.com/*', `${base}/*`]
    const endpoints = [{ schemes, url: `${base}/oembed` }]
    setProviderList([{ provider_name: 'ours', provider_url: base, endpoints }])
    for (const wanted of [`https://twitter.com/somebody/status/${ID.second}`, url]) {
      const found = await extract(wanted, {}, withoutTls)
      assert.equal(found.method, 'provider-api')
      assertOembed(found, 550)
    }
    const hidden = `https://x.com/ada/status/${ID.hidden}`
    await assert.rejects(extract(hidden, {}, withoutTls), /error code 404/)
  })

  function assertOembed(found: object, width: number): void {
    const { html, method: _method, ...rest } = found as Record<string, unknown>
    assert.deepEqual(rest, {
      version: '1.0',
      type: 'rich',
      url,
      author_name: NAME,
      author_url: `${base}/ada`,
      provider_name: new URL(base).host,
      provider_url: base,
      cache_age: 86_400,
      width,
      height: null
    })
    assert.match(String(html), /^<blockquote class="nonet-status" cite=".*Ada &amp; Grace &lt;3 😀/)
    assert.match(String(html), /10 June 2024/)
  }

  test('rss-parser reads author, URL, date and text', async () => {
    const feed = await new RssParser().parseURL(`${base}/ada/feed.xml`)
    assert.equal(feed.title, `${NAME} (@ada)`)
    assert.equal(feed.link, `${base}/ada`)
    assert.equal(feed.description, 'Writes about <engines> & more.')
    assert.deepEqual(
      feed.items.map(({ link }) => link),
      [url, `${base}/ada/status/${ID.first}`]
    )
    const [item] = feed.items
    assert.equal(item?.guid, url)
    assert.equal(item?.isoDate, CREATED)
    assert.equal(item?.creator, `${NAME} (@ada)`)
    assert.deepEqual(item?.categories, ['engines'])
    assert.match(
      item?.content ?? '',
      /^<p>Ada &amp; Grace &lt;3 😀<br>\nsee <a href="https:\/\/example/
    )
    assert.match(item?.content ?? '', /<img src="http[^"]+\.png" [^>]*alt="A &quot;drawing&quot;">/)
    assert.match(item?.contentSnippet ?? '', /^Ada & Grace <3 😀/)
  })

  test('feedsmith reads both feeds', async () => {
    const rss = parseFeed(await (await fetch(`${base}/ada/feed.xml`)).text())
    assert.equal(rss.format, 'rss')
    assert.equal(rss.feed.items?.[0]?.link, url)
    assert.equal(rss.feed.items?.[0]?.dc?.creators?.[0], `${NAME} (@ada)`)
    const json = parseFeed(await (await fetch(`${base}/ada/feed.json`)).text())
    assert.equal(json.format, 'json')
    const { title, authors, items } = json.feed
    assert.equal(title, `${NAME} (@ada)`)
    assert.equal(authors?.[0]?.url, `${base}/ada`)
    assert.equal(items?.length, 2)
    const [item] = items ?? []
    assert.equal(item?.url, url)
    assert.equal(item?.content_text, TEXT)
    assert.equal(new Date(item?.date_published ?? '').toISOString(), CREATED)
    assert.equal(item?.attachments?.[0]?.title, ALT)
  })

  test('microformats-parser finds the post with author, URL, date, text and quotation', async () => {
    const { items, rels } = mf2(await (await fetch(url)).text(), { baseUrl: url })
    assert.deepEqual(rels.canonical, [url])
    const [entry, ...others] = items
    assert.deepEqual([entry?.type, others], [['h-entry'], []])
    const properties = entry?.properties
    assert.deepEqual(properties?.url, [url])
    assert.deepEqual(properties?.uid, [url])
    assert.deepEqual(properties?.published, [CREATED])
    assert.deepEqual(properties?.category, ['#engines'])
    const [content] = properties?.content ?? []
    assert.equal((content as { value: string }).value, SHOWN)
    const photo = properties?.photo?.[0] as { alt: string; value: string }
    assert.equal(photo.alt, ALT)
    assert.equal((await fetch(photo.value)).headers.get('content-type'), 'image/png')
    const author = properties?.author?.[0] as { type: string[]; properties: object }
    assert.deepEqual(author.type, ['h-card'])
    const { name, url: authorUrl } = author.properties as Record<string, string[]>
    assert.deepEqual([name, authorUrl], [[NAME], [`${base}/ada`]])
    const quoted = properties?.['quotation-of']?.[0] as { type: string[]; properties: object }
    assert.deepEqual(quoted.type, ['h-cite'])
    const { url: quotedUrl } = quoted.properties as Record<string, string[]>
    assert.deepEqual(quotedUrl, [`${base}/ada/status/${ID.first}`])
  })

  test('microformats-parser finds the posts of a profile and of a month', async () => {
    for (const path of ['/ada', '/ada/archive/2024/06']) {
      const { items } = mf2(await (await fetch(base + path)).text(), { baseUrl: base + path })
      const feed = items.find(({ type }) => type?.includes('h-feed'))
      const entries = feed?.children?.filter(({ type }) => type?.includes('h-entry'))
      assert.deepEqual(entries?.[0]?.properties.url, [url], path)
      const author = feed?.properties.author?.[0] as { properties: Record<string, unknown> }
      assert.deepEqual(author.properties.name, [NAME], path)
    }
  })
})
