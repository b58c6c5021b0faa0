import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Contender, startContender, startNonet } from './contender.ts'
import { compete, type Load, median } from './load.ts'
import { markdownTable, type Outcome, ratio, roundsTable } from './table.ts'

const ROUNDS = 5
const STARTS = 5
const HEADERS = { 'content-type': 'application/json', accept: 'application/json' }
const LOAD = { path: '/graphql', connections: 32, seconds: 3, headers: HEADERS }

const SEED_QUERY = '{ country(code: "BR") { name native emoji currency languages { code name } } }'
const CODES = ['BR', 'DE', 'US', 'JP', 'IN', 'ZA', 'NG', 'FR', 'AQ', 'CH', 'RU', 'MX', 'EG', 'AU']
const FIELDS = [
  'name',
  'native',
  'emoji',
  'currency',
  'capital',
  'phone',
  'alpha3',
  'awsRegion',
  'languages { code name }',
  'continent { code name }',
  'continents { code }',
  'timezones { name }'
]

/** Twenty fixed documents: a window of six fields, moved along. */
const DOCUMENTS = Array.from({ length: 20 }, (_, index) => {
  const window = Array.from({ length: 6 }, (_, at) => FIELDS[(index + 5 * at) % FIELDS.length])
  return `query Q${index}($code: ID!) { country(code: $code) { ${[...new Set(window)].join(' ')} } }`
})

const BODIES = DOCUMENTS.flatMap((query) =>
  CODES.map((code) => JSON.stringify({ query, variables: { code } }))
)

/** nonet with and without kept answers, raw node:http, and graphql-yoga on the same schema. */
export async function benchCountries(ports: readonly number[]): Promise<Outcome> {
  const [own = 0, barePort = 0, peerPort = 0, rawPort = 0] = ports
  const folder = mkdtempSync(join(tmpdir(), 'nonet-bench-'))
  const nonet = await startNonet('countries', own, ['--no-console'])
  const bare = {
    ...(await startNonet('countries', barePort, ['--no-console', '--countries-cache-bytes=0'])),
    name: 'nonet, no answers kept'
  }
  const data = join(folder, 'data.json')
  writeFileSync(data, JSON.stringify(await readWorld(nonet.url)))
  const peer = await startContender({
    name: 'graphql-yoga',
    script: 'servers/yoga.mjs',
    args: [String(peerPort), data],
    url: `http://127.0.0.1:${peerPort}`,
    readyText: 'ready'
  })
  const raw = await startContender({
    name: 'raw node:http',
    script: 'servers/raw-body.mjs',
    args: [String(rawPort)],
    url: `http://127.0.0.1:${rawPort}`,
    readyText: 'ready'
  })
  await assertSameAnswers([nonet, bare, peer])

  const seed: Load = { ...LOAD, body: JSON.stringify({ query: SEED_QUERY }) }
  const repeated = await compete(
    [nonet, peer, raw].map((contender) => ({ contender, load: seed })),
    ROUNDS
  )
  const varied = await compete(
    [bare, peer].map((contender) => ({ contender, load: { ...LOAD, bodies: BODIES } })),
    ROUNDS
  )
  const { residentBytes } = await nonet.usage()
  await Promise.all([nonet, bare, peer, raw].map((contender) => contender.stop()))
  rmSync(folder, { recursive: true })
  return {
    title: 'countries',
    text: `${LOAD.connections} kept connections, ${ROUNDS} rounds of ${LOAD.seconds} s each. raw node:http reads the body and sends it back.

### the query of the specification, again and again

${roundsTable(repeated, 'nonet')}

### ${DOCUMENTS.length} documents with ${CODES.length} codes in variables, no answers kept

${roundsTable(varied, bare.name)}

Resident memory of nonet after the load: ${(residentBytes / 1e6).toFixed(0)} MB.

### what it costs to have the service

${await startTable()}`,
    bars: [
      {
        what: 'query of the specification, graphql-yoga ÷ nonet',
        value: ratio(repeated, peer.name, 'nonet'),
        atLeast: 4
      },
      {
        what: 'codes in variables without kept answers, graphql-yoga ÷ nonet',
        value: ratio(varied, peer.name, bare.name),
        atLeast: 1
      },
      { what: 'query of the specification, raw ÷ nonet', value: ratio(repeated, raw.name, 'nonet') }
    ]
  }
}

async function readWorld(url: string) {
  const { data } = await ask(url, { query: '{ continents { code name } }' })
  return {
    typeDefs: await (await fetch(`${url}/schema.graphql`)).text(),
    countries: await (await fetch(`${url}/countries.json`)).json(),
    continents: data.continents
  }
}

async function ask(url: string, body: object | string) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: HEADERS,
    body: typeof body === 'string' ? body : JSON.stringify(body)
  })
  return response.json()
}

/** Whoever answers something else is not compared. */
async function assertSameAnswers(contenders: readonly Contender[]): Promise<void> {
  for (const body of [JSON.stringify({ query: SEED_QUERY }), ...BODIES]) {
    const [first, ...others] = await Promise.all(contenders.map(({ url }) => ask(url, body)))
    for (const other of others) assert.deepEqual(other, first)
  }
}

/** The same start with and without the service, and what its first question adds. */
async function startTable(): Promise<string> {
  const without = await startSeveral(['reference'])
  const enabled = await startSeveral(['reference', 'countries'])
  return markdownTable(
    ['', 'ready after', 'resident when ready', 'first question', 'resident after it'],
    [
      ['not enabled', seconds(without.ready), megabytes(without.resident), '–', '–'],
      [
        'enabled',
        seconds(enabled.ready),
        megabytes(enabled.resident),
        seconds(enabled.question),
        megabytes(enabled.after)
      ]
    ]
  )
}

const seconds = (value: number) => `${value.toFixed(2)} s`
const megabytes = (value: number) => `${value.toFixed(0)} MB`

async function startSeveral(services: readonly string[]) {
  const starts: Awaited<ReturnType<typeof startOnce>>[] = []
  for (let round = 0; round < STARTS; round++) starts.push(await startOnce(services))
  const of = (key: keyof (typeof starts)[number]) => median(starts.map((start) => start[key]))
  return {
    ready: of('ready'),
    resident: of('resident'),
    question: of('question'),
    after: of('after')
  }
}

async function startOnce(services: readonly string[]) {
  const launcher = join(import.meta.dirname, '../bin/nonet.mjs')
  const began = performance.now()
  const child = spawn(process.execPath, [
    ...[launcher, 'up', ...services],
    ...['--json', '--ephemeral', '--no-console', '--port-base=0']
  ])
  const [line] = await once(child.stdout, 'data')
  const ready = (performance.now() - began) / 1000
  const { pid, services: addresses } = JSON.parse(String(line))
  const resident = residentMegabytes(pid)
  const asked = performance.now()
  if (addresses.countries) await ask(addresses.countries, { query: SEED_QUERY })
  const question = (performance.now() - asked) / 1000
  const after = residentMegabytes(pid)
  const gone = once(child, 'exit')
  child.kill()
  await gone
  return { ready, resident, question, after }
}

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1000
}
