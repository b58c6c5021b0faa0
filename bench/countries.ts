import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cases, StartCase } from './cases.ts'
import {
  type Contender,
  OWN_CHECKOUT,
  startContender,
  startRaw,
  startService
} from './contender.ts'
import { compete, type Load, median } from './load.ts'
import { parseReadyLine, startArgs, startPlain, startProbed } from './start.ts'
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

/** Twenty fixed documents, each with another selection of up to six fields. */
const DOCUMENTS = Array.from({ length: 20 }, (_, index) => {
  const window = Array.from({ length: 6 }, (_, at) => FIELDS[(index + 5 * at) % FIELDS.length])
  return `query Q${index}($code: ID!) { country(code: $code) { ${[...new Set(window)].join(' ')} } }`
})

const BODIES = DOCUMENTS.flatMap((query) =>
  CODES.map((code) => JSON.stringify({ query, variables: { code } }))
)

const SEED: Load = { ...LOAD, body: JSON.stringify({ query: SEED_QUERY }) }
const VARIED: Load = { ...LOAD, bodies: BODIES }
const WITHOUT = ['reference']
const ENABLED = ['reference', 'countries']

export const countriesCases: Cases = {
  servers: [
    {
      variant: '',
      start: ({ checkout }) => startKeeping(checkout),
      rows: [{ name: 'the query of the specification', load: SEED }]
    },
    {
      variant: 'no answers kept',
      start: ({ checkout }) => startBare(checkout),
      rows: [{ name: `${DOCUMENTS.length} documents with ${CODES.length} codes`, load: VARIED }]
    }
  ],
  starts: [
    startCase('start, not enabled', WITHOUT, ['until ready']),
    startCase('start, enabled', ENABLED, ['until ready', 'first question'])
  ]
}

function startKeeping(checkout: string): Promise<Contender> {
  return startService(checkout, 'countries', ['--ephemeral'])
}

function startBare(checkout: string): Promise<Contender> {
  const flags = ['--ephemeral', '--countries-cache-bytes=0']
  return startService(checkout, 'countries', flags, 'nonet, no answers kept')
}

function startCase(
  name: string,
  services: readonly string[],
  figures: readonly string[]
): StartCase {
  return {
    name,
    figures,
    async measure({ checkout }) {
      const contender = await startProbed(checkout, startArgs(services, '--no-console'))
      const { countries } = parseReadyLine(contender.greeting).services
      const ready = (await contender.usage()).cpuMicroseconds
      if (countries !== undefined) await ask(countries, { query: SEED_QUERY })
      const question = (await contender.usage()).cpuMicroseconds - ready
      await contender.stop()
      return [ready, question].slice(0, figures.length)
    }
  }
}

/** Compares nonet with and without its cache, raw node:http, and graphql-yoga. */
export async function benchCountries(): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-bench-'))
  const nonet = await startKeeping(OWN_CHECKOUT)
  const bare = await startBare(OWN_CHECKOUT)
  const data = join(folder, 'data.json')
  writeFileSync(data, JSON.stringify(await readWorld(nonet.url)))
  const peer = await startContender({
    name: 'graphql-yoga',
    script: 'servers/yoga.mjs',
    args: (port) => [String(port), data],
    readyText: 'ready'
  })
  const raw = await startRaw('servers/raw-body.mjs')
  await assertSameAnswers([nonet, bare, peer])

  const repeated = await compete(
    [nonet, peer, raw].map((contender) => ({ contender, load: SEED })),
    ROUNDS
  )
  const varied = await compete(
    [bare, peer].map((contender) => ({ contender, load: VARIED })),
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

/** Fails unless all servers send the same responses, because others cannot be compared. */
async function assertSameAnswers(contenders: readonly Contender[]): Promise<void> {
  for (const body of [JSON.stringify({ query: SEED_QUERY }), ...BODIES]) {
    const [first, ...others] = await Promise.all(contenders.map(({ url }) => ask(url, body)))
    for (const other of others) assert.deepEqual(other, first)
  }
}

/** Compares starts with and without the service, and measures its first query. */
async function startTable(): Promise<string> {
  const without = await startSeveral(WITHOUT)
  const enabled = await startSeveral(ENABLED)
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

async function startOnce(names: readonly string[]) {
  const started = await startPlain(startArgs(names, '--no-console'))
  const { seconds: ready, services, residentMegabytes, stop } = started
  const resident = residentMegabytes()
  const asked = performance.now()
  if (services.countries) await ask(services.countries, { query: SEED_QUERY })
  const question = (performance.now() - asked) / 1000
  const after = residentMegabytes()
  await stop()
  return { ready, resident, question, after }
}
