/** Hostile texts in every field change no element or attribute of any page or feed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SaxesParser } from 'saxes'
import { renderAccountJson, renderAccountRss } from '../feeds/account-feed.ts'
import { renderSitemap } from '../feeds/sitemap.ts'
import type { Account, Post } from '../records/record.ts'
import { renderAccounts } from './accounts.ts'
import { renderEmbed } from './embed.ts'
import { renderMonth } from './month.ts'
import { renderPost } from './post.ts'
import { renderProfile } from './profile.ts'
import { renderSearch } from './search.ts'
import type { PostItem, PostView, Site } from './views.ts'

const HARMLESS = 'words'
const HOSTILE = [
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  '</style><style>*{display:none}</style>',
  '<!--',
  ']]><x>',
  '&lt;b&gt; &#60;b&#62; &amp;',
  '\u0000\u0008\u000b\u001f\ufffe\uffff\ud800',
  '\u202e\u2066 reversed',
  '{{alert(1)}}`\u2028\u2029',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content=0>'
]
const URLS = ['javascript:alert(1)', 'data:text/html,<b>', 'https://a.example/"><b onclick=x>']

const site: Site = { name: 'Posts', baseUrl: 'https://posts.example' }

/** Everything that an archive tells is this text. */
function viewOf(text: string, href: string): PostView {
  const account: Account = {
    id: '12',
    userName: 'ada',
    name: text,
    bio: text,
    website: href,
    location: text,
    avatarHash: 'a'.repeat(64),
    headerHash: 'b'.repeat(64),
    createdAt: undefined
  }
  const post: Post = {
    id: '20',
    sortKey: '0000000000000000020',
    account,
    text: `${text} ${text}`,
    entities: [
      { type: 'url', start: 0, end: 2, href, display: text },
      { type: 'hashtag', start: 2, end: 5 },
      { type: 'mention', start: 6, end: 7, href, display: text }
    ],
    lang: text,
    createdAt: '2026-03-03T18:07:10.815Z',
    editedAt: '2026-03-03T18:08:10.815Z',
    media: [
      {
        type: 'photo',
        hash: 'c'.repeat(64),
        mediaType: 'image/png',
        width: 4,
        height: 3,
        alt: text,
        posterHash: undefined,
        durationMs: undefined,
        bitrate: undefined
      },
      {
        type: 'video',
        hash: 'd'.repeat(64),
        mediaType: 'video/mp4',
        width: 4,
        height: 3,
        alt: text,
        posterHash: 'e'.repeat(64),
        durationMs: 1,
        bitrate: 1
      }
    ],
    replyTo: { id: '19', userName: text },
    quotedId: '18',
    quotedUrl: href,
    counts: { likes: 1, reposts: 2, replies: 3, quotes: 4 },
    sensitive: false,
    summary: undefined,
    source: { kind: 'sample', originalUrl: href },
    version: 1
  }
  return {
    post,
    linked: new Map(),
    quoted: { kind: 'shown', post: { ...post, id: '18', summary: text } },
    repliesTo: { kind: 'elsewhere', url: href, userName: text },
    earlier: [{ ...post, id: '17', entities: [] }],
    later: [{ ...post, id: '21', summary: text }]
  }
}

function pagesOf(text: string, href: string): Record<string, string> {
  const view = viewOf(text, href)
  const { account } = view.post
  const items: PostItem[] = [
    view,
    { ...view, quoted: { kind: 'elsewhere', url: href, userName: text }, repliesTo: undefined },
    { ...view, post: { ...view.post, summary: text }, quoted: undefined },
    { ...view, post: { ...view.post, sensitive: true }, quoted: { kind: 'unavailable' } }
  ]
  const months = [{ month: '2026-03', posts: 4 }]
  const result = { query: text, problem: undefined, items, older: 'x', isFirstPage: false }
  return {
    post: renderPost(view, site),
    'post with a warning': renderPost(
      items[2] === undefined ? view : { ...view, ...items[2] },
      site
    ),
    embed: renderEmbed(view, site),
    profile: renderProfile({ account, total: 9, items, months }, site),
    month: renderMonth(
      { account, month: '2026-03', items, months, older: 'x', isFirstPage: false },
      site
    ),
    accounts: renderAccounts({ accounts: [{ account, posts: 4 }] }, { ...site, name: text }),
    search: renderSearch(result, site),
    problem: renderSearch({ ...result, items: [], problem: text }, site)
  }
}

function feedsOf(text: string, href: string): Record<string, string> {
  const view = viewOf(text, href)
  const { account } = view.post
  const items = [view, { ...view, post: { ...view.post, summary: text } }]
  return {
    rss: renderAccountRss(account, items, site),
    sitemap: renderSitemap([{ userName: 'ada', months: [] }], [{ userName: 'ada', id: '20' }], site)
  }
}

const TAG = /<(\/?)([a-z][a-z0-9:]*)((?:\s[a-z:-]+(?:="[^"<]*")?)*)\s*\/?>/gi

/** Elements with the names of their attributes; everything else must be without `<`. */
function structureOf(page: string): string[] {
  const text = page
    .replace('<!doctype html>', '')
    .replace(/<style>.*?<\/style>/s, '<style></style>')
  const tags = [...text.matchAll(TAG)].map(([, slash = '', name = '', attributes = '']) => {
    const names = [...attributes.matchAll(/\s([a-z:-]+)(?:="[^"]*")?/g)].map(([, one]) => one)
    return `${slash}${name} ${names.filter((one) => one !== 'lang').join(' ')}`
  })
  assert.doesNotMatch(text.replace(TAG, ''), /</)
  return tags
}

/** `bdi` is around texts with direction controls only, and lists of lines differ by text. */
function comparable(page: string): string[] {
  return structureOf(page).filter((tag) => !/^\/?bdi /.test(tag))
}

test('no text adds an element or an attribute to a page', () => {
  const expected = pagesOf(HARMLESS, 'https://a.example/')
  for (const text of HOSTILE) {
    for (const [name, page] of Object.entries(pagesOf(text, 'https://a.example/'))) {
      assert.deepEqual(comparable(page), comparable(expected[name] ?? ''), `${name}: ${text}`)
    }
  }
})

test('no URL of an archive is a link unless it is of the web', () => {
  for (const href of URLS) {
    for (const [name, page] of Object.entries(pagesOf(HARMLESS, href))) {
      const links = [...page.matchAll(/\s(?:href|src|cite|poster|action)="([^"]*)"/g)]
      for (const [, link = ''] of links) assert.match(link, /^(?:https?:\/)?\//, `${name}: ${href}`)
    }
  }
})

test('JSON-LD is the text, whatever it is', () => {
  for (const text of HOSTILE) {
    const page = pagesOf(text, 'https://a.example/').post ?? ''
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
    const data = JSON.parse(json)
    assert.equal(data.text.toWellFormed(), `${text} ${text}`.toWellFormed())
    assert.equal(data['@type'], 'SocialMediaPosting')
  }
})

function elementsOf(xml: string): string[] {
  const names: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => assert.fail(error))
  parser.on('opentag', ({ name, attributes }) =>
    names.push(`${name} ${Object.keys(attributes).join(' ')}`)
  )
  parser.write(xml).close()
  return names
}

test('feeds and the sitemap are well-formed XML with the same elements', () => {
  const expected = feedsOf(HARMLESS, 'https://a.example/')
  for (const text of HOSTILE) {
    for (const [name, xml] of Object.entries(feedsOf(text, 'https://a.example/'))) {
      assert.deepEqual(elementsOf(xml), elementsOf(expected[name] ?? ''), `${name}: ${text}`)
    }
  }
})

test('the JSON feed has the text as it is and escaped in its HTML', () => {
  for (const text of HOSTILE) {
    const view = viewOf(text, 'https://a.example/')
    const [item] = JSON.parse(renderAccountJson(view.post.account, [view], site)).items
    assert.equal(item.content_text, view.post.text)
    structureOf(item.content_html)
  }
})
