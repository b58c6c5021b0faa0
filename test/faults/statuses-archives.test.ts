/** Archives that are damaged or hostile: one sentence, and nothing is stored. */
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { UserError } from '../../src/kernel/errors.ts'
import { EFFORT } from '../support/effort.ts'
import { createRandom } from '../support/random.ts'
import { type RawEntry, rawZip } from '../support/raw-zip.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { assignment, storeFolder, storeZipFile, xArchive } from '../support/statuses-archives.ts'
import { importInto } from '../support/statuses-import.ts'

const { files } = xArchive({ count: 30 })
const entries: RawEntry[] = files.map(({ name, content }) => ({ name, data: content as Buffer }))
const without = (end: string) => entries.filter(({ name }) => !String(name).endsWith(end))
const withTweets = (data: Buffer) => [...without('/tweets.js'), { name: 'data/tweets.js', data }]

function store(bytes: Buffer, name = 'archive.zip'): string {
  const path = join(scratchFolder(), name)
  writeFileSync(path, bytes)
  return path
}

function linked(): string {
  const path = storeFolder(scratchFolder(), files)
  mkdirSync(join(path, 'data/other'))
  symlinkSync('/etc/passwd', join(path, 'data/other/file'))
  return path
}

const tweets = Buffer.from(files.find(({ name }) => name === 'data/tweets.js')?.content as Buffer)
const spaces = Buffer.concat([Buffer.from('x = ['), Buffer.alloc(40 * 1024 * 1024, ' ')])
const second = xArchive({ count: 3, owner: { id: '9', userName: 'eve' } }).files

const REFUSED: Readonly<Record<string, [() => string[] | Promise<string[]>, RegExp]>> = {
  'a name that leads out of the archive': [
    () => [store(rawZip([...entries, { name: 'data/../../x.js', data: tweets }]))],
    /contains "\.\."/
  ],
  'an absolute name': [
    () => [store(rawZip([{ name: '/tweets.js', data: tweets }]))],
    /absolute path/
  ],
  'a bomb': [() => [store(rawZip(withTweets(spaces)))], /expands to more than 250 times/],
  'a cut archive': [
    () => [store(rawZip(entries).subarray(0, -40))],
    /is not a complete zip archive/
  ],
  'a wrong checksum': [
    () => [
      store(
        rawZip(
          entries.map((entry) =>
            entry.name === 'data/tweets.js'
              ? { ...entry, central: (record) => record.writeUInt32LE(1, 16) }
              : entry
          )
        )
      )
    ],
    /data\/tweets\.js.*(checksum|damaged)/
  ],
  'posts that end in the middle': [
    () => [store(rawZip(withTweets(tweets.subarray(0, -300))))],
    /it ends in the middle of the data/
  ],
  'a post that is not JSON': [
    () => [store(rawZip(withTweets(Buffer.from(`${tweets.toString().slice(0, -1)},{tweet:{}}]`))))],
    /Cannot read data\/tweets\.js of archive\.zip at byte \d+: it is not valid JSON/
  ],
  'a post of two megabytes': [
    () => [
      store(
        rawZip(
          withTweets(assignment('t', [{ tweet: { id: '1', full_text: 'x'.repeat(2_000_000) } }]))
        )
      )
    ],
    /an item is larger than 1048576 bytes/
  ],
  'no account': [
    () => [store(rawZip(without('account.js').filter(({ name }) => name !== 'data/manifest.js')))],
    /it has no account\.js; give the user name with --handle/
  ],
  'no posts': [
    () => [store(rawZip(withTweets(Buffer.from('x = []'))))],
    /there is nothing to import/
  ],
  'no file with posts': [
    () => [store(rawZip(without('/tweets.js')))],
    /none of its files is called tweets\.js/
  ],
  'an empty archive': [() => [store(rawZip([]))], /is not an archive of posts/],
  'two owners': [
    async () => [
      store(rawZip(entries)),
      await storeZipFile(join(scratchFolder(), 'b.zip'), second)
    ],
    /two accounts, @wren_now and @eve/
  ],
  'another kind of file': [
    () => [store(Buffer.from('%PDF-1.7'), 'a.pdf')],
    /neither a zip archive, a folder nor/
  ],
  'a zip that is none': [() => [store(Buffer.from('%PDF-1.7'))], /is not a complete zip archive/],
  'a link out of the folder': [() => [linked()], /is a link to a file outside of the folder/],
  'a path that does not exist': [() => ['/nonexistent/x.zip'], /does not exist/]
}

const FLAGS: readonly [Record<string, unknown>, RegExp][] = [
  [{ visibility: 'secret' }, /--visibility must be public or hidden/],
  [{ since: 'yesterday' }, /--since must be a day such as 2020-01-31/],
  [{ until: '2020-13-41' }, /--until must be a day/],
  [{ handle: 'two words' }, /--handle must be a user name/],
  [{ 'former-handle': 'a,../b' }, /--former-handle must be a user name/],
  [{ 'exclude-ids': '/nonexistent' }, /Cannot read --exclude-ids/],
  [{ 'alt-text': '/nonexistent' }, /Cannot read --alt-text/]
]

describe('hostile archives of posts', { timeout: 240_000 + 60_000 * EFFORT }, () => {
  let nonet: Nonet<'statuses'>
  before(async () => {
    nonet = await start({ services: ['statuses'] })
    await nonet.reset()
  })
  after(() => nonet.stop())

  /** No account is stored. */
  async function checkEmpty(): Promise<void> {
    const { status } = await fetch(`${nonet.statuses.url}/wren_now`, { redirect: 'manual' })
    assert.equal(status, 404)
  }

  async function isRefused(paths: readonly string[], message: RegExp, flags = {}): Promise<void> {
    await assert.rejects(importInto(nonet, paths, flags), (error) => {
      assert.ok(error instanceof UserError, String(error))
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /\n/)
      return true
    })
    await checkEmpty()
  }

  for (const [title, [make, message]] of Object.entries(REFUSED)) {
    test(`refused: ${title}`, async () => isRefused(await make(), message))
  }

  test('refused: wrong options', async () => {
    const zip = store(rawZip(entries))
    for (const [flags, message] of FLAGS) await isRefused([zip], message, flags)
  })

  test('an archive with random changes is imported or refused with a sentence', async () => {
    const random = createRandom(23)
    for (let round = 0; round < 40 * EFFORT; round++) {
      const changed = Buffer.from(tweets)
      for (let changes = 1 + random.below(6); changes > 0; changes--) {
        changed[random.below(changed.length)] = random.below(256)
      }
      const path = store(rawZip(withTweets(changed)))
      await importInto(nonet, [path], { 'dry-run': true }).catch((error) => {
        assert.ok(error instanceof UserError, error.stack)
        assert.doesNotMatch(error.message, /\n/)
      })
    }
    await checkEmpty()
  })
})
