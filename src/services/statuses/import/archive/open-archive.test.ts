import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { rawZip } from '../../../../../test/support/raw-zip.ts'
import { scratchFolder } from '../../../../../test/support/scratch-folder.ts'
import { sourceKeyOf } from '../../../../kernel/archive-source/entries.ts'
import { openArchive } from './open-archive.ts'

type Files = Readonly<Record<string, string>>

function zip(files: Files, name = 'archive.zip'): string {
  const path = join(scratchFolder(), name)
  const entries = Object.entries(files).map(([file, text]) => ({
    name: file,
    data: Buffer.from(text)
  }))
  writeFileSync(path, rawZip(entries))
  return path
}

function folder(files: Files): string {
  const path = scratchFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return path
}

const DATA = { 'account.js': 'x = []', 'tweets.js': 'x = [{}]', 'tweets_media/1-a.jpg': 'image' }
const below = (prefix: string, files: Files = DATA): Files =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [prefix + name, text]))

test('the folder with the data is found at any level, in zips and folders alike', async () => {
  const layouts = ['', 'data/', 'twitter-2024/', 'twitter-2024/data/'].map((prefix) => ({
    ...below(prefix),
    [`${prefix}../Your archive.html`.replace('data/../', '').replace('../', '')]: 'page',
    '__MACOSX/data/account.js': 'other'
  }))
  const keys = new Set<string>()
  for (const files of layouts) {
    for (const path of [zip(files), folder(files)]) {
      await using archive = await openArchive([path])
      assert.equal(archive.kind, 'x')
      for (const name of Object.keys(DATA)) assert.equal(archive.find(name).length, 1, name)
      const [medium] = archive.find('tweets_media/1-a.jpg')
      assert.ok(medium)
      assert.equal((await buffer(medium.read())).toString(), 'image')
      keys.add(await sourceKeyOf(medium))
    }
  }
  assert.equal(keys.size, 1, 'an unpacked archive has the same keys')
})

test('parts are merged, equal files once', async () => {
  const one = zip(below('data/'), 'one.zip')
  const two = zip(
    below('data/', { ...DATA, 'tweets.js': 'x = [{},{}]', 'tweets_media/2-b.jpg': 'b' })
  )
  await using archive = await openArchive([one, two, one])
  assert.equal(archive.find('account.js').length, 1)
  assert.equal(archive.find('tweets.js').length, 2)
  assert.equal(archive.find('tweets_media/2-b.jpg').length, 1)
})

test('a single file and a Mastodon archive', async () => {
  const path = join(folder({ 'my posts.js': 'x = []' }), 'my posts.js')
  await using single = await openArchive([path])
  assert.deepEqual(single.names, ['tweets.js'])
  const files = { 'actor.json': '{}', 'outbox.json': '{}', 'media_attachments/files/1/a.png': 'a' }
  await using mastodon = await openArchive([zip(files)])
  assert.equal(mastodon.kind, 'mastodon')
})

test('links inside a folder are followed, links out of it are refused', async () => {
  const path = folder(DATA)
  symlinkSync(join(path, 'tweets.js'), join(path, 'tweet.js'))
  await using archive = await openArchive([path])
  assert.equal(archive.find('tweet.js').length, 1)
  symlinkSync('/etc/hostname', join(path, 'profile.js'))
  await assert.rejects(openArchive([path]), /profile\.js is a link to a file outside of the folder/)
})

test('other files are refused with one sentence', async () => {
  const text = join(folder({ 'notes.txt': 'x' }), 'notes.txt')
  const cut = zip(DATA)
  writeFileSync(cut, rawZip([{ name: 'data/tweets.js', data: Buffer.from('x') }]).subarray(0, -9))
  const refused: [string[], RegExp][] = [
    [['/nonexistent/archive.zip'], /^\/nonexistent\/archive\.zip does not exist$/],
    [[text], /is neither a zip archive, a folder nor a tweets\.js$/],
    [[cut], /is not a complete zip archive/],
    [[zip({})], /is not an archive of posts/],
    [[folder({ 'a/b/c/tweets.js': '' })], /is not an archive of posts/],
    [[zip({ ...below('one/'), ...below('two/data/') })], /contains several archives/],
    [[zip(DATA), zip({ 'outbox.json': '{}' }, 'm.zip')], /of different kinds/],
    [[zip({ 'data/tweets.js': 'x', '../tweets.js': 'y' })], /contains "\.\."/]
  ]
  for (const [paths, message] of refused) await assert.rejects(openArchive(paths), { message })
})
