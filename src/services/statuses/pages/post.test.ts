import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account, Medium, Post } from '../records/record.ts'
import { renderEmbed } from './embed.ts'
import { EMBED_PAGE_HEADERS, STATUS_PAGE_HEADERS } from './layout.ts'
import { renderNotFound } from './not-found.ts'
import { renderPost } from './post.ts'
import type { PostView, Site } from './views.ts'

const site: Site = { name: 'Posts', baseUrl: 'https://posts.example/old' }
const ada: Account = {
  id: '12',
  userName: 'ada',
  name: 'Ada',
  bio: '',
  website: undefined,
  location: undefined,
  avatarHash: undefined,
  headerHash: undefined,
  createdAt: undefined
}
const photo: Medium = {
  type: 'photo',
  hash: 'c'.repeat(64),
  mediaType: 'image/jpeg',
  width: 2400,
  height: 1600,
  alt: undefined,
  posterHash: undefined,
  durationMs: undefined,
  bitrate: undefined
}
const video: Medium = {
  ...photo,
  type: 'video',
  mediaType: 'video/mp4',
  posterHash: 'f'.repeat(64)
}
const post: Post = {
  id: '1234903157580296192',
  sortKey: '1583258830815000000',
  account: ada,
  text: 'The tide clock runs. Two gears, one magnet, no battery, and it knows when to go for a walk.',
  entities: [],
  lang: 'en',
  createdAt: '2020-03-03T18:07:10.815Z',
  editedAt: undefined,
  media: [],
  replyTo: undefined,
  quotedId: undefined,
  quotedUrl: undefined,
  counts: { likes: null, reposts: null, replies: null, quotes: null },
  sensitive: false,
  summary: undefined,
  source: { kind: 'x_archive', originalUrl: undefined },
  version: 1
}

function render(more: Partial<Post> = {}, view: Partial<PostView> = {}, on = site): string {
  const all = { post: { ...post, ...more }, quoted: undefined, repliesTo: undefined }
  return renderPost({ ...all, linked: new Map(), earlier: [], later: [], ...view }, on)
}

test('the title has the author and the first words', () => {
  assert.match(
    render(),
    /<title>Ada \(@ada\): “The tide clock runs\. Two gears, one magnet, no…”<\/title>/
  )
  assert.match(render({ text: '' }), /<title>Ada \(@ada\)<\/title>/)
})

test('links are below the path of the base URL, canonical ones absolute', () => {
  const page = render({ media: [photo] })
  const url = 'https://posts.example/old/ada/status/1234903157580296192'
  assert.ok(page.includes(`<link rel="canonical" href="${url}">`))
  assert.ok(page.includes(`/old/oembed?url=${encodeURIComponent(url)}`))
  assert.ok(page.includes(`<a href="/old/media/${photo.hash}.jpg">`))
  assert.match(page, /href="\/old\/ada\/archive\/2020\/03">March 2020</)
  assert.match(page, /<link rel="icon" href="\/old\/favicon\.svg">/)
})

test('a theme is set on the page and stays in its links', () => {
  const page = render({ media: [photo] }, {}, { ...site, theme: 'dark' })
  assert.match(page, /<html lang="en" data-theme="dark">/)
  assert.match(page, /href="\/old\/ada\?theme=dark"/)
  assert.doesNotMatch(page, /\/media\/[^"]*theme/)
})

test('a picture has its size, a smaller file, and a text if it has no description', () => {
  const page = render({ media: [photo, { ...photo, alt: 'A clock', width: 20, height: 10 }] })
  assert.match(page, /id="media-1"/)
  assert.match(
    page,
    /src="[^"]*\.jpg\?name=medium" width="2400" height="1600" alt="Image without description" loading="lazy"/
  )
  assert.match(page, /src="[^"]*\.jpg" width="20" height="10" alt="A clock"/)
})

test('a video loads nothing before it is played', () => {
  const page = render({ media: [video] })
  assert.match(
    page,
    /<video [^>]*poster="[^"]*" width="2400" height="1600"[^>]*controls playsinline preload="none">/
  )
  assert.match(page, /<meta property="og:video:secure_url"/)
  assert.match(page, /<meta name="twitter:card" content="player">/)
})

test('sensitive media are behind a click and not in previews', () => {
  assert.match(render({ media: [photo] }), /<meta property="og:image" content="https:\/\/posts/)
  const page = render({
    media: [photo],
    sensitive: true,
    account: { ...ada, avatarHash: 'a'.repeat(64) }
  })
  assert.match(page, /<details class="cover"><summary>Sensitive media: 1 image<\/summary>/)
  assert.doesNotMatch(page, /og:image|ImageObject/)
})

test('a content warning stands for the text in titles and previews', () => {
  const page = render({ summary: 'A spider', text: 'eight knees' })
  assert.match(page, /<title>Ada \(@ada\): “A spider”<\/title>/)
  assert.match(page, /<meta property="og:description" content="A spider">/)
  assert.match(page, /<details class="warning"><summary><span[^>]*>A spider<\/span><\/summary>/)
})

test('unknown counts are not shown', () => {
  assert.doesNotMatch(render(), /likes|reposts|replies|InteractionCounter/)
  const page = render({ counts: { likes: 1, reposts: 1200, replies: 0, quotes: null } })
  assert.match(page, /<span>1,200 reposts<\/span> <span>1 like<\/span><\/p>/)
})

test('posts that are not available have no name and no id', () => {
  const page = render(
    { quotedId: '18', replyTo: { id: '19', userName: 'secretive' } },
    { quoted: { kind: 'unavailable' }, repliesTo: { kind: 'unavailable' } }
  )
  assert.match(page, /<blockquote class="quoted soft"><p>This post is not available\.<\/p>/)
  assert.match(page, /Reply to a post that is not available/)
  assert.doesNotMatch(page, /secretive|status\/1[89]"/)
})

test('a thread is above and below its post; a long one keeps its first post', () => {
  const posts = Array.from({ length: 30 }, (_, index) => ({ ...post, id: String(index + 1) }))
  const page = render({}, { earlier: posts, later: posts.slice(0, 2) })
  assert.match(page, /<nav class="thread" aria-label="Thread">/)
  assert.match(page, /<nav class="thread" aria-label="Thread, continued">/)
  const [above = ''] = page.split('<article')
  const ids = [...above.matchAll(/href="\/old\/ada\/status\/(\d+)"/g)].map(([, id]) => Number(id))
  assert.deepEqual(ids, [1, 22, 23, 24, 25, 26, 27, 28, 29, 30])
  assert.match(above, /20 more posts/)
})

test('codes that are no language are not told to screen readers', () => {
  assert.match(render({ lang: 'in' }), /class="e-content text" lang="id" dir="auto"/)
  for (const lang of ['und', 'qme', 'zxx', '"><b>']) {
    assert.match(render({ lang }), /class="e-content text" dir="auto"/)
  }
})

test('the page is small, and has no script and no inline style', () => {
  const long = {
    ...post,
    text: 'The tide clock runs. '.repeat(14),
    media: [photo, photo, photo, photo]
  }
  const many = Array.from({ length: 30 }, () => long)
  const page = render(long, { earlier: many, later: many, quoted: { kind: 'shown', post: long } })
  assert.ok(Buffer.byteLength(page) <= 30 * 1024, `${Buffer.byteLength(page)} bytes`)
  assert.doesNotMatch(page, /<script(?! type="application\/ld\+json")|\sstyle="/)
})

test('only the page for frames may be in a frame', () => {
  assert.match(STATUS_PAGE_HEADERS['content-security-policy'] ?? '', /frame-ancestors 'none'/)
  assert.match(EMBED_PAGE_HEADERS['content-security-policy'] ?? '', /frame-ancestors \*/)
  const view = { post, quoted: undefined, repliesTo: undefined, linked: new Map() }
  assert.match(renderEmbed(view, site), /<base target="_blank">/)
})

test('the page of what is not found is the same for all', () => {
  assert.equal(renderNotFound({ ...site, theme: 'dark' }), renderNotFound(site))
})
