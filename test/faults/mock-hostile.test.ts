/**
 * Hostile requests to mocked documents over raw sockets. The generator: BATCHES of DOCUMENTS from
 * `createDocumentGenerator`, each hit by REQUESTS_PER_DOCUMENT requests at drawn operations, one
 * in three of a kind of PLAIN, the others of any kind of KINDS. Bodies are static and random by
 * turns; every fourth document is reached through a proxy in front of the mock. Counted are
 * documents, operations, requests, answers and statuses; a problem of 5xx must be one of PLANNED.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { upstreamAt } from '../../src/services/mock/engine/options.ts'
import { EFFORT } from '../support/effort.ts'
import { type MockServer, openMock } from '../support/mock-server.ts'
import { createRandom, type Random } from '../support/random.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { createDocumentGenerator, type DrawnOperation } from './mock-documents.ts'

const BATCHES = EFFORT
const DOCUMENTS = EFFORT > 1 ? 15 : 8
const REQUESTS_PER_DOCUMENT = 40
const QUIET_MS = 20_000
const AT_ONCE = 8

/** Answers that the document or its author asks for; anything else of 5xx is a defect. */
const PLANNED = [
  'NO_RESPONSE_RESPONSE_DEFINED',
  'SCHEMA_TOO_COMPLEX',
  'SCHEMA_UNSATISFIABLE',
  'NO_COMPLEX_OBJECT_TEXT',
  'VIOLATIONS'
]

type Pieces = readonly (string | Uint8Array)[]
type Kind = (operation: DrawnOperation, random: Random) => Pieces

function head({ method, path }: { method: string; path: string }, more = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}`
}
function withBody(operation: DrawnOperation, type: string, body: string | Uint8Array): Pieces {
  const length = Buffer.byteLength(body)
  return [head(operation, `Content-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`), body]
}
function typeOf({ types }: DrawnOperation, random: Random): string {
  const type = types.length === 0 ? 'application/json' : (types[random.below(types.length)] ?? '')
  return type.replaceAll('*', 'png')
}
function nested(depth: number): string {
  return `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`
}
function values(random: Random): string {
  return random.pick([
    '',
    '5',
    '-1e999',
    'null',
    'true',
    '%00',
    '%ff',
    '%zz',
    '.',
    ';',
    ';Id=1',
    '..%2f',
    'a,b',
    '[',
    '{"a":1}',
    'é',
    '%20',
    '|',
    '__proto__',
    '9'.repeat(400)
  ])
}
function parameterValues(operation: DrawnOperation, random: Random): Pieces {
  const pairs = operation.parameters.map((each) => ({ ...each, value: values(random) }))
  const query = pairs.flatMap(({ in: place, name, value }) =>
    place === 'query' ? [`${name}${random.pick(['', '[a]', '[0][b]', '[]'])}=${value}`] : []
  )
  const headers = pairs.flatMap(({ in: place, name, value }) =>
    place === 'header' ? [`${name}: ${value}\r\n`] : []
  )
  const cookies = pairs.flatMap(({ in: place, name, value }) =>
    place === 'cookie' ? [`${name}=${value}`] : []
  )
  const cookie = cookies.length > 0 ? `Cookie: ${cookies.join('; ')}\r\n` : ''
  const path = `${operation.path.replaceAll('5', values(random))}?${query.join('&')}`
  return [head({ ...operation, path }, headers.join('') + cookie), '\r\n']
}

const KINDS: Readonly<Record<string, Kind>> = {
  'a plain request': (operation) => [head(operation), '\r\n'],
  'a body that meets the schema': (operation, random) => {
    const type = typeOf(operation, random)
    const text = JSON.stringify(operation.body ?? null)
    return withBody(
      operation,
      type,
      type.includes('urlencoded') ? `a=${encodeURIComponent(text)}` : text
    )
  },
  'values of parameters': parameterValues,
  'random bytes': (_operation, random) => [random.bytes(1 + random.below(300))],
  'random bytes for a body': (operation, random) =>
    withBody(operation, typeOf(operation, random), random.bytes(1 + random.below(300))),
  'JSON cut short': (operation, random) =>
    withBody(operation, 'application/json', nested(5).slice(0, 1 + random.below(30))),
  'JSON nested deep': (operation) => withBody(operation, 'application/json', nested(20_000)),
  'JSON with names of the prototype': (operation) =>
    withBody(
      operation,
      'application/json',
      '{"__proto__":{"a":1},"constructor":{"prototype":null},"toString":1}'
    ),
  'a body of an unknown type': (operation, random) =>
    withBody(
      operation,
      random.pick(['', 'text', 'a/b;c', '*/*', 'application/json;charset=utf-16']),
      '{"a":1}'
    ),
  'a form': (operation, random) =>
    withBody(
      operation,
      'application/x-www-form-urlencoded',
      `a=%zz&&=&b[${values(random)}]=1&__proto__[a]=1`
    ),
  'a broken multipart': (operation, random) =>
    withBody(
      operation,
      random.pick(['multipart/form-data', 'multipart/form-data; boundary=x']),
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--garbage\r\n--x'
    ),
  'broken XML': (operation, random) =>
    withBody(
      operation,
      'application/xml',
      random.pick([
        '<a',
        '<a><b></a>',
        '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        '<a>'.repeat(5000)
      ])
    ),
  'odd preferences': (operation, random) => [
    head(
      operation,
      `Prefer: ${random.pick(['code=999', 'code=100', 'code=', 'example=__proto__', 'dynamic=yes', 'dynamic=true, seed=x', 'code=204', 'code=304', ';;,,==', 'delay=-1'])}\r\n`
    ),
    '\r\n'
  ],
  'an odd Accept': (operation, random) => [
    head(
      operation,
      `Accept: ${random.pick(['*', ';q=0', 'image/png', 'text/*;q=0.5', ',,,', 'application/xml, */*;q=0.1', 'a/b;c="', 'q'.repeat(3000)])}\r\n`
    ),
    '\r\n'
  ],
  'an odd credential': (operation, random) => [
    head(
      operation,
      `Authorization: ${random.pick(['', 'Basic', 'Basic !!!', 'bearer x', 'Digest username=', 'Bearer'])}\r\n`
    ),
    '\r\n'
  ],
  'an odd path': (operation, random) => [
    head({
      ...operation,
      path: `${random.pick(['//', '/%2e%2e', '/..', '/%', '/a\\b', '/v1', '/v1/v1', '*'])}${operation.path}`
    }),
    '\r\n'
  ],
  'another method': (operation, random) => [
    head({ ...operation, method: random.pick(['GET', 'POST', 'PROPFIND', 'OPTIONS', 'HEAD']) }),
    '\r\n'
  ],
  'a preflight': (operation) => [
    head(
      { ...operation, method: 'OPTIONS' },
      'Origin: null\r\nAccess-Control-Request-Method: X\r\n'
    ),
    '\r\n'
  ],
  'an expectation': (operation) => [
    head(
      operation,
      'Expect: 100-continue\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n'
    ),
    '2\r\n{}\r\n0\r\n\r\n'
  ],
  'a server to match': (operation, random) => [
    head({
      ...operation,
      path: `${operation.path}?__server=${random.pick(['', '/v1', 'http://', '%00'])}`
    }),
    '\r\n'
  ]
}
/** Hostility that never gets past the door proves little, so one in three is well-behaved. */
const PLAIN = ['a plain request', 'a body that meets the schema'] as const
const NAMES = Object.keys(KINDS) as [string, ...string[]]

interface Count {
  operations: number
  requests: number
  answered: number
  statuses: Map<number, number>
}

async function attack(server: MockServer, operations: DrawnOperation[], random: Random) {
  const waiting = Array.from({ length: REQUESTS_PER_DOCUMENT }, () => {
    const operation = operations[random.below(operations.length)] ?? assert.fail()
    const kind = random.below(3) === 0 ? random.pick(PLAIN) : random.pick(NAMES)
    return { kind, pieces: KINDS[kind]?.(operation, random) ?? [] }
  })
  async function work(): Promise<void> {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { kind, pieces } = next
      const { statuses, closed } = await sendRaw(server.url, pieces, QUIET_MS)
      const what = `${kind}: ${String(pieces[0]).slice(0, 300)}`
      assert.ok(closed, `hangs on ${what}`)
      count.requests += 1
      if (statuses.length > 0) count.answered += 1
      for (const status of statuses) {
        count.statuses.set(status, (count.statuses.get(status) ?? 0) + 1)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

function assertPlanned({ exchanges, defects }: MockServer): void {
  assert.deepEqual(defects, [])
  for (const { problem, incoming } of exchanges) {
    if (problem === undefined || problem.status < 500) continue
    const what = `${problem.code}: ${problem.message} (${incoming.method} ${incoming.path})`
    assert.ok(PLANNED.includes(problem.code), what)
  }
}

const count: Count = { operations: 0, requests: 0, answered: 0, statuses: new Map() }

for (let batch = 1; batch <= BATCHES; batch++) {
  test(`drawn documents under hostile requests, batch ${batch}`, async () => {
    const random = createRandom(batch)
    const nextDocument = createDocumentGenerator(random)
    for (let each = 0; each < DOCUMENTS; each++) {
      const { document, operations } = nextDocument()
      count.operations += operations.length
      await using mock = await openMock(document, { dynamic: each % 2 === 1, seed: 'hostile' })
      if (each % 4 === 3) {
        await using front = await openMock(document, {
          upstream: upstreamAt(new URL(mock.url)),
          errors: each % 8 === 3
        })
        await attack(front, operations, random)
        assertPlanned(front)
      } else await attack(mock, operations, random)
      assertPlanned(mock)
    }
  })
}

test('the requests were answered, and enough of them let in', (context) => {
  const { operations, requests, answered, statuses } = count
  const sorted = [...statuses].sort(([one], [other]) => one - other)
  const list = sorted.map(([status, times]) => `${status} × ${times}`).join(', ')
  context.diagnostic(
    `${BATCHES * DOCUMENTS} documents, ${operations} operations, ${requests} requests, ${answered} answered: ${list}`
  )
  assert.equal(requests, BATCHES * DOCUMENTS * REQUESTS_PER_DOCUMENT)
  assert.ok(answered >= requests * 0.95, `${answered} of ${requests} answered`)
  const letIn = sorted.flatMap(([status, times]) => (status >= 200 && status < 400 ? [times] : []))
  const sum = letIn.reduce((one, other) => one + other, 0)
  assert.ok(sum > requests / 12, `only ${sum} of ${requests} are let in`)
})
