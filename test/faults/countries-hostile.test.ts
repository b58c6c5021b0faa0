/** Documents of every kind; the generator and its shares stand in countries-documents.ts. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { buildSchema } from 'graphql'
import { type Nonet, start } from '../../src/host/start.ts'
import { scaled } from '../support/effort.ts'
import { type Launched, launchNonet, ROOT } from '../support/launcher.ts'
import { limitedHeap, residentMegabytes } from '../support/limited-process.ts'
import { createRandom } from '../support/random.ts'
import { type Case, drawCase, type Kind } from './countries-documents.ts'

const CASES = scaled(160, 320)
const AT_ONCE = 10
const MAX_RESIDENT_MB = 700
const MAX_LATE_GROWTH_MB = 150

const schema = buildSchema(
  readFileSync(join(ROOT, 'src/services/countries/schema.graphql'), 'utf8')
)

describe('hostile documents', () => {
  let nonet: Launched
  const tally = {
    valid: { sent: 0, answered: 0, refused: 0 },
    'near-valid': { sent: 0, answered: 0, refused: 0 },
    hostile: { sent: 0, answered: 0, refused: 0 }
  } satisfies Record<Kind, object>
  const statuses = new Map<number, number>()

  before(async () => {
    nonet = await launchNonet(['countries', '--ephemeral', '--quiet'], {
      env: { NODE_OPTIONS: limitedHeap(300) }
    })
  })
  after(async () => {
    const { code, stderr } = await nonet.end()
    assert.equal(code, 0)
    assert.equal(stderr, '', 'a defect was reported')
  })

  test(`${CASES} of them: no crash, no 5xx, bounded memory`, async (t) => {
    const random = createRandom(20_261_115)
    const resident: number[] = []
    for (let at = 0; at < CASES; at += AT_ONCE) {
      if (at % (CASES / 4) === 0) resident.push(Math.round(residentMegabytes(nonet.ready.pid).now))
      const some = Array.from({ length: AT_ONCE }, () => drawCase(schema, random))
      await Promise.all(some.map(play))
    }
    resident.push(Math.round(residentMegabytes(nonet.ready.pid).now))
    t.diagnostic(JSON.stringify({ ...tally, statuses: Object.fromEntries(statuses), resident }))
    const [, , half = 0, , end = 0] = resident
    assert.ok(end < MAX_RESIDENT_MB, `${end} MB`)
    assert.ok(end - half < MAX_LATE_GROWTH_MB, `from ${half} to ${end} MB in the second half`)
    const alive = await send({
      kind: 'valid',
      name: 'last',
      body: '{"query":"{ country(code: \\"BR\\") { name } }"}'
    })
    assert.deepEqual(alive, { status: 200, text: '{"data":{"country":{"name":"Brazil"}}}' })
  })

  test('the generator is neither easy nor all refused', () => {
    assert.ok(tally.valid.sent > CASES * 0.35)
    assert.ok(tally.valid.answered > tally.valid.sent * 0.9, 'valid documents are answered')
    assert.ok(tally['near-valid'].refused > tally['near-valid'].sent * 0.6)
    assert.ok(tally.hostile.sent > CASES * 0.25)
    assert.ok(tally.hostile.refused > tally.hostile.sent * 0.5)
    assert.ok(
      tally.hostile.answered > tally.hostile.sent * 0.05,
      'some pass the limits and are run'
    )
  })

  async function send({ body }: Case) {
    const response = await fetch(nonet.ready.services.countries ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body
    })
    return { status: response.status, text: await response.text() }
  }

  async function play(one: Case): Promise<void> {
    const { status, text } = await send(one)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const shown = `${one.name}: ${status} ${text.slice(0, 300)}\n${one.body.slice(0, 1000)}`
    assert.ok(status < 500, shown)
    const result = JSON.parse(text)
    const results = Array.isArray(result) ? result : [result]
    for (const { data, errors } of results) {
      assert.ok(data !== undefined || errors?.[0]?.message, shown)
      assert.ok(!/Unexpected error/.test(errors?.[0]?.message ?? ''), shown)
    }
    const count = tally[one.kind]
    count.sent++
    if (results.some(({ data }) => data)) count.answered++
    else count.refused++
  }
})

describe('time', () => {
  const MAX_CPU_MS = 50
  const ROUNDS = 9
  let nonet: Nonet<'countries'>
  before(async () => {
    nonet = await start({ services: ['countries'] })
    for (let i = 0; i < 20; i++) await ask(`{ countries(first: ${i}) { code name } }`)
    await ask('{ countries(filter: { name: { regex: "x" } }) { code } }')
  })
  after(() => nonet.stop())

  async function ask(query: string): Promise<string> {
    const response = await fetch(nonet.countries.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query })
    })
    return response.text()
  }

  /** CPU of this process, server and client together; each document differs, so none is kept. */
  async function leastCpuMs(query: (round: number) => string, expected: RegExp): Promise<number> {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS && least >= MAX_CPU_MS; round++) {
      const before = process.cpuUsage()
      const text = await ask(query(round))
      const { user, system } = process.cpuUsage(before)
      assert.match(text, expected)
      least = Math.min(least, (user + system) / 1000)
    }
    return least
  }

  for (const [what, query, expected] of [
    [
      'the cyclic query',
      (round: number) =>
        `{ a${round}: countries { continent { countries { continent { countries { name } } } } } }`,
      /QUERY_TOO_COMPLEX/
    ],
    [
      'the catastrophic regex',
      (round: number) =>
        `{ countries(filter: { name: { regex: "^(\\\\w+\\\\s?)*!{${round + 1}}$" } }) { name } }`,
      /^\{"data":\{"countries":\[\]\}\}$/
    ],
    [
      'forty levels of doubling fragments',
      (round: number) => {
        const parts = Array.from({ length: 40 }, (_, i) => {
          const inner = i === 39 ? 'name' : `continent { countries { ...F${i + 1} ...F${i + 1} } }`
          return `fragment F${i} on Country { ${inner} }`
        })
        return `{ a${round}: countries { ...F0 } } ${parts.join(' ')}`
      },
      /QUERY_TOO_COMPLEX/
    ],
    [
      'the time in every zone of Russia, once for each of its states',
      (round: number) =>
        `{ a${round}: country(code: "RU") { states { country { timezones { utcOffset } } } } }`,
      /^\{"data":\{"a\d":\{"states":\[\{"country":\{"timezones":\[\{"utcOffset":"\+/
    ]
  ] as const) {
    test(`${what} is done with in less than ${MAX_CPU_MS} ms of CPU`, async (t) => {
      const spent = await leastCpuMs(query, expected)
      t.diagnostic(`${spent.toFixed(1)} ms`)
      assert.ok(spent < MAX_CPU_MS, `${spent} ms`)
    })
  }
})
