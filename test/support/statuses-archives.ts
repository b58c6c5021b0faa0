/** Archives of posts as X and Mastodon write them, with words of our own. */
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeZip } from '../../src/kernel/zip/write-zip.ts'
import { png } from './statuses-media.ts'
import { type MadePost, makePosts, OWNER } from './statuses-posts.ts'

export interface ArchiveFile {
  name: string
  content: Buffer | AsyncIterable<Buffer>
  /** Not compressed. */
  stored?: boolean
}

/**
 * - `new`: `data/tweets.js`, items `{ "tweet": … }`
 * - `middle`: `data/tweet.js`, items `{ "tweet": … }`
 * - `old`: `tweet.js` at the root, items without a name
 */
export type XLayout = 'new' | 'middle' | 'old'

export interface XArchiveOptions {
  layout?: XLayout
  seed?: number
  count?: number
  /** Number of files with posts. */
  files?: number
  /** A folder around everything, with a slash. */
  prefix?: string
  isProtected?: boolean
  /** Form of the entries in `screen-name-change.js`. */
  renames?: 'nested' | 'flat'
  /** Further files of the folder with the data. */
  extra?: Readonly<Record<string, unknown>>
  owner?: Partial<typeof OWNER>
}

export interface MadeArchive {
  files: ArchiveFile[]
  posts: MadePost[]
}

/** `window.<name> = <JSON>`, as all data files of X. */
export function assignment(name: string, value: unknown): Buffer {
  return Buffer.from(`window.YTD.${name}.part0 = ${JSON.stringify(value, null, 2)}`)
}

export function xArchive(options: XArchiveOptions = {}): MadeArchive {
  const { layout = 'new', seed = 1, count = 60, prefix = '', renames = 'nested' } = options
  const owner = { ...OWNER, ...options.owner }
  const posts = [...makePosts({ seed, count })]
  const root = prefix + (layout === 'old' ? '' : 'data/')
  const mediaFolder = layout === 'new' ? 'tweets_media' : 'tweet_media'
  const data = postFiles(layout, posts, options.files ?? 1)
  const change = {
    changedAt: '2018-01-02T03:04:05.000Z',
    changedFrom: owner.former,
    changedTo: owner.userName
  }
  const nested = { screenNameChange: { accountId: owner.id, screenNameChange: change } }
  const flat = { screenNameChange: { accountId: owner.id, ...change } }
  const files: Record<string, Buffer> = {
    ...Object.fromEntries(data.map(({ name, items }) => [name, assignment('tweets', items)])),
    'account.js': assignment('account', [accountOf(owner)]),
    'profile.js': assignment('profile', [profileOf(owner)]),
    'screen-name-change.js': assignment('screenName', [renames === 'nested' ? nested : flat]),
    'protected-history.js': assignment(
      'protected',
      options.isProtected
        ? [{ protectedHistory: { protectedAt: '2017-01-01T00:00:00.000Z', action: 'Protect' } }]
        : []
    ),
    'note-tweet.js': assignment(
      'note',
      posts.flatMap(({ note }) => (note === undefined ? [] : [{ noteTweet: note }]))
    ),
    'direct-messages.js': assignment('direct', [{ dmConversation: { messages: ['a secret'] } }]),
    'deleted-tweets.js': assignment('deleted', []),
    [`profile_media/${owner.id}-face.png`]: png(1, 4, 4),
    [`profile_media/${owner.id}-1500000000.png`]: png(2, 12, 4),
    ...Object.fromEntries(
      posts.flatMap((post) =>
        post.files.map(({ name, data: bytes }) => [`${mediaFolder}/${name}`, bytes])
      )
    )
  }
  if (layout === 'new') files['manifest.js'] = manifestOf(owner, data)
  for (const [name, value] of Object.entries(options.extra ?? {})) {
    files[name] = Buffer.isBuffer(value) ? value : assignment('extra', value)
  }
  const page = { name: `${prefix}Your archive.html`, content: Buffer.from('<html></html>') }
  return {
    files: [
      page,
      ...Object.entries(files).map(([name, content]) => ({ name: root + name, content }))
    ],
    posts
  }
}

type Owner = typeof OWNER

function postFiles(layout: XLayout, posts: readonly MadePost[], files: number) {
  const base = layout === 'new' ? 'tweets' : 'tweet'
  const size = Math.ceil(posts.length / files)
  return Array.from({ length: files }, (_, part) => ({
    name: part === 0 ? `${base}.js` : `${base}-part${part}.js`,
    items: posts
      .slice(part * size, (part + 1) * size)
      .map(({ tweet }) => (layout === 'old' ? tweet : { tweet }))
  }))
}

function accountOf({ id, userName, name }: Owner): object {
  return {
    account: {
      email: 'secret@example.org',
      createdVia: 'web',
      username: userName,
      accountId: id,
      createdAt: '2012-05-06T07:08:09.000Z',
      accountDisplayName: name
    }
  }
}

function profileOf({ id }: Owner): object {
  return {
    profile: {
      description: {
        bio: 'Words & more',
        website: 'https://wren.example.org',
        location: 'Harbour'
      },
      avatarMediaUrl: 'https://pbs.example.org/profile_images/5/face.png',
      headerMediaUrl: `https://pbs.example.org/profile_banners/${id}/1500000000`
    }
  }
}

function manifestOf(
  { id, userName, name }: Owner,
  data: readonly { name: string; items: readonly object[] }[]
): Buffer {
  const config = {
    userInfo: { accountId: id, userName, displayName: name },
    archiveInfo: { sizeBytes: '1', isPartialArchive: false },
    dataTypes: {
      tweets: {
        mediaDirectory: 'data/tweets_media',
        files: data.map((file, part) => ({
          fileName: `data/${file.name}`,
          globalName: `YTD.tweets.part${part}`,
          count: String(file.items.length)
        }))
      }
    }
  }
  return Buffer.from(`window.__THAR_CONFIG = ${JSON.stringify(config, null, 2)}`)
}

export async function storeZipFile(path: string, files: readonly ArchiveFile[]): Promise<string> {
  const modified = new Date('2026-01-02T03:04:06Z')
  const sources = files.map((file) => ({ ...file, modified }))
  await pipeline(writeZip(sources), createWriteStream(path))
  return path
}

export function storeFolder(path: string, files: readonly ArchiveFile[]): string {
  for (const { name, content } of files) {
    const file = join(path, name)
    mkdirSync(dirname(file), { recursive: true })
    if (Buffer.isBuffer(content)) writeFileSync(file, content)
  }
  return path
}

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
export const ACTOR = 'https://social.example/users/wren'
export const MASTODON_START = 109_000_000_000_000_000n

/** Each fifth post is not public; boosts and replies are among them. */
export function mastodonArchive({ count = 30 }: { count?: number } = {}): {
  files: ArchiveFile[]
  publicIds: string[]
} {
  const publicIds: string[] = []
  const items: object[] = []
  const media: ArchiveFile[] = []
  for (let index = 0; index < count; index++) {
    const id = String(MASTODON_START + BigInt(index) * 5_000_000_000n)
    const published = new Date(Date.UTC(2023, 0, 1) + index * 3_600_000).toISOString()
    const visible = [
      [PUBLIC],
      [`${ACTOR}/followers`, PUBLIC],
      [PUBLIC],
      [`${ACTOR}/followers`],
      ['https://other.example/users/eve']
    ]
    const to = visible[index % 5] ?? []
    const isBoost = index % 11 === 10
    if (isBoost) {
      items.push({
        id: `${ACTOR}/statuses/${id}/activity`,
        type: 'Announce',
        actor: ACTOR,
        published,
        to: [PUBLIC],
        object: 'https://other.example/users/eve/statuses/1'
      })
      continue
    }
    const isPublic = to.includes(PUBLIC)
    if (isPublic) publicIds.push(id)
    const hasImage = index % 6 === 0
    const path = `/media_attachments/files/109/${index}/original/image.png`
    if (hasImage) media.push({ name: path.slice(1), content: png(50_000 + index) })
    const object = {
      id: `${ACTOR}/statuses/${id}`,
      type: 'Note',
      summary: index % 7 === 1 ? 'Careful' : null,
      inReplyTo: index % 4 === 3 ? `${ACTOR}/statuses/${BigInt(id) - 5_000_000_000n}` : null,
      published,
      url: `https://social.example/@wren/${id}`,
      attributedTo: ACTOR,
      to: index % 5 === 1 ? [`${ACTOR}/followers`] : to,
      cc: index % 5 === 1 ? [PUBLIC] : [],
      sensitive: index % 7 === 1,
      content: contentOf(index),
      contentMap: { en: contentOf(index) },
      attachment: hasImage
        ? [
            {
              type: 'Document',
              mediaType: 'image/png',
              url: path,
              name: `Image ${index}`,
              width: 8,
              height: 6
            }
          ]
        : [],
      tag: []
    }
    items.push({ id: `${object.id}/activity`, type: 'Create', actor: ACTOR, published, to, object })
  }
  const actor = {
    '@context': ['https://www.w3.org/ns/activitystreams'],
    ...{ id: ACTOR, type: 'Person', preferredUsername: 'wren', name: 'Wren at social' },
    summary: '<p>Words &amp; <a href="https://wren.example.org">more</a></p>',
    url: 'https://social.example/@wren',
    published: '2022-11-01T00:00:00Z',
    icon: { type: 'Image', mediaType: 'image/png', url: 'avatar.png' },
    image: { type: 'Image', mediaType: 'image/png', url: 'header.png' }
  }
  const outbox = {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: 'outbox.json',
    type: 'OrderedCollection',
    totalItems: items.length,
    orderedItems: items
  }
  const json = (value: object) => Buffer.from(JSON.stringify(value))
  return {
    publicIds,
    files: [
      { name: 'actor.json', content: json(actor) },
      { name: 'outbox.json', content: json(outbox) },
      { name: 'likes.json', content: json({ orderedItems: [] }) },
      { name: 'avatar.png', content: png(11, 4, 4) },
      { name: 'header.png', content: png(12, 12, 4) },
      ...media
    ]
  }
}

function contentOf(index: number): string {
  const link =
    '<a href="https://example.org/a/long/path?x=1&amp;y=2" rel="nofollow"><span class="invisible">https://</span><span class="ellipsis">example.org/a/long</span><span class="invisible">/path?x=1&amp;y=2</span></a>'
  return `<p>Post ${index} &lt;b&gt; &amp; 👩‍👩‍👧<br />next ${link}</p><p><span class="h-card"><a href="https://other.example/@eve" class="u-url mention">@<span>eve</span></a></span> <a href="https://social.example/tags/nonet" class="mention hashtag" rel="tag">#<span>nonet</span></a></p>`
}
