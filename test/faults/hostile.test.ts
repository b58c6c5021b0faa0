/**
 * Hostile requests over raw sockets. The generator: every route gets REQUESTS_PER_ROUTE requests,
 * an equal share of each kind in KINDS, drawn with a fixed seed. A case counts as answered when at
 * least one status line came back, as refused when the server closed the connection without one.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { scaled } from '../support/effort.ts'
import { type Launched, launchNonet } from '../support/launcher.ts'
import { runPool } from '../support/pool.ts'
import { createRandom, type Random } from '../support/random.ts'
import { sendRaw } from '../support/raw-socket.ts'

const REQUESTS_PER_ROUTE = scaled(22, 40)
const QUIET_MS = 1500
const ANSWER_MS = 20_000
const AT_ONCE = 32

type Kind = (path: string, random: Random) => (string | Uint8Array)[]

const head = (method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}`

function withBody(method: string, path: string, body: string | Uint8Array, more = '') {
  const length = Buffer.byteLength(body)
  return [head(method, path, `${more}Content-Length: ${length}\r\n\r\n`), body]
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'PROPFIND',
  'QUERY',
  'BREW'
] as const
const TYPES = [
  'application/json',
  'text/html',
  ';;;',
  'multipart/form-data',
  'a/b;charset=',
  '\u00ff/\u00fe'
] as const

const KINDS: Readonly<Record<string, Kind>> = {
  'random bytes': (_path, random) => [random.bytes(1 + random.below(400))],
  'random bytes behind a good request line': (path, random) => [
    `GET ${path} HTTP/1.1\r\n`,
    random.bytes(1 + random.below(300)),
    '\r\n\r\n'
  ],
  'bad UTF-8 in the path': (path, random) => [
    head(
      random.pick(METHODS),
      `${path}${random.pick(['%ff', '%c0%af', '%e2%28', '%', '%zz', '%00'])}`
    ),
    '\r\n'
  ],
  'bad UTF-8 in the body': (path, random) =>
    withBody(
      'POST',
      path,
      random.bytes(1 + random.below(200)),
      'Content-Type: application/json\r\n'
    ),
  'an 8 KB path': (path, random) => [
    head(
      'GET',
      path + random.pick(['x', '/', '%41', '?a=', '../', ';,']).repeat(8192).slice(0, 8192)
    ),
    '\r\n'
  ],
  'headers over every limit': (path, random) => [
    head('GET', path, `X: ${'y'.repeat(15_000 + random.below(20_000))}\r\n\r\n`)
  ],
  'deep JSON': (path, random) => {
    const depth = 1000 + random.below(20_000)
    const [open, close] = random.pick([
      ['[', ']'],
      ['{"a":', '}'],
      ['[', '']
    ])
    return withBody('POST', path, open.repeat(depth) + close.repeat(depth))
  },
  'pipelined garbage': (path, random) => [
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    random.pick([
      'garbage\r\n\r\n',
      '\0\0\0\0',
      'GET / HTTP/9.9\r\n\r\n',
      'POST / HTTP/1.1\r\n\r\n'
    ])
  ],
  'many pipelined requests': (path, random) => [
    `${random.pick(METHODS)} ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(
      1 + random.below(30)
    ),
    head('GET', path),
    '\r\n'
  ],
  'a body that lies about its length': (path, random) => [
    head(
      'POST',
      path,
      `Content-Length: ${random.pick(['5', '0', '-1', '1e3', '99999999999999', 'x'])}\r\n\r\n`
    ),
    '{"email":"a@b.c"}'
  ],
  'broken chunks': (path, random) => [
    head('POST', path, 'Transfer-Encoding: chunked\r\n\r\n'),
    random.pick(['5\r\nab', 'zz\r\n', '5\r\nabcdeXX', '0\r\n\r\n', 'ffffffffffffffff\r\n'])
  ],
  'both length and chunks': (path) => [
    head('POST', path, 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n'),
    '0\r\n\r\n'
  ],
  'odd content types': (path, random) =>
    withBody(random.pick(METHODS), path, '{}', `Content-Type: ${random.pick(TYPES)}\r\n`),
  'odd hosts and proxies': (path, random) => [
    `GET ${path} HTTP/1.1\r\nHost: ${random.pick(['', '"><script>', '[::', 'a b', '%00', '127.0.0.1:99999', 'x'.repeat(300)])}\r\n` +
      'X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: javascript\r\nConnection: close\r\n\r\n'
  ],
  'odd negotiation': (path, random) => [
    head(
      'GET',
      path,
      `Accept: ${random.pick([';', 'a/b;q=', '*/*;q=9', ',,,', 'x'.repeat(4000), 'text/html;q=0.0001'])}\r\n` +
        `If-None-Match: ${random.pick(['"', '*', 'W/', ','.repeat(2000)])}\r\n` +
        `If-Modified-Since: ${random.pick(['never', '0', '9'.repeat(50)])}\r\nOrigin: null\r\n\r\n`
    )
  ],
  'hostile queries': (path, random) => [
    head(
      'GET',
      `${path}?${random.pick([
        'page=99999999999999999999',
        'page=-1&page_size=0',
        'search=%00%ff',
        `search=${'a,'.repeat(2000)}`,
        'ordering=__proto__&fields=constructor',
        'expand=films.characters.films.characters',
        `expand=${'films,'.repeat(1000)}`,
        '__proto__=1&constructor__in=1',
        `${'a&'.repeat(3000)}`,
        'format=%00',
        'films=1e9&height__gte=NaN',
        'query=%7B',
        `query=${'{a'.repeat(2000)}`,
        'query={__typename}&variables=%7B&extensions=[]'
      ])}`
    ),
    '\r\n'
  ],
  'a slow body': (path) => [head('POST', path, 'Content-Length: 100\r\n\r\n'), '{"email"'],
  'a body over the limit': (path) => withBody('POST', path, 'x'.repeat(200_000)),
  'an upgrade': (path) => [
    head('GET', path, 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n')
  ],
  'an odd method': (path, random) => [
    head(random.pick([...METHODS, 'CONNECT', 'get', 'A'.repeat(3000)]), path),
    '\r\n'
  ]
}

const ROUTES: Readonly<Record<string, readonly string[]>> = {
  reference: [
    '/',
    '/api/',
    '/api/people/',
    '/api/people/1/',
    '/api/people/1,2/',
    '/api/people/schema',
    '/api/films/1/image.svg',
    '/api/all.json'
  ],
  countries: ['/', '/graphql', '/schema.graphql', '/countries/BR.json', '/playground/graphiql.js'],
  forms: ['/', '/.netlify/functions/zapierSend'],
  mailbox: ['/', '/v1/sandbox/accounts', '/v1/sandbox/messages'],
  mock: ['/', '/beds', '/plants?limit=3', '/v1/plants/1', '/__nonet/operations'],
  statuses: [
    '/',
    '/i/status/20',
    '/search',
    '/oembed',
    '/media/default.svg',
    '/sitemap.xml',
    '/api/statuses'
  ],
  console: [
    '/',
    '/healthz',
    '/metrics',
    '/openapi/reference.json',
    '/forms/',
    '/forms/try',
    '/forms/submissions/1/send',
    '/forms/catch',
    '/forms/catch.json',
    '/forms/catch/clear',
    '/statuses/import/posts',
    '/reset/forms'
  ]
}

describe('hostile requests', () => {
  let nonet: Launched
  const totals = { sent: 0, answered: 0, refused: 0, quiet: 0 }
  before(async () => {
    nonet = await launchNonet(['--ephemeral', '--quiet'])
    // The first question loads the engine, which takes longer than the quiet time.
    await fetch(`${nonet.ready.services.countries}/?query={__typename}`)
  })
  after(async () => {
    const { code, stderr } = await nonet.end()
    assert.equal(code, 0)
    assert.equal(stderr, '', 'a defect was reported')
  })

  for (const [service, paths] of Object.entries(ROUTES)) {
    for (const path of paths) {
      test(`${service} ${path} survives ${REQUESTS_PER_ROUTE} of them`, async () => {
        const url =
          service === 'console'
            ? (nonet.ready.console ?? '')
            : (nonet.ready.services[service] ?? '')
        const random = createRandom(
          [...(service + path)].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7)
        )
        const kinds = Object.entries(KINDS)
        const cases = Array.from({ length: REQUESTS_PER_ROUTE }, (_, index) => {
          const [name, make] = kinds[index % kinds.length] ?? assert.fail()
          return { name, pieces: make(path, random) }
        })
        await runPool(cases, AT_ONCE, ({ name, pieces }) => play(service, url, name, pieces))
        const alive = await fetch(`${nonet.ready.console}/healthz`)
        assert.equal(alive.status, 200)
      })
    }
  }

  test('the generator was not easy on us, and nothing hung', (t) => {
    t.diagnostic(JSON.stringify(totals))
    assert.ok(totals.answered > totals.sent * 0.6, 'most cases must reach an answer')
    assert.ok(totals.quiet < totals.sent * 0.15, 'only unfinished requests may stay without answer')
  })

  async function play(
    service: string,
    url: string,
    name: string,
    pieces: readonly (string | Uint8Array)[]
  ) {
    const unfinished = /slow body|lies about|broken chunks|random bytes/.test(name)
    const firstByteMs = unfinished ? QUIET_MS : ANSWER_MS
    const { statuses, closed, text } = await sendRaw(url, pieces, QUIET_MS, firstByteMs)
    totals.sent += 1
    if (statuses.length > 0) totals.answered += 1
    else if (closed) totals.refused += 1
    else totals.quiet += 1
    for (const status of statuses) {
      const planned = service === 'forms' && status === 500
      assert.ok(status < 500 || planned, `${name}: ${status}\n${text.slice(0, 300)}`)
    }
    assert.ok(statuses.length > 0 || closed || unfinished, `${name} got no answer`)
  }
})

describe('a client that never finishes its request', () => {
  const unfinished: Readonly<Record<string, readonly string[]>> = {
    'a request line': ['GET /api/people/1/'],
    headers: ['GET / HTTP/1.1\r\nHost: localhost\r\nX: '],
    'a body': ['POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n', '{"email"'],
    chunks: ['POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n', '5\r\nab']
  }
  let nonet: Launched
  before(async () => {
    nonet = await launchNonet(['--ephemeral', '--quiet', '--request-timeout-ms=300'])
  })
  after(() => nonet.end())

  for (const [what, pieces] of Object.entries(unfinished)) {
    test(`${what}: is told so and let go`, async () => {
      const { statuses, closed, text } = await sendRaw(
        nonet.ready.services.forms ?? '',
        pieces,
        20_000
      )
      assert.ok(closed)
      assert.deepEqual(statuses, [408])
      assert.match(text, /\r\ncontent-type: text\/plain; charset=utf-8\r\n/)
      assert.match(text, /\r\n\r\nError: The request took too long$/)
    })
  }
})
