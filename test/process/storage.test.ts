import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Engine } from '../../src/kernel/database/database.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { JSON_VECTORS } from '../support/json-vectors.ts'
import { launchLoadedNonet, runNonet, temporaryFolder } from '../support/launcher.ts'

const BOX = 'box_0123456789abcdefghij'
const RECORDS = Object.values(JSON_VECTORS)
/** Each record and its change, the box itself, and what numbers changes. */
const ROWS = 2 * RECORDS.length + 2

interface Home extends AsyncDisposable {
  folder: string
  /** What a command has to be told. */
  flags: string[]
  /** As `--to` takes it. */
  address: string
}

async function openHome(engine: Engine): Promise<Home> {
  const folder = temporaryFolder()
  const database = engine === 'postgres' ? await temporaryDatabase() : undefined
  const data = join(folder.path, 'data')
  return {
    folder: folder.path,
    flags: ['--data', data, ...(database === undefined ? [] : ['--database', database.url])],
    address: database?.url ?? data,
    async [Symbol.asyncDispose]() {
      await database?.[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    }
  }
}

const launch = ({ flags }: Home) => launchLoadedNonet(['boxes', ...flags])

async function store(url: string | undefined): Promise<void> {
  for (const body of RECORDS) {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/${BOX}`, { method: 'POST', headers, body })
    assert.equal(answer.status, 200, await answer.text())
  }
}

/** Every record of the box, byte for byte. */
async function listAll(url: string | undefined): Promise<string> {
  return (await fetch(`${url}/${BOX}?limit=1000`)).text()
}

async function stored(home: Home): Promise<string> {
  await using nonet = await launch(home)
  return await listAll(nonet.ready.services.boxes)
}

for (const engine of ENGINES) {
  describe(`data on ${engine}`, () => {
    test('backup while nonet runs, restore when it does not', async () => {
      await using home = await openHome(engine)
      const file = join(home.folder, 'monday.nonet')
      let before = ''
      {
        await using nonet = await launch(home)
        await store(nonet.ready.services.boxes)
        before = await listAll(nonet.ready.services.boxes)
        for (const record of RECORDS) assert.ok(before.includes(record.slice(1, -1)))
        // Without --database: the running nonet knows where its tables are.
        const backup = await runNonet(['backup', file, ...home.flags.slice(0, 2)])
        assert.match(
          backup.stderr,
          new RegExp(`^(Backing up: \\d+ % \\(\\d+ of ${ROWS} rows\\)\n)+$`)
        )
        assert.ok(backup.stderr.endsWith(`Backing up: 100 % (${ROWS} of ${ROWS} rows)\n`))
        assert.deepEqual([backup.code, backup.stdout], [0, `Wrote ${ROWS} rows to ${file}\n`])
        const refused = await runNonet(['restore', file, '--force', ...home.flags])
        assert.equal(refused.code, 1)
        assert.match(refused.stderr, /^nonet: .*stop it.*\n$/)
      }
      const occupied = await runNonet(['restore', file, ...home.flags])
      assert.equal(occupied.code, 1)
      assert.match(
        occupied.stderr,
        new RegExp(`^nonet: boxes already has ${ROWS} rows there: use --force to replace them\n$`)
      )
      assert.equal((await runNonet(['reset', 'boxes', ...home.flags])).code, 0)
      assert.ok((await stored(home)) === '[]')
      const restored = await runNonet(['restore', file, '--force', ...home.flags])
      assert.deepEqual(
        [restored.code, restored.stdout],
        [0, `Restored ${ROWS} rows from ${file}\n`]
      )
      assert.ok((await stored(home)) === before, 'byte-equal')
    })

    test('reset reaches the running nonet', async () => {
      await using home = await openHome(engine)
      await using nonet = await launch(home)
      await store(nonet.ready.services.boxes)
      assert.equal((await runNonet(['reset', 'boxes', ...home.flags])).stdout, 'Reset boxes\n')
      assert.equal(await (await fetch(`${nonet.ready.services.boxes}/${BOX}`)).text(), '[]')
      await store(nonet.ready.services.boxes)
    })

    for (const other of ENGINES) {
      test(`copy to ${other}`, async () => {
        await using home = await openHome(engine)
        await using target = await openHome(other)
        let before = ''
        {
          await using nonet = await launch(home)
          await store(nonet.ready.services.boxes)
          before = await listAll(nonet.ready.services.boxes)
        }
        const copied = await runNonet(['copy', '--to', target.address, ...home.flags])
        assert.equal(
          copied.stdout,
          `Copied ${ROWS} rows; counts and checksums agree\n`,
          copied.stderr
        )
        assert.ok((await stored(target)) === before, 'byte-equal')
      })
    }
  })
}

test('a second nonet on the data folder ends with one line; after kill -9 the next one starts', async () => {
  await using home = await openHome('sqlite')
  const first = await launch(home)
  await store(first.ready.services.boxes)
  const second = await runNonet(['up', 'boxes', '--port-base=0', ...home.flags])
  assert.equal(second.code, 1)
  assert.match(
    second.stderr,
    /^nonet: Another nonet process uses .*boxes\.sqlite: stop it, or choose another folder with --data\n$/
  )
  await first.end('SIGKILL')
  assert.match(await stored(home), /12345678901234567890/)
})

const complaints: readonly { args: string[]; code: number; says: RegExp }[] = [
  { args: ['backup'], code: 2, says: /^nonet: Missing file\. Usage: nonet backup/ },
  {
    args: ['backup', 'x.nonet'],
    code: 1,
    says: /^nonet: No data is stored in .*nonet-data; set the location with --data or --database\n$/
  },
  { args: ['restore'], code: 2, says: /^nonet: Missing file\. Usage: nonet restore/ },
  {
    args: ['restore', 'no-such-file'],
    code: 1,
    says: /^nonet: Cannot restore from .*no-such-file: ENOENT.*; nothing was changed\n$/
  },
  {
    args: ['copy'],
    code: 2,
    says: /^nonet: Missing destination \(--to or --to-files\)\. Usage: nonet copy/
  },
  {
    args: ['up', 'boxes', '--database', 'mysql://x'],
    code: 1,
    says: /^nonet: --database must be a URL such as/
  },
  {
    args: ['up', 'boxes', '--database', 'postgres://u:secret@127.0.0.1:1/x'],
    code: 1,
    says: /^nonet: Cannot use the database 127\.0\.0\.1:1\/x: connect ECONNREFUSED 127\.0\.0\.1:1; start PostgreSQL, [^\n]*\n$/
  },
  {
    args: ['backup', 'x.nonet', '--database', 'postgres://u:secret@127.0.0.1:1/x'],
    code: 1,
    says: /^nonet: Cannot use the database 127\.0\.0\.1:1\/x: [^\n]*; start PostgreSQL, [^\n]*\n$/
  }
]

for (const { args, code, says } of complaints) {
  test(`nonet ${args.join(' ')} is answered with one line`, async () => {
    using folder = temporaryFolder()
    const { stderr, ...rest } = await runNonet(args, { cwd: folder.path })
    assert.deepEqual(rest, { code, stdout: '' })
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /secret/)
    assert.ok(!existsSync(join(folder.path, 'x.nonet')))
  })
}
