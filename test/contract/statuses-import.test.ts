/** What the import command stores, and what its options leave out. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import {
  mastodonArchive,
  storeFolder,
  storeZipFile,
  type XArchiveOptions,
  xArchive
} from '../support/statuses-archives.ts'
import { importInto } from '../support/statuses-import.ts'
import { type MadePost, OWNER } from '../support/statuses-posts.ts'

const MEDIA = 'photo'

async function xZip(options: XArchiveOptions = {}): Promise<string> {
  return storeZipFile(join(scratchFolder(), 'x.zip'), xArchive(options).files)
}

function textFile(name: string, text: string): string {
  const path = join(scratchFolder(), name)
  writeFileSync(path, text)
  return path
}

const counts = ({
  added,
  updated,
  unchanged
}: Record<'added' | 'updated' | 'unchanged', number>) => [added, updated, unchanged]

for (const engine of ENGINES) {
  describe(`statuses: import, on ${engine}`, { timeout: 240_000 }, () => {
    const { files, posts } = xArchive({ count: 120 })
    let nonet: Nonet<'statuses'>
    let zip: string

    before(async () => {
      nonet = await start({ services: ['statuses'], ...engineOptions(engine) })
      await nonet.reset()
      zip = await storeZipFile(join(scratchFolder(), 'x.zip'), files)
    })
    after(() => nonet.stop())

    async function read(id: string): Promise<{ status: number; record: Record<string, unknown> }> {
      const headers = { accept: 'application/json' }
      const response = await fetch(`${nonet.statuses.url}/i/status/${id}`, { headers })
      return { status: response.status, record: await response.json() }
    }

    async function checkStored({ id, kind, expected }: MadePost): Promise<void> {
      const { status, record } = await read(id)
      assert.equal(status, expected.hidden ? 404 : 200, `${kind} ${id}`)
      if (expected.hidden) return
      assert.equal(record.text, expected.text)
      assert.equal(record.created_at, expected.createdAt)
      assert.equal((record.media as unknown[]).length, expected.media)
      const entities = record.entities as { start: number; end: number }[]
      const characters = Array.from(expected.text)
      const words = entities.map(({ start: from, end }) => characters.slice(from, end).join(''))
      assert.deepEqual(words, expected.marked)
    }

    test('a dry run stores nothing and tells what an import will do', async () => {
      const report = await importInto(nonet, [zip], { 'dry-run': true })
      assert.deepEqual(counts(report), [120, 0, 0])
      assert.ok(report.media.uploaded > 0)
      assert.equal((await read(posts[0]?.id ?? '')).status, 404)
      assert.deepEqual({ ...(await importInto(nonet, [zip])), dryRun: true }, report)
    })

    test('every post is stored as the archive has it, hidden ones are not public', async () => {
      for (const post of posts) await checkStored(post)
    })

    test('a second import changes nothing and uploads nothing, also from the unpacked archive', async () => {
      const before = await read(posts[1]?.id ?? '')
      for (const path of [zip, storeFolder(scratchFolder(), files)]) {
        const report = await importInto(nonet, [path])
        assert.deepEqual(counts(report), [0, 0, 120])
        assert.equal(report.media.uploaded, 0)
      }
      assert.deepEqual(await read(posts[1]?.id ?? ''), before)
    })

    test('a changed post is updated', async () => {
      const changed = posts.map(({ tweet }, index) => ({
        tweet: index === 0 ? { ...tweet, favorite_count: '5000' } : tweet
      }))
      const path = await xZip({ count: 120, extra: { 'tweets.js': changed } })
      assert.deepEqual(counts(await importInto(nonet, [path])), [0, 1, 119])
      const { record } = await read(posts[0]?.id ?? '')
      assert.equal((record.counts as { likes: number }).likes, 5_000)
      assert.deepEqual(counts(await importInto(nonet, [zip])), [0, 1, 119])
    })

    test('a single tweets.js adds to the account and keeps what is known of it', async () => {
      const profile = async () => (await fetch(`${nonet.statuses.url}/${OWNER.userName}`)).text()
      const before = await profile()
      const path = join(storeFolder(scratchFolder(), files), 'data/tweets.js')
      const report = await importInto(nonet, [path], { handle: OWNER.userName, 'dry-run': true })
      assert.equal(report.added, 0)
      const alone = textFile(
        'tweets.js',
        'window.x = [{"tweet":{"id":"21","created_at":"Wed Mar 22 10:00:00 +0000 2006","full_text":"one more","entities":{}}}]'
      )
      assert.equal((await importInto(nonet, [alone], { handle: OWNER.userName })).added, 1)
      assert.equal((await read('21')).record.text, 'one more')
      assert.match(before, /Words &amp; more/)
      assert.match(await profile(), /Words &amp; more/)
    })

    test('options leave posts out, with reasons', async () => {
      const excluded = textFile(
        'ids.txt',
        `# mine\n${posts[3]?.id}\nhttps://x.com/i/status/${posts[4]?.id}\n`
      )
      const since = posts[20]?.expected.createdAt.slice(0, 10) ?? ''
      const kinds = (kind: string) => posts.filter((post) => post.expected.kind === kind).length
      const others = posts.filter(
        ({ kind }) => kind === 'reply' || kind === 'replyToDeleted'
      ).length
      const cases: [Record<string, unknown>, string, number][] = [
        [{ 'exclude-ids': excluded }, 'in --exclude-ids', 2],
        [{ 'skip-retweets': true }, 'reposts', kinds('repost')],
        [{ 'skip-replies-to-others': true }, 'replies to other accounts', others],
        [
          { since },
          'before --since',
          posts.filter(({ expected }) => expected.createdAt < since).length
        ],
        [
          { until: since },
          'after --until',
          posts.filter(({ expected }) => expected.createdAt.slice(0, 10) > since).length
        ]
      ]
      for (const [flags, reason, count] of cases) {
        const { skipped, unchanged } = await importInto(nonet, [zip], { ...flags, 'dry-run': true })
        assert.deepEqual(
          skipped.map((one) => [one.reason, one.count]),
          [[reason, count]]
        )
        assert.equal(unchanged, 120 - count)
        assert.ok(count > 0 && (skipped[0]?.examples.length ?? 0) > 0)
      }
    })

    test('posts of a protected account are hidden unless confirmed', async () => {
      const owner = { id: '88', userName: 'shy' }
      const path = await xZip({
        isProtected: true,
        owner,
        extra: { 'tweets.js': [{ tweet: { ...posts[0]?.tweet, id: '31', id_str: '31' } }] }
      })
      const first = await importInto(nonet, [path], { visibility: 'public' })
      assert.match(first.hidden[0]?.reason ?? '', /the account was protected/)
      assert.equal((await read('31')).status, 404)
      await importInto(nonet, [path], { public: true })
      assert.equal((await read('31')).status, 200)
      await importInto(nonet, [path], { public: true, visibility: 'hidden' })
      assert.equal((await read('31')).status, 404)
    })

    test('descriptions of images come from a file', async () => {
      const post = posts.find(({ kind }) => kind === MEDIA)
      const url = `https://pbs.example.org/media/${post?.files[0]?.name.split('-')[1]}?format=png`
      const alt = textFile(
        'alt.json',
        JSON.stringify([{ tweet_id: post?.id, media_url: url, alt_text: 'A copper lantern' }])
      )
      assert.equal((await importInto(nonet, [zip], { 'alt-text': alt })).updated, 1)
      const { record } = await read(post?.id ?? '')
      assert.equal((record.media as { alt: string }[])[0]?.alt, 'A copper lantern')
      await importInto(nonet, [zip])
    })

    test('another owner of the same name is refused, or added on request', async () => {
      const tweets = [{ tweet: { ...posts[0]?.tweet, id: '41', id_str: '41' } }]
      const owner = { id: '999', former: 'unrelated' }
      const path = await xZip({ owner, extra: { 'tweets.js': tweets } })
      await assert.rejects(importInto(nonet, [path]), /wren_now.*--new-account/)
      assert.equal((await read('41')).status, 404)
      assert.equal((await importInto(nonet, [path], { 'new-account': true })).added, 1)
      assert.equal((await read('41')).status, 200)
      assert.equal((await read(posts[0]?.id ?? '')).status, 200)
    })

    test('an archive of Mastodon, twice', async () => {
      const { files: parts, publicIds } = mastodonArchive()
      const path = await storeZipFile(join(scratchFolder(), 'm.zip'), parts)
      const report = await importInto(nonet, [path])
      assert.deepEqual(counts(report), [publicIds.length, 0, 0])
      assert.deepEqual(counts(await importInto(nonet, [path])), [0, 0, publicIds.length])
      for (const id of publicIds) assert.equal((await read(id)).status, 200)
      for (const { examples } of report.skipped) {
        for (const id of examples) assert.equal((await read(id)).status, 404)
      }
    })

    test('a damaged medium is missing, and the import goes on', async () => {
      const { files: some } = xArchive({ count: 20, seed: 9, owner: { id: '77', userName: 'tin' } })
      const broken = some.map((file) =>
        file.name.includes('_media/') && file.name.endsWith('.png')
          ? { ...file, content: Buffer.from('<html>not an image</html>') }
          : file
      )
      const path = await storeZipFile(join(scratchFolder(), 'x.zip'), broken)
      const report = await importInto(nonet, [path])
      assert.equal(report.added, 20)
      const refused = report.media.missing.find(({ reason }) => reason === 'not stored')
      assert.match(refused?.examples[0] ?? '', /neither an image .* nor a video/)
    })
  })
}
