/** The export command on a nonet that runs and on none, when it is killed, and its memory. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import {
  type Finished,
  LAUNCHER,
  launchLoadedNonet,
  ROOT,
  runNonet,
  temporaryFolder
} from '../support/launcher.ts'
import { storeFolder, storeZipFile, xArchive } from '../support/statuses-archives.ts'
import { readExport } from '../support/statuses-export.ts'

const POSTS = 60
/** 10 makes 40,000. */
const MANY = 4_000 * EFFORT
/** Of the command and of the server, above what they need for a few posts. */
const MAX_GROWTH_MB = 80
const BASE = 'https://people.example'

function succeed({ code, stdout, stderr }: Finished): string {
  assert.equal(code, 0, stderr)
  return stdout.trim()
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}

/** Of an export that was imported: the lines of posts repeated with other ids. */
function manyLines(folder: string): void {
  const post = (number: number) => ({
    id: String(1_500_000_000_000_000_000n + BigInt(number) * 4_194_304_000n),
    visibility: number % 50 === 0 ? 'hidden' : 'public',
    kind: 'post',
    text: `Post ${number} ${'lantern '.repeat(30)}`,
    entities: [],
    createdAt: new Date(Date.UTC(2022, 0, 1) + number * 60_000).toISOString(),
    media: [],
    counts: { likes: 1, reposts: null, replies: null, quotes: null },
    sensitive: false,
    source: 'x_archive',
    raw: JSON.stringify({ text: 'lantern '.repeat(60), number })
  })
  const account = {
    ...{ id: '12', userName: 'ada', name: 'Ada', bio: '', formerNames: [], source: 'x_archive' }
  }
  const lines = [{ format: 'nonet-statuses', version: 1 }, { account }]
    .concat(Array.from({ length: MANY }, (_, number) => ({ post: post(number) })) as never[])
    .concat([{ end: { accounts: 1, posts: MANY } }] as never[])
  mkdirSync(folder)
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  writeFileSync(join(folder, 'nonet-statuses.jsonl'), `${text}\n`)
}

describe('export of posts', { timeout: 300_000 + 60_000 * EFFORT }, () => {
  for (const engine of ENGINES) {
    test(`of a running nonet and of none, on ${engine}`, async () => {
      using folder = temporaryFolder()
      await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
      const file = (name: string) => join(folder.path, name)
      const args = ['--data', file('data')]
      if (database !== undefined) args.push('--database', database.url)
      const { files, posts } = xArchive({ count: POSTS })
      succeed(await runNonet(['import', 'statuses', storeFolder(file('x'), files), ...args]))
      const quiet = succeed(await runNonet(['export', 'statuses', file('quiet'), ...args]))
      assert.match(quiet, /^Exported 60 posts and \d+ media files to .*quiet$/)
      const media = readdirSync(file('quiet/media'))
      assert.ok(media.length > 5)
      await using nonet = await launchLoadedNonet(['statuses', '--quiet', ...args])
      succeed(await runNonet(['export', 'statuses', file('running'), ...args]))
      assert.equal(readExport(file('running')).text, readExport(file('quiet')).text)
      assert.deepEqual(readdirSync(file('running/media')), media)
      const html = ['export', 'statuses', file('html'), '--html', '--base-url', BASE, ...args]
      assert.match(succeed(await runNonet(html)), /publish them at https:\/\/people\.example\/$/)
      const shown = posts.filter(({ expected }) => !expected.hidden)
      assert.equal(readdirSync(file('html/wren_now/status')).length, shown.length)
      assert.ok(existsSync(file('html/404.html')))
      // The web server of a file host is another user.
      const usual = modeOf(join(file('html'), 'wren_now'))
      assert.deepEqual([modeOf(file('html')), modeOf(file('quiet'))], [usual, 0o700])
      const unwanted: [string[], number, RegExp][] = [
        [['statuses', file('html'), ...args], 1, /The folder html is not empty/],
        [['statuses', file('x'), ...args], 1, /The folder x is not empty/],
        [['statuses', file('html/404.html'), ...args], 1, /is a file; name a folder/],
        [['statuses', ...args], 2, /Missing file/],
        [['statuses', file('new'), '--html', ...args], 1, /--html needs --base-url/],
        [['statuses', file('new'), '--box', 'a', ...args], 2, /--box is not supported/],
        [['boxes', file('new'), '--html', ...args], 2, /--html is not supported/],
        [['statuses', file('new'), '--from', 'x', ...args], 2, /--from is not supported/],
        [['statuses', file('new'), '--data', file('none')], 1, /does not exist/]
      ]
      const before = readFileSync(file('html/404.html'))
      for (const [words, code, message] of unwanted) {
        const done = await runNonet(['export', ...words])
        assert.equal(done.code, code, done.stderr)
        assert.match(done.stderr, message)
        assert.match(done.stderr, /^nonet: [^\n]+\n$/)
      }
      assert.ok(readFileSync(file('html/404.html')).equals(before))
      mkdirSync(file('empty'))
      succeed(await runNonet(['export', 'statuses', file('empty'), ...args]))
      assert.deepEqual(readdirSync(file('empty')), ['media', 'nonet-statuses.jsonl'])
      const left = readdirSync(folder.path).filter((name) => name.includes('.part-'))
      assert.deepEqual(left, [], 'nothing is left of exports that were rejected')
      assert.ok(nonet.ready.services.statuses)
    })
  }

  test(`${MANY} posts in bounded memory; killed in the middle, nothing has the name`, async (t) => {
    using folder = temporaryFolder()
    const file = (name: string) => join(folder.path, name)
    const args = ['--data', file('data')]
    const memory = file('memory.txt')
    const module = pathToFileURL(join(ROOT, 'test/support/tell-memory.mjs')).href
    const env = { NODE_OPTIONS: `--import ${module}`, TELL_MEMORY_TO: memory }
    const peak = () => Math.max(...readFileSync(memory, 'utf8').trim().split('\n').map(Number))
    const zip = await storeZipFile(file('x.zip'), xArchive({ count: 3 }).files)
    // The command runs the service itself, so the memory is that of both.
    succeed(await runNonet(['import', 'statuses', zip, '--data', file('few')]))
    succeed(await runNonet(['export', 'statuses', file('small'), '--data', file('few')], { env }))
    const idle = peak()
    manyLines(file('many'))
    succeed(await runNonet(['import', 'statuses', file('many'), ...args]))
    const started = performance.now()
    succeed(await runNonet(['export', 'statuses', file('large'), ...args], { env }))
    const rate = Math.round((MANY / (performance.now() - started)) * 1000)
    const growth = peak() - idle
    t.diagnostic(`${rate} posts/s, ${growth} MB above ${idle} MB`)
    assert.ok(growth < MAX_GROWTH_MB, `${growth} MB`)
    const written = readFileSync(file('large/nonet-statuses.jsonl'))
    assert.ok(written.equals(readFileSync(file('many/nonet-statuses.jsonl'))), 'the same lines')
    for (const flags of [[], ['--html', '--base-url', BASE]]) {
      const earlier = readdirSync(folder.path)
      const words = ['export', 'statuses', file('killed'), ...flags, ...args]
      const child = spawn(process.execPath, [LAUNCHER, ...words], { cwd: ROOT })
      const closed = once(child, 'close')
      const isWriting = () =>
        readdirSync(folder.path)
          .filter((name) => name.startsWith('killed.part-') && !earlier.includes(name))
          .some((name) => readdirSync(file(name)).length > 0)
      while (!isWriting()) {
        assert.equal(child.exitCode, null, 'the export ended too early')
        await setTimeout(5)
      }
      child.kill('SIGKILL')
      await closed
      assert.ok(!existsSync(file('killed')))
    }
    const parts = readdirSync(folder.path).filter((name) => name.startsWith('killed.part-'))
    assert.equal(parts.length, 2, 'what was written has another name')
  })
})
