import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { scratchFolder } from '../../../../../test/support/scratch-folder.ts'
import {
  type ArchiveFile,
  storeFolder,
  storeZipFile,
  type XArchiveOptions,
  xArchive
} from '../../../../../test/support/statuses-archives.ts'
import { type MadePost, makePosts, SHARES } from '../../../../../test/support/statuses-posts.ts'
import { NO_ALT_TEXTS } from '../alt-texts.ts'
import { openArchive } from '../archive/open-archive.ts'
import { readItems } from '../json/read-items.ts'
import type { ParsedItem, ParsedPost, PostSource, SourceOptions } from '../parsed.ts'
import { openXSource } from './source.ts'

const OPTIONS: SourceOptions = {
  ...{ handle: undefined, formerHandles: [], withCommunity: false, altTexts: NO_ALT_TEXTS }
}

interface Read {
  source: PostSource
  items: ParsedItem[]
}

async function readArchive(paths: readonly string[], options = {}): Promise<Read> {
  await using archive = await openArchive(paths)
  const source = await openXSource(archive, { ...OPTIONS, ...options })
  for (const file of source.files) {
    for await (const item of readItems(file.entry)) source.inspect(item, file)
  }
  const items: ParsedItem[] = []
  for (const file of source.files) {
    for await (const item of readItems(file.entry)) items.push(source.parse(item, file))
  }
  return { source, items }
}

async function readFiles(files: readonly ArchiveFile[], options = {}): Promise<Read> {
  return readArchive([await storeZipFile(join(scratchFolder(), 'x.zip'), files)], options)
}

function postsIn(items: readonly ParsedItem[]): ParsedPost[] {
  return items.filter((item): item is ParsedPost => !('skipped' in item))
}

const wordsOf = ({ text, entities }: ParsedPost) =>
  entities.map(({ start, end }) => Array.from(text).slice(start, end).join(''))

/** Each post is what the generator says. */
function checkPosts(items: readonly ParsedItem[], made: readonly MadePost[]): void {
  const posts = new Map(postsIn(items).map((post) => [post.id, post]))
  assert.equal(posts.size, made.length)
  for (const { id, kind, expected } of made) {
    const post = posts.get(id)
    assert.ok(post, id)
    const title = `${kind} ${id}`
    assert.equal(post.text, expected.text, title)
    assert.deepEqual(wordsOf(post), expected.marked, title)
    assert.equal(post.kind, expected.kind, title)
    assert.equal(post.createdAt, expected.createdAt, title)
    assert.equal(post.hiddenBecause !== undefined, expected.hidden, title)
    assert.equal(post.media.length, expected.media, title)
    assert.equal(post.missingMedia.length, kind === 'missingMedia' ? 1 : 0, title)
    assert.deepEqual(post.replyTo, expected.replyTo, title)
    assert.equal(post.quotedId, expected.quotedId, title)
    assert.equal(post.editedAt, kind === 'edited' ? expected.createdAt : undefined, title)
  }
}

const LAYOUTS: Readonly<Record<string, XArchiveOptions>> = {
  'of today': {},
  'in three files': { files: 3, seed: 2, count: 200 },
  'from 2020': { layout: 'middle', seed: 3, renames: 'flat' },
  'from 2019': { layout: 'old', seed: 4 },
  'below another folder': { prefix: 'twitter-2024-01-02/', seed: 5 }
}

describe('archives of X', () => {
  test('the generator has all constructs', () => {
    const kinds = new Set([...makePosts({ seed: 1, count: 60 })].map(({ kind }) => kind))
    assert.deepEqual([...kinds].sort(), [...Object.keys(SHARES), 'plain'].sort())
  })

  for (const [title, options] of Object.entries(LAYOUTS)) {
    test(`an archive ${title}, as zip and as folder`, async () => {
      const { files, posts } = xArchive(options)
      for (const read of [
        await readFiles(files),
        await readArchive([storeFolder(scratchFolder(), files)])
      ]) {
        checkPosts(read.items, posts)
        assert.deepEqual(read.source.warnings(), [])
        const { avatar, header, ...account } = read.source.account
        assert.deepEqual(account, {
          ...{ id: '4217', userName: 'wren_now', name: 'Wren Example', bio: 'Words & more' },
          ...{ website: 'https://wren.example.org/', location: 'Harbour' },
          createdAt: '2012-05-06T07:08:09.000Z',
          formerNames: [{ userName: 'wren_old', endedAt: '2018-01-02T03:04:05.000Z' }],
          source: 'x_archive'
        })
        assert.match(avatar?.name ?? '', /4217-face\.png$/)
        assert.match(header?.name ?? '', /4217-1500000000\.png$/)
      }
    })
  }

  test('an email address is in nothing that is sent', async () => {
    const { source, items } = await readFiles(xArchive().files)
    assert.doesNotMatch(JSON.stringify([source.account, items]), /secret/)
  })

  test('the parts of an archive are read together', async () => {
    const { files, posts } = xArchive({ files: 2 })
    const folder = scratchFolder()
    const isSecond = ({ name }: ArchiveFile) => /part1|_media\/.*[02468]\.png$/.test(name)
    const one = await storeZipFile(
      join(folder, '1.zip'),
      files.filter((file) => !isSecond(file))
    )
    const two = await storeZipFile(join(folder, '2.zip'), files.filter(isSecond))
    const alone = await readArchive([one])
    assert.match(alone.source.warnings().join(), /tweets-part1\.js with 30 posts is missing/)
    const both = await readArchive([one, two])
    checkPosts(both.items, posts)
    assert.deepEqual(both.source.warnings(), [])
  })

  test('a single tweets.js needs a name', async () => {
    const { files, posts } = xArchive({ count: 5 })
    const folder = storeFolder(scratchFolder(), files)
    const path = join(folder, 'data/tweets.js')
    await assert.rejects(readArchive([path]), /no account\.js; give the user name with --handle/)
    const { source, items } = await readArchive([path], { handle: 'wren' })
    assert.deepEqual([source.account.id, source.account.userName], [undefined, 'wren'])
    assert.equal(items.length, posts.length)
  })

  test('two owners, a protected account, names of the user', async () => {
    const folder = scratchFolder()
    const one = await storeZipFile(join(folder, '1.zip'), xArchive().files)
    const other = xArchive({ owner: { id: '9', userName: 'eve' } }).files
    const two = await storeZipFile(join(folder, '2.zip'), other)
    await assert.rejects(readArchive([one, two]), /two accounts, @wren_now and @eve/)
    const { source } = await readFiles(xArchive({ isProtected: true }).files, {
      ...{ handle: 'Wren', formerHandles: ['wren_first', 'WREN'] }
    })
    assert.equal(source.hiddenBecause, 'the account was protected')
    assert.equal(source.account.userName, 'Wren')
    const former = source.account.formerNames.map(({ userName }) => userName)
    assert.deepEqual(former, ['wren_old', 'wren_first', 'wren_now'])
  })

  test('deleted posts and posts for a group are skipped, those of communities are opt-in', async () => {
    const { posts } = xArchive()
    const [deleted, circle] = posts
    const community = { ...posts[2]?.tweet, id: '123', id_str: '123' }
    const extra = {
      'deleted-tweets.js': [{ tweet: deleted?.tweet }],
      'twitter-circle-tweet.js': [{ tweet: circle?.tweet }],
      'community-tweet.js': [{ tweet: community }]
    }
    const { items } = await readFiles(xArchive({ extra }).files)
    const skipped = items.filter((item) => 'skipped' in item)
    assert.deepEqual(skipped, [
      { id: deleted?.id, skipped: 'deleted' },
      { id: circle?.id, skipped: 'for a chosen group of readers' }
    ])
    const all = postsIn((await readFiles(xArchive({ extra }).files, { withCommunity: true })).items)
    assert.equal(all.length, posts.length - 1)
    assert.equal(all.find(({ id }) => id === '123')?.hiddenBecause, 'posts of communities')
  })

  test('of an edited post the earlier version is hidden if the newest is there', async () => {
    const { posts } = xArchive()
    const first = { ...posts[0]?.tweet, id: '50', id_str: '50' }
    const control = { editTweetIds: ['50', '51'] }
    const older = { ...first, edit_info: { initial: control } }
    const edit = { initialTweetId: '50', editControlInitial: control }
    const newest = { ...first, id: '51', id_str: '51', edit_info: { edit } }
    const hiddenOf = async (tweets: object[]) => {
      const extra = { 'tweets.js': tweets.map((tweet) => ({ tweet })) }
      const { items } = await readFiles(xArchive({ extra }).files)
      return postsIn(items).map(({ id, hiddenBecause }) => [id, hiddenBecause !== undefined])
    }
    assert.deepEqual(await hiddenOf([older, newest]), [
      ['50', true],
      ['51', false]
    ])
    assert.deepEqual(await hiddenOf([older]), [['50', false]])
  })

  test('a medium under another name is found by the id of its post', async () => {
    const { files, posts } = xArchive()
    const renamed = files.map((file) => ({
      ...file,
      name: file.name.replace(/(tweets_media\/\d+)-(\w+)/, '$1-other_$2')
    }))
    checkPosts((await readFiles(renamed)).items, posts)
  })

  test('what is not a post is skipped with a reason, damaged files are refused', async () => {
    const tweets = [
      { tweet: { id: '1', created_at: 'yesterday', full_text: 'x' } },
      { tweet: { id: 'x', created_at: 'Sat Aug 12 16:10:37 +0000 2023', full_text: 'x' } },
      { tweet: { id: '2', created_at: 'Sat Aug 12 16:10:37 +0000 2023' } }
    ]
    const { items } = await readFiles(xArchive({ extra: { 'tweets.js': tweets } }).files)
    assert.deepEqual(items, [
      { id: '1', skipped: 'without a valid date' },
      { id: 'unknown', skipped: 'without a valid id' },
      { id: '2', skipped: 'without a text' }
    ])
    const damaged: [string, RegExp][] = [
      [
        'x = [{tweet:{id:"1"}}]',
        /^Cannot read data\/tweets\.js of x\.zip at byte 5: it is not valid JSON/
      ],
      ['x = [{"tweet":{}}', /at byte 17: it ends in the middle of the data/],
      ['', /it has no data/]
    ]
    for (const [text, message] of damaged) {
      const { files } = xArchive({ extra: { 'tweets.js': Buffer.from(text) } })
      await assert.rejects(readFiles(files), { message })
    }
  })
})
