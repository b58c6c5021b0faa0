/** The import command: one line and an exit code, bounded memory, and processes that are killed. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import type { ImportReport } from '../../src/services/statuses/import/report.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import {
  LAUNCHER,
  launchLoadedNonet,
  ROOT,
  runNonet,
  temporaryFolder
} from '../support/launcher.ts'
import { writeSparseZip } from '../support/sparse-zip.ts'
import { type ArchiveFile, storeZipFile, xArchive } from '../support/statuses-archives.ts'
import { makePosts } from '../support/statuses-posts.ts'

const MEGABYTE = 1024 * 1024
/** 10 makes 250 MB. */
const LARGE_BYTES = 25 * MEGABYTE * EFFORT
/** Long posts need a quarter of the time for the same size; they are as long as real ones with 10. */
const FILLER = 'long '.repeat(EFFORT < 10 ? 600 : 0)
/** The requirement is 150. */
const MAX_GROWTH_MB = 110
const POSTS = 600
const AVATAR_AND_HEADER = 2

async function importJson(
  paths: readonly string[],
  args: readonly string[],
  env: Record<string, string> = {}
): Promise<ImportReport> {
  const done = await runNonet(['import', 'statuses', ...paths, '--json', ...args], { env })
  assert.equal(done.code, 0, done.stderr)
  return JSON.parse(done.stdout)
}

/** Starts an import and resolves when it is in the middle. */
async function startImport(paths: readonly string[], args: readonly string[]) {
  const command = [LAUNCHER, 'import', 'statuses', ...paths, ...args]
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let stderr = ''
  const ended = once(child, 'close').then(([code]) => ({ code, stderr }))
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      stderr += chunk
      if (/ [5-9]0 %/.test(stderr)) resolve()
    })
    child.once('close', () => reject(new Error(`The import ended too early: ${stderr}`)))
  })
  return { child: child as ChildProcess, ended }
}

interface Storage {
  data: string
  url: string | undefined
}

async function referencesIn({ data, url }: Storage): Promise<Map<string, number>> {
  const sql = 'select hash, refs from'
  const rows: { hash: string; refs: number | string }[] = []
  if (url === undefined) {
    using database = new DatabaseSync(join(data, 'statuses.sqlite'), { readOnly: true })
    for (const row of database.prepare(`${sql} files`).all()) rows.push(row as (typeof rows)[0])
  } else {
    const client = await connectPostgres({ url })
    rows.push(...(await client.query(`${sql} nonet_statuses.files`)).rows)
    await client.end()
  }
  return new Map(rows.map(({ hash, refs }) => [hash, Number(refs)]))
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0)
}

/** Every stored file is used, every used one is stored, and each use is counted once. */
async function checkFiles(storage: Storage, uses: number): Promise<void> {
  const stored = globSync('statuses/files/*/*', { cwd: storage.data }).map((path) => basename(path))
  const references = await referencesIn(storage)
  assert.deepEqual(stored.sort(), [...references.keys()].sort())
  const counts = [...references.values()]
  assert.ok(counts.every((count) => count > 0))
  assert.equal(sum(counts), uses)
}

describe('import of archives', { timeout: 600_000 + 60_000 * EFFORT }, () => {
  for (const engine of ENGINES) {
    for (const killed of ['command', 'server'] as const) {
      test(`the ${killed} is killed in the middle and the import repeated, on ${engine}`, async () => {
        using folder = temporaryFolder()
        await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
        const storage = { data: join(folder.path, 'data'), url: database?.url }
        const args = ['--data', storage.data]
        if (database !== undefined) args.push('--database', database.url)
        const { files, posts } = xArchive({ count: POSTS, seed: 5 })
        const zip = await storeZipFile(join(folder.path, 'x.zip'), files)
        const first = await launchLoadedNonet(['statuses', '--quiet', ...args])
        // Of the sample account.
        const before = sum((await referencesIn(storage)).values())
        const { child, ended } = await startImport([zip], args)
        if (killed === 'server') {
          await first.end('SIGKILL')
          const { code, stderr } = await ended
          assert.equal(code, 1)
          assert.match(stderr, /^nonet: nonet ended during the import; run the command again/m)
        } else {
          child.kill('SIGKILL')
          await ended
        }
        const second =
          killed === 'server' ? await launchLoadedNonet(['statuses', '--quiet', ...args]) : first
        const again = await importJson([zip], args)
        assert.ok(again.unchanged > 0, 'what was stored stays')
        assert.equal(again.added + again.unchanged, POSTS)
        const last = await importJson([zip], args)
        assert.deepEqual([last.added, last.updated, last.unchanged], [0, 0, POSTS])
        assert.equal(last.media.uploaded, 0)
        await second.end()
        const media = sum(posts.map((post) => post.files.length))
        await checkFiles(storage, before + media + AVATAR_AND_HEADER)
      })
    }
  }

  test(`a tweets.js of ${LARGE_BYTES / MEGABYTE} MB in bounded memory`, async (t) => {
    using folder = temporaryFolder()
    const args = ['--data', join(folder.path, 'data')]
    const memory = join(folder.path, 'memory.txt')
    const module = pathToFileURL(join(ROOT, 'test/support/tell-memory.mjs')).href
    const env = { NODE_OPTIONS: `--import ${module}`, TELL_MEMORY_TO: memory }
    const peak = () => Math.max(...readFileSync(memory, 'utf8').trim().split('\n').map(Number))
    await using nonet = await launchLoadedNonet(['statuses', '--quiet', ...args])
    assert.ok(nonet.ready.services.statuses)
    const small = await storeZipFile(join(folder.path, 'small.zip'), xArchive({ count: 1 }).files)
    await importJson([small], args, env)
    const idle = peak()
    const { files } = xArchive({ count: 0 })
    const others = files.filter(({ name }) => !/tweets\.js|manifest/.test(name))
    const count = { posts: 0 }
    const large: ArchiveFile = { name: 'data/tweets.js', content: oneLine(LARGE_BYTES, count) }
    const zip = await storeZipFile(join(folder.path, 'large.zip'), [large, ...others])
    const started = performance.now()
    const report = await importJson([zip], args, env)
    const rate = Math.round((count.posts / (performance.now() - started)) * 1000)
    const growth = peak() - idle
    t.diagnostic(`${count.posts} posts, ${rate} posts/s, ${growth} MB above ${idle} MB`)
    assert.equal(report.added, count.posts)
    assert.ok(growth < MAX_GROWTH_MB, `${growth} MB`)
  })

  test('a zip beyond 4 GB: an entry that no post needs is not read, one behind it is', async () => {
    using folder = temporaryFolder()
    const args = ['--data', join(folder.path, 'data')]
    const path = join(folder.path, 'huge.zip')
    const { files, posts } = xArchive({ count: 20 })
    const media = sum(posts.map((post) => post.files.length)) + AVATAR_AND_HEADER
    const contents = files.map(({ name, content }) => ({ name, content: content as Buffer }))
    const hole = { name: 'data/tweets_media/1-unreferenced.mp4', content: 4_500 * MEGABYTE }
    await writeSparseZip(path, [hole, ...contents])
    const report = await importJson([path], args)
    assert.equal(report.added, 20)
    assert.equal(report.media.uploaded, media)
  })

  test('what cannot be done is one line and an exit code', async () => {
    using folder = temporaryFolder()
    const args = ['--data', join(folder.path, 'data')]
    const { files } = xArchive({ count: 3 })
    const zip = await storeZipFile(join(folder.path, 'x.zip'), files)
    const cut = join(folder.path, 'cut.zip')
    writeFileSync(cut, readFileSync(zip).subarray(0, -200))
    const refused: [string[], number, RegExp][] = [
      [
        ['statuses', cut],
        1,
        /cut\.zip is not a complete zip archive: .*; download or copy it again/
      ],
      [['statuses'], 2, /Missing file/],
      [['boxes', zip, zip, '--box', 'a'], 2, /import boxes takes one file: unexpected argument/],
      [['boxes', zip, '--box', 'a', '--dry-run'], 2, /import boxes: --dry-run is not supported/],
      [['reference', folder.path, folder.path], 2, /Unexpected argument/]
    ]
    for (const [words, code, message] of refused) {
      const done = await runNonet(['import', ...words, ...args])
      assert.equal(done.code, code, done.stderr)
      assert.match(done.stderr, message)
      assert.match(done.stderr, /^nonet: [^\n]+\n$/)
    }
    const done = await runNonet(['import', 'statuses', zip, ...args])
    assert.match(
      done.stdout,
      /^Imported posts of @wren_now: 3 added, 0 updated, 0 unchanged, 0 skipped\n/
    )
  })
})

/** A file of posts in one line, made as it is read. */
async function* oneLine(bytes: number, count: { posts: number }): AsyncGenerator<Buffer> {
  yield Buffer.from('window.YTD.tweets.part0 = [')
  let size = 0
  for (const { tweet } of makePosts({ seed: 3, count: Number.POSITIVE_INFINITY, minutes: 40 })) {
    const item = Buffer.from(
      `${size === 0 ? '' : ','}${JSON.stringify({ tweet: { ...tweet, filler: FILLER } })}`
    )
    yield item
    size += item.length
    count.posts++
    if (size >= bytes) break
  }
  yield Buffer.from(']')
}
