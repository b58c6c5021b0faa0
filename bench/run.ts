import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { benchBoxes } from './boxes.ts'
import { benchCountries } from './countries.ts'
import { benchForms } from './forms.ts'
import { benchMock } from './mock.ts'
import { benchReference } from './reference.ts'
import { benchScenarios } from './scenarios.ts'
import { benchStart } from './start.ts'
import { describeBar, isMet, type Outcome } from './table.ts'

const RESULTS = join(import.meta.dirname, 'RESULTS.md')

const BENCHMARKS: Readonly<Record<string, (ports: readonly number[]) => Promise<Outcome>>> = {
  start: benchStart,
  reference: benchReference,
  boxes: benchBoxes,
  countries: benchCountries,
  scenarios: benchScenarios,
  forms: benchForms,
  mock: benchMock
}

const wanted = process.argv.slice(2)
const names = wanted.length === 0 ? Object.keys(BENCHMARKS) : wanted
for (const name of names) {
  const bench = BENCHMARKS[name]
  if (bench === undefined) {
    process.stderr.write(`no benchmark ${name}; there are ${Object.keys(BENCHMARKS).join(', ')}\n`)
    process.exit(2)
  }
  const outcome = await bench(await freePorts(6))
  const section = `## ${outcome.title}\n\n${outcome.text}\n\n${outcome.bars.map(describeBar).join('\n')}\n`
  process.stdout.write(`${section}\n`)
  keep(outcome.title, section)
  if (!outcome.bars.every(isMet)) process.exitCode = 1
}

/** The file keeps the last result of each benchmark. */
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

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer()
          server.listen(0, '127.0.0.1', () => resolve(server))
        })
    )
  )
  return Promise.all(
    servers.map((server) => {
      const address = server.address()
      const port = address !== null && typeof address === 'object' ? address.port : 0
      return new Promise<number>((resolve) => server.close(() => resolve(port)))
    })
  )
}
