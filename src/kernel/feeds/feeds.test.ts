import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SaxesParser } from 'saxes'
import type { Feed } from './feed.ts'
import { renderJsonFeed } from './json-feed.ts'
import { renderRss } from './rss.ts'

const FEED = {
  title: 'News & <b>more</b>',
  description: 'All',
  homeUrl: 'https://a.example/?a=1&b=2',
  feedUrl: 'https://a.example/feed',
  items: [
    {
      id: '5abbe4b7ddc1b351ef961414',
      url: 'https://a.example/one',
      title: 'One ]]> \u0001\ud800',
      html: '<p>a &amp; b</p>',
      publishedAt: '2030-01-02T03:04:05.000Z',
      tags: ['x', 'y'],
      media: [{ url: 'https://a.example/a.pdf', mediaType: 'application/pdf', title: 'a' }]
    },
    {
      id: 'https://a.example/two',
      url: 'https://a.example/two',
      html: '',
      publishedAt: '2030-01-01T00:00:00.000Z',
      tags: [],
      media: []
    }
  ]
} satisfies Feed

test('RSS is well-formed and has what the feed has', () => {
  const rss = renderRss(FEED)
  const texts: Record<string, string[]> = {}
  const parser = new SaxesParser({ xmlns: true })
  const path: string[] = []
  parser.on('error', assert.fail)
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name)
    if (name === 'guid')
      texts.permanent = [...(texts.permanent ?? []), attributes.isPermaLink?.value ?? '']
  })
  parser.on('closetag', () => void path.pop())
  parser.on('text', (text) => {
    const key = path.slice(-2).join(' ')
    if (text.trim() !== '') texts[key] = [...(texts[key] ?? []), text]
  })
  parser.write(rss).close()
  assert.deepEqual(texts['channel title'], ['News & <b>more</b>'])
  assert.deepEqual(texts['channel link'], ['https://a.example/?a=1&b=2'])
  assert.deepEqual(texts['channel lastBuildDate'], ['Wed, 02 Jan 2030 03:04:05 +0000'])
  assert.deepEqual(texts['item title'], ['One ]]> \ufffd', 'https://a.example/two'])
  assert.deepEqual(texts['item guid'], ['5abbe4b7ddc1b351ef961414', 'https://a.example/two'])
  assert.deepEqual(texts.permanent, ['false', 'true'])
  assert.deepEqual(texts['item description'], ['<p>a &amp; b</p>'])
  assert.deepEqual(texts['item category'], ['x', 'y'])
  assert.match(rss, /type="application\/pdf" medium="document"><media:description/)
})

test('a JSON feed has what the feed has, and nothing that is unknown', () => {
  const { items, ...feed } = JSON.parse(renderJsonFeed(FEED))
  assert.deepEqual(feed, {
    version: 'https://jsonfeed.org/version/1.1',
    title: FEED.title,
    home_page_url: FEED.homeUrl,
    feed_url: FEED.feedUrl,
    description: 'All'
  })
  assert.deepEqual(items[0].attachments, [
    { url: 'https://a.example/a.pdf', mime_type: 'application/pdf', title: 'a' }
  ])
  assert.deepEqual([items[0].title, items[0].tags], [FEED.items[0]?.title, ['x', 'y']])
  assert.deepEqual(items[1], {
    id: 'https://a.example/two',
    url: 'https://a.example/two',
    content_html: '',
    date_published: '2030-01-01T00:00:00.000Z'
  })
})
