import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { scratchFolder } from '../../../../../test/support/scratch-folder.ts'
import {
  ACTOR,
  mastodonArchive,
  storeZipFile
} from '../../../../../test/support/statuses-archives.ts'
import { NO_ALT_TEXTS } from '../alt-texts.ts'
import { openArchive } from '../archive/open-archive.ts'
import { readItems } from '../json/read-items.ts'
import type { ParsedItem, ParsedPost } from '../parsed.ts'
import { openMastodonSource } from './source.ts'

async function readArchive(files: Parameters<typeof storeZipFile>[1]) {
  const path = await storeZipFile(join(scratchFolder(), 'archive.zip'), files)
  await using archive = await openArchive([path])
  const source = await openMastodonSource(archive, {
    ...{ handle: undefined, formerHandles: [], withCommunity: false, altTexts: NO_ALT_TEXTS }
  })
  const items: ParsedItem[] = []
  for (const file of source.files) {
    for await (const item of readItems(file.entry, file.array)) items.push(source.parse(item, file))
  }
  return { account: source.account, items }
}

test('an archive of Mastodon: only public and unlisted posts', async () => {
  const { files, publicIds } = mastodonArchive()
  const { account, items } = await readArchive(files)
  const posts = items.filter((item): item is ParsedPost => !('skipped' in item))
  assert.deepEqual(
    posts.map(({ id }) => id),
    publicIds
  )
  const reasons = new Set(items.flatMap((item) => ('skipped' in item ? [item.skipped] : [])))
  assert.deepEqual([...reasons].sort(), [
    'boosts of other accounts',
    'for followers or mentioned people only'
  ])
  assert.equal(account.userName, 'wren')
  assert.equal(account.bio, 'Words & more')
  assert.match(account.id ?? '', /^[1-9]\d{0,18}$/)
  assert.equal(account.avatar?.name, 'avatar.png')
})

test('a post of Mastodon with all its parts', async () => {
  const { files } = mastodonArchive()
  const { items } = await readArchive(files)
  const [first] = items as ParsedPost[]
  assert.ok(first)
  const { media, ...post } = first
  assert.deepEqual(post, {
    id: '109000000000000000',
    kind: 'post',
    text: 'Post 0 <b> & 👩‍👩‍👧\nnext https://example.org/a/long/path?x=1&y=2\n\n@eve #nonet',
    entities: [
      {
        ...{ type: 'url', start: 24, end: 63, href: 'https://example.org/a/long/path?x=1&y=2' },
        display: 'example.org/a/long…'
      },
      { type: 'mention', start: 65, end: 69, href: 'https://other.example/@eve' },
      { type: 'hashtag', start: 70, end: 76 }
    ],
    createdAt: '2023-01-01T00:00:00.000Z',
    lang: 'en',
    originalUrl: 'https://social.example/@wren/109000000000000000',
    counts: { likes: null, reposts: null, replies: null, quotes: null },
    ...{ sensitive: false, source: 'mastodon', missingMedia: [], repliesToOthers: false },
    hiddenBecause: undefined
  })
  assert.deepEqual(
    media.map(({ type, alt, width, entry }) => [type, alt, width, entry.name]),
    [['photo', 'Image 0', 8, 'media_attachments/files/109/0/original/image.png']]
  )
  const warned = items[1] as ParsedPost
  assert.deepEqual([warned.summary, warned.sensitive], ['Careful', true])
  const reply = items.find((item): item is ParsedPost => 'kind' in item && item.kind === 'reply')
  assert.equal(reply?.replyTo?.userName, 'wren')
  assert.equal(reply?.repliesToOthers, false)
})

test('an archive without actor.json or outbox.json is refused', async () => {
  const { files } = mastodonArchive()
  const without = (name: string) => files.filter((file) => file.name !== name)
  await assert.rejects(readArchive(without('actor.json')), /it has no actor\.json/)
  await assert.rejects(readArchive(without('outbox.json')), /called outbox\.json/)
  const nothing = { name: 'outbox.json', content: Buffer.from('{"orderedItems":{}}') }
  await assert.rejects(
    readArchive([...without('outbox.json'), nothing]),
    /Cannot read outbox\.json of archive\.zip at byte 18: it has no array "orderedItems"/
  )
})

test('replies to other servers have no id here, and polls show their options', async () => {
  const note = {
    ...{ id: `${ACTOR}/statuses/7`, type: 'Question', published: '2023-01-01T00:00:00Z' },
    ...{ to: ['as:Public'], content: '<p>Tea?</p>', oneOf: [{ name: 'yes' }, { name: '<no>' }] },
    inReplyTo: 'https://other.example/users/eve/statuses/99',
    tag: [{ type: 'Mention', name: '@eve@other.example' }]
  }
  const outbox = { orderedItems: [{ type: 'Create', object: note }] }
  const { files } = mastodonArchive({ count: 0 })
  const replaced = files.map((file) =>
    file.name === 'outbox.json' ? { ...file, content: Buffer.from(JSON.stringify(outbox)) } : file
  )
  const [post] = (await readArchive(replaced)).items as ParsedPost[]
  assert.equal(post?.text, 'Tea?\n\n– yes\n– <no>')
  assert.deepEqual(post?.replyTo, { userName: 'eve@other.example' })
  assert.equal(post?.repliesToOthers, true)
})
