/** Our own services behind the proxy: what they answer is what their documents say. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { allServices } from '../../src/host/service-registry.ts'
import { REPLAY_MARK, type Replayed } from '../support/contract-replay.ts'
import { ROOT, temporaryFolder } from '../support/launcher.ts'

const TIMEOUT_MS = 600_000
const AT_ONCE = 1
/** Its contract is held with documents of the tests' own; what it mocks is not its own. */
const OWN_DOCUMENTS = ['mock']

/** What `npm test` loads into each process of tests, to save CPU. */
const LOADED = ['bin/source-modules.mjs', 'scripts/untracked-promises.mjs'].map(
  (path) => `--import=${pathToFileURL(join(ROOT, path))}`
)

const run = promisify(execFile)

/** Files whose rows go through the contract runner. */
function contractFiles(): string[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(import.meta.dirname, name))
    .filter((path) => /^contract\(/m.test(readFileSync(path, 'utf8')))
}

/** Rows and nothing else of the files; each process plays some of them and writes down what came of it. */
async function replayRows(): Promise<Replayed[]> {
  using folder = temporaryFolder()
  const files = contractFiles()
  const shares = Array.from({ length: AT_ONCE }, (_, share) =>
    files.filter((_file, index) => index % AT_ONCE === share)
  )
  const replayed = await Promise.all(
    shares.map((share, index) => replayFiles(share, join(folder.path, `${index}.jsonl`)))
  )
  return replayed.flat()
}

/** In one process: most of the time of a file goes into loading what all of them use. */
async function replayFiles(files: readonly string[], record: string): Promise<Replayed[]> {
  const { NODE_TEST_CONTEXT: _, NONET_POSTGRES: __, ...inherited } = process.env
  const flags = ['--test', '--test-isolation=none', `--test-name-pattern=${REPLAY_MARK}`]
  await run(process.execPath, [...LOADED, ...flags, ...files], {
    env: { ...inherited, NONET_CONTRACT_REPLAY: record },
    timeout: TIMEOUT_MS,
    maxBuffer: 2 ** 26
  })
  const lines = readFileSync(record, 'utf8').trim().split('\n')
  return lines.map((line): Replayed => JSON.parse(line))
}

describe('our own services behind nonet proxy', { timeout: TIMEOUT_MS }, () => {
  let replayed: Replayed[]
  before(
    async () => {
      replayed = await replayRows()
    },
    { timeout: TIMEOUT_MS }
  )

  for (const { name } of allServices.filter((service) => !OWN_DOCUMENTS.includes(service.name))) {
    test(`${name} answers as its document says`, (context) => {
      const own = replayed.filter(({ service }) => service === name)
      const judged = own.filter(({ leftOut }) => leftOut === undefined)
      context.diagnostic(`${name}: ${judged.length} of ${own.length} rows judged`)
      for (const [reason, rows] of Map.groupBy(own, ({ leftOut }) => leftOut)) {
        if (reason !== undefined) context.diagnostic(`  ${rows.length} left out: ${reason}`)
      }
      assert.ok(judged.length > 0, 'rows are judged')
      const violations = judged.filter((row) => row.violations.length > 0)
      assert.deepEqual(violations.map(story), [])
      const changed = own.filter(({ status, expected }) => status !== expected)
      assert.deepEqual(changed.map(story), [])
    })
  }
})

function story({ row, request, status, expected, violations }: Replayed): string {
  return `${row} — ${request}: ${status} (${expected} expected) ${violations[0] ?? ''}`
}
