import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { benchAgainst, MIN_ROUNDS } from './against.ts'
import { benchBoxes, boxesCases } from './boxes.ts'
import { benchCards, cardsCases } from './cards.ts'
import type { Cases } from './cases.ts'
import { benchCountries, countriesCases } from './countries.ts'
import { benchForms, formsCases } from './forms.ts'
import { benchMailbox, mailboxCases } from './mailbox.ts'
import { benchMock, mockCases } from './mock.ts'
import { benchOutbox, outboxCases } from './outbox.ts'
import { benchReference, referenceCases } from './reference.ts'
import { benchSandbox, sandboxCases } from './sandbox.ts'
import { benchScenarios, scenariosCases } from './scenarios.ts'
import { benchStart, startCases } from './start.ts'
import { benchStatuses, statusesCases } from './statuses.ts'
import { findPostgres, SQLITE } from './storage.ts'
import { describeBar, isMet, type Outcome } from './table.ts'

const RESULTS = join(import.meta.dirname, 'RESULTS.md')

const USAGE = `npm run bench -- [name …]
npm run bench -- [name …] --against <folder> [--rounds <n>] [--row <text> …] [--out <file>]
`

interface Benchmark {
  /** Measures nonet beside its peers and limits. */
  run: () => Promise<Outcome>
  cases: Cases
}

const postgres = findPostgres()
const engines = postgres === undefined ? [SQLITE] : [SQLITE, postgres]

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  start: { run: benchStart, cases: startCases },
  reference: { run: benchReference, cases: referenceCases },
  boxes: { run: benchBoxes, cases: boxesCases(engines) },
  countries: { run: benchCountries, cases: countriesCases },
  scenarios: { run: benchScenarios, cases: scenariosCases(engines) },
  forms: { run: benchForms, cases: formsCases },
  mock: { run: benchMock, cases: mockCases },
  statuses: { run: benchStatuses, cases: statusesCases(engines) },
  cards: { run: benchCards, cases: cardsCases(engines) },
  mailbox: { run: benchMailbox, cases: mailboxCases },
  sandbox: { run: benchSandbox, cases: sandboxCases },
  outbox: { run: benchOutbox, cases: outboxCases }
}

const { values: flags, positionals } = readArguments()
const names = positionals.length === 0 ? Object.keys(BENCHMARKS) : positionals
const chosen = names.map((name) => {
  const benchmark = BENCHMARKS[name]
  if (benchmark !== undefined) return { name, ...benchmark }
  return reject(`no benchmark ${name}; there are ${Object.keys(BENCHMARKS).join(', ')}`)
})
if (flags.against === undefined) await runAll()
else await compareAll(flags.against)

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        against: { type: 'string' },
        rounds: { type: 'string' },
        row: { type: 'string', multiple: true },
        out: { type: 'string' }
      }
    })
  } catch (error) {
    return reject(error instanceof Error ? error.message : String(error))
  }
}

function reject(message: string): never {
  process.stderr.write(`${message}\n${USAGE}`)
  process.exit(2)
}

async function runAll(): Promise<void> {
  if (Object.keys(flags).length > 0) reject('--rounds, --row and --out need --against')
  for (const { run } of chosen) {
    const outcome = await run()
    const section = `## ${outcome.title}\n\n${outcome.text}\n\n${outcome.bars.map(describeBar).join('\n')}\n`
    process.stdout.write(`${section}\n`)
    keep(outcome.title, section)
    if (!outcome.bars.every(isMet)) process.exitCode = 1
  }
}

async function compareAll(folder: string): Promise<void> {
  const rounds = Number(flags.rounds ?? MIN_ROUNDS)
  if (!Number.isInteger(rounds) || rounds < MIN_ROUNDS) {
    reject(`--rounds takes a whole number from ${MIN_ROUNDS} on`)
  }
  if (postgres === undefined) {
    process.stdout.write('PostgreSQL is not installed here and is left out.\n')
  }
  const isFine = await benchAgainst(
    Object.fromEntries(chosen.map(({ name, cases }) => [name, cases])),
    {
      old: resolve(folder),
      rounds,
      rows: flags.row ?? [],
      out: flags.out === undefined ? undefined : resolve(flags.out)
    }
  )
  if (!isFine) process.exitCode = 1
}

/** Writes the section into RESULTS.md, which holds the last result of each benchmark. */
function keep(title: string, section: string): void {
  const old = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : ''
  const sections = new Map(
    [...old.matchAll(/^## (.+)\n[\s\S]*?(?=^## |$(?![\s\S]))/gm)].map(([text, name = '']) => [
      name,
      text.trim()
    ])
  )
  sections.set(title, `${section.trim()}\n\n${circumstances()}`)
  const ordered = Object.keys(BENCHMARKS).flatMap((name) => sections.get(name) ?? [])
  writeFileSync(
    RESULTS,
    `# Results\n\nWritten by \`npm run bench\`. CPU is user and system time of the server process per request; ratios come from one run.\n\n${ordered.join('\n\n')}\n`
  )
}

function circumstances(): string {
  const [cpu] = cpus()
  const machine = `${cpus().length} × ${cpu?.model.trim() || process.arch}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`
  const load = versionOf('autocannon')
  const peers = ['json-server', 'graphql-yoga', '@stoplight/prism-cli'].map(
    (name) => `${name} ${versionOf(name)}`
  )
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, ${machine}, Node ${process.versions.node}, autocannon ${load}, ${peers.join(', ')}.`
}

function versionOf(name: string): string {
  const manifest = join(import.meta.dirname, 'node_modules', name, 'package.json')
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}
