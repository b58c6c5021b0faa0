/** The commands that carry boxes into files and back, on a nonet that runs and on none. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import {
  type Finished,
  launchLoadedNonet,
  launchNonet,
  runNonet,
  temporaryFolder
} from '../support/launcher.ts'

/** 125 makes a million. */
const RECORDS = 8_000 * EFFORT
const MAX_RESIDENT_KB = 400 * 1024

function succeed({ code, stdout, stderr }: Finished): string {
  assert.equal(code, 0, stderr)
  return stdout.trim()
}

/** About 240 bytes each, with text that only text keeps. */
async function writeRecords(file: string, count: number): Promise<void> {
  await using handle = await open(file, 'w')
  const padding = 'é'.repeat(60)
  for (let from = 0; from < count; from += 1_000) {
    let lines = ''
    for (let n = from; n < Math.min(from + 1_000, count); n++) {
      const id = n.toString(16).padStart(24, '0')
      const time = new Date(1_700_000_000_000 + n).toISOString()
      lines += `{"_id":"${id}","n":${n}.0, "text":"${padding}","when":"x${n % 97}","_createdOn":"${time}"${n % 2 ? ',"_collection":"odd"' : ''}}\n`
    }
    await handle.write(lines)
  }
}

async function digestFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** Undefined where the system does not tell. */
function peakKilobytes(pid: number): number | undefined {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return undefined
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1])
}

describe('boxes as files', { timeout: 240_000 + 20_000 * EFFORT }, () => {
  for (const engine of ENGINES) {
    test(`${RECORDS} records in and out of a running nonet, in bounded memory, on ${engine}`, async (t) => {
      using folder = temporaryFolder()
      await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
      const data = ['--data', join(folder.path, 'data')]
      if (database !== undefined) data.push('--database', database.url)
      await using nonet = await launchNonet([
        'boxes',
        '--quiet',
        '--request-timeout-ms=300000',
        ...data
      ])
      const file = (name: string) => join(folder.path, name)
      await writeRecords(file('sent.ndjson'), RECORDS)
      const timed = async (verb: string, name: string, box: string) => {
        const started = performance.now()
        const printed = succeed(await runNonet([verb, 'boxes', file(name), '--box', box, ...data]))
        const rate = Math.round((RECORDS / (performance.now() - started)) * 1000)
        t.diagnostic(`${verb} ${name}: ${rate} records/s`)
        return printed
      }
      const stored = `Imported into one: ${RECORDS} new, 0 replaced, 0 unchanged`
      assert.equal(await timed('import', 'sent.ndjson', 'one'), stored)
      const told = `Exported ${RECORDS} records of one to ${file('first.ndjson')}`
      assert.equal(await timed('export', 'first.ndjson', 'one'), told)
      await timed('import', 'first.ndjson', 'two')
      await timed('export', 'second.ndjson', 'two')
      const digests = await Promise.all(
        ['sent', 'first', 'second'].map((name) => digestFile(file(`${name}.ndjson`)))
      )
      assert.equal(new Set(digests).size, 1, 'all three files are the same')
      const peak = peakKilobytes(nonet.ready.pid)
      if (peak === undefined) return
      t.diagnostic(`peak memory of the server ${Math.round(peak / 1024)} MB`)
      assert.ok(peak < MAX_RESIDENT_KB, `${peak} kB`)
    })
  }

  test('without a running nonet the command does the same, and tells how far it is', async () => {
    using folder = temporaryFolder()
    const data = ['--data', join(folder.path, 'data')]
    const file = join(folder.path, 'some.ndjson')
    await writeRecords(file, 2_000)
    const done = await runNonet(['import', 'boxes', file, '--box', 'quiet', ...data])
    assert.match(succeed(done), /^Imported into quiet: 2000 new/)
    assert.match(done.stderr, /^Importing: 100 % \(\d+ of \d+ bytes\)$/m)
    const exported = await runNonet(['export', 'boxes', folder.path, '--box', 'quiet', ...data])
    assert.match(succeed(exported), /Exported 2000 records of quiet to .*quiet\.ndjson$/)
    assert.equal(await digestFile(join(folder.path, 'quiet.ndjson')), await digestFile(file))
    await using nonet = await launchLoadedNonet(['boxes', '--quiet', ...data])
    const answer = await fetch(`${nonet.ready.services.boxes}/_meta/quiet`)
    assert.equal((await answer.json())._count, 2_000)
  })

  test('a file of json-server, twice', async () => {
    using folder = temporaryFolder()
    const data = ['--data', join(folder.path, 'data')]
    const file = join(folder.path, 'db.json')
    const content = { posts: [{ id: 1, title: 'a' }, { id: 2 }], profile: { name: 'x' } }
    const load = () => runNonet(['import', 'boxes', file, '--box', 'blog', ...data])
    writeFileSync(file, JSON.stringify(content, null, 2))
    assert.equal(succeed(await load()), 'Imported into blog: 3 new, 0 replaced, 0 unchanged')
    writeFileSync(file, JSON.stringify({ ...content, profile: { name: 'y' } }))
    assert.equal(succeed(await load()), 'Imported into blog: 0 new, 3 replaced, 0 unchanged')
    await using nonet = await launchLoadedNonet(['boxes', '--quiet', ...data])
    const url = nonet.ready.services.boxes
    const posts = await (await fetch(`${url}/blog/posts?sort=id`)).json()
    assert.deepEqual(
      posts.map(({ id, title }: { id: number; title?: string }) => [id, title]),
      [
        [1, 'a'],
        [2, undefined]
      ]
    )
    const [profile] = await (await fetch(`${url}/blog/profile`)).json()
    assert.equal(profile.name, 'y')
    const json5 = join(folder.path, 'db.json5')
    const text = `// comment
{ $schema: './schema.json', posts: [{ id: 1, title: 'a', },
  { id: 'x7', rate: +.5, 'mask': 0xff, }, ], profile: { name: 'it\\
s' } }`
    writeFileSync(json5, text)
    const again = await runNonet(['import', 'boxes', json5, '--box', 'blog', ...data])
    assert.equal(succeed(again), 'Imported into blog: 1 new, 1 replaced, 1 unchanged')
    const exported = await (await fetch(`${url}/_export/blog`)).text()
    assert.match(exported, /"id":"x7","rate":0\.5,"mask":255,/)
    assert.match(exported, /"name":"its"/)
    writeFileSync(json5, '{ posts: [{ id: 3, rate: Infinity }] }')
    const infinite = await runNonet(['import', 'boxes', json5, '--box', 'blog', ...data])
    assert.match(
      infinite.stderr,
      /Cannot read .*db\.json5: "rate" is Infinity, which JSON does not/
    )
  })

  test('what cannot be done is one line and an exit code', async () => {
    using folder = temporaryFolder()
    const data = ['--data', join(folder.path, 'data')]
    const file = join(folder.path, 'bad.ndjson')
    writeFileSync(file, '{"n":1}\n{"n":}\n{"n":3}\n')
    const bad = await runNonet(['import', 'boxes', file, '--box', 'bad', ...data])
    assert.equal(bad.code, 1)
    assert.match(
      bad.stderr,
      /2 new, 0 replaced, 0 unchanged; 1 rejected:\n {2}line 2: Invalid JSON/
    )
    const json = join(folder.path, 'db.json')
    writeFileSync(json, '{"a":5}')
    const refusals: [string[], RegExp][] = [
      [['import', 'boxes', json, '--box', 'x', ...data], /"a" is neither an array nor an object/],
      [['import', 'boxes', file, ...data], /Missing box name \(--box\)/],
      [['import', 'boxes', join(folder.path, 'none'), '--box', 'x', ...data], /no such file/],
      [['export', 'boxes', file, '--box', 'unknown', ...data], /Box unknown not found/],
      [
        ['export', 'boxes', file, '--box', 'x', '--data', join(folder.path, 'no')],
        /Data folder .* does not exist/
      ],
      [['reset', 'boxes', '--box', 'bad', '--key', ...data], /is public, so it has no key/]
    ]
    for (const [args, reason] of refusals) {
      const { code, stderr } = await runNonet(args)
      assert.equal(code, 1, args.join(' '))
      assert.match(stderr, reason)
    }
    assert.equal(readFileSync(file, 'utf8').split('\n').length, 4, 'nothing was overwritten')
  })

  test('the operator gives a new key to whoever lost the old one', async () => {
    using folder = temporaryFolder()
    const data = ['--data', join(folder.path, 'data')]
    const lost = { 'x-api-key': '4fbf7c06-5a3f-4d29-9d8a-1f1f0b8a4e11' }
    await using nonet = await launchLoadedNonet(['boxes', '--quiet', ...data])
    const url = `${nonet.ready.services.boxes}/mine`
    await fetch(url, { method: 'POST', body: '{"n":1}', headers: lost })
    const printed = succeed(await runNonet(['reset', 'boxes', '--box', 'mine', '--key', ...data]))
    const key = /[0-9a-f-]{36}$/.exec(printed)?.[0] ?? assert.fail(printed)
    const post = (headers: Record<string, string>) =>
      fetch(url, { method: 'POST', body: '{}', headers })
    assert.equal((await post(lost)).status, 401)
    assert.equal((await post({ 'x-api-key': key })).status, 200)
    assert.equal((await (await fetch(url)).json()).length, 2)
  })
})
