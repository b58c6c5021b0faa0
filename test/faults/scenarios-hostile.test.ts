/**
 * Hostile requests to scenarios over raw sockets, on every engine that a route asks. The generator:
 * every route of ROUTES gets REQUESTS_PER_ROUTE requests of as many kinds in KINDS, and the next
 * route of the next kinds, drawn with a fixed seed; half as many on PostgreSQL. A case counts as
 * answered when at least one status line came back. A status of 500 and more is planned only when
 * the answer names the scenario that asked for it.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Engine } from '../../src/kernel/database/database.ts'
import { SCENARIO_NAMES } from '../../src/services/scenarios/scenario/registry.ts'
import { scaled } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { type Launched, launchNonet } from '../support/launcher.ts'
import { runPool } from '../support/pool.ts'
import { createRandom, type Random } from '../support/random.ts'
import { sendRaw } from '../support/raw-socket.ts'

const REQUESTS_PER_ROUTE: Readonly<Record<Engine, number>> = {
  sqlite: scaled(12, 23),
  postgres: scaled(6, 23)
}
const QUIET_MS = 15_000
const SLOW_QUIET_MS = 600
const AT_ONCE = 32

type Pieces = readonly (string | Uint8Array)[]

interface Route {
  method: string
  path: string
}

type Kind = (route: Route, random: Random) => Pieces

const ROUTES: readonly Route[] = [
  'GET /api/users',
  'GET /api/users/2',
  'POST /api/users',
  'PUT /api/users/2',
  'DELETE /api/users/2',
  'GET /api/unknown',
  'POST /api/login',
  'POST /api/register',
  'POST /api/logout',
  'GET /api/me',
  'POST /api/auth/login',
  'POST /api/auth/register',
  'POST /api/auth/refresh',
  'POST /api/auth/logout',
  'POST /api/auth/mfa',
  'POST /api/auth/forgot',
  'POST /api/auth/reset',
  'POST /api/auth/verify',
  'GET /w/hostile/api/users',
  'GET /w/hostile/api/users/13',
  'POST /w/hostile/api/users',
  'PATCH /w/hostile/api/users/2',
  'DELETE /w/hostile/api/users/14',
  'POST /w/hostile/api/register',
  'POST /w/hostile/api/login',
  'GET /_s/nulls/api/users',
  'GET /w/hostile/_s/xss/api/users',
  'OPTIONS /w/hostile/api/users',
  'GET /_scenarios',
  'GET /.well-known/jwks.json',
  'POST /_workspaces',
  'GET /_workspaces/hostile',
  'PUT /_workspaces/hostile/rules',
  'POST /_workspaces/hostile/clock',
  'GET /_workspaces/hostile/requests',
  'POST /_workspaces/fresh/reset',
  'GET /nowhere',
  'GET /',
  'GET /_demo',
  'GET /_assets/demo.js',
  'GET /img/faces/4-image.png',
  'GET /w/hostile/img/faces/13-image.jpg',
  'PATCH /api/echo',
  'POST /api/uploads',
  'POST /w/hostile/api/uploads',
  'GET /w/hostile/api/uploads',
  'GET /api/ws'
].map((line) => {
  const [method = '', path = ''] = line.split(' ')
  return { method, path }
})

/** What never asks the database behaves the same on every engine. */
function routesFor(engine: Engine): readonly Route[] {
  const asks = /^\/w\/|^\/_workspaces|auth|register|me$/
  return engine === 'sqlite' ? ROUTES : ROUTES.filter(({ path }) => asks.test(path))
}

function head({ method, path }: Route, more = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}`
}

function withBody(route: Route, body: string | Uint8Array, type = 'application/json'): Pieces {
  const length = Buffer.byteLength(body)
  return [head(route, `Content-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`), body]
}

/** What a field may be that nobody thought of. */
const VALUES = [
  ...['"\\u0000"', '"\\ud800"', '"a\\u0000b@x.y"', '"\\ud800@x.y"', '"eve.holt@reqres.in"'],
  ...['""', '" "', '1e999', '-0', '[]', '{}', 'null', 'true', '"__proto__"', '"wst_"', '"a.b.c"'],
  ...[`"${'x'.repeat(3000)}"`, '"eve.holt+mfa@reqres.in"', '"+@"', '"2030-01-01T00:00:00Z"', '1'],
  ...['"eve.holt+status:599:\\u0000@reqres.in"', '[{"scenario":"none"}]', '"\u202e"', '[[[]]]']
] as unknown as readonly [string, ...string[]]
const KEYS = [
  ...['email', 'username', 'password', 'token', 'refreshToken', 'challenge_id', 'code', 'id'],
  ...['__proto__', 'constructor', 'toString', 'first_name', 'avatar', 'createdAt', 'expiresInSecs'],
  ...[
    'seed',
    'now',
    'options',
    'ttl',
    'scenario',
    'advance_ms',
    'method',
    'path',
    'nth',
    '',
    '\\u0000'
  ]
] as unknown as readonly [string, ...string[]]

function object(random: Random): string {
  const fields = Array.from(
    { length: 1 + random.below(5) },
    () => `"${random.pick(KEYS)}":${random.pick(VALUES)}`
  )
  return `{${fields.join()}}`
}

/** Waiting scenarios are asked for briefly, so that a run ends. */
const SPECS = SCENARIO_NAMES.filter((name) => !/^(slow|hang|drip|upload-slow)$/.test(name))
const ARGUMENTS = [
  ...['', ':', ':1', ':0', ':-1', ':1/2', ':0/0', ':599', ':999999999999', ':x', ':1:2:3', ':now'],
  ...[':%00', ':%ff', `:${'9'.repeat(100)}`, ':1/1', ':13', ':204', ':200']
] as unknown as readonly [string, ...string[]]

function spec(random: Random): string {
  const names = SPECS as unknown as readonly [string, ...string[]]
  const parts = Array.from(
    { length: 1 + random.below(4) },
    () => random.pick(names) + random.pick(ARGUMENTS)
  )
  return [...parts, random.pick(['slow:1', 'drip:1', 'upload-slow:1000000', ''])].join()
}

const KINDS: Readonly<Record<string, Kind>> = {
  'random bytes': (_route, random) => [random.bytes(1 + random.below(400))],
  'bad UTF-8 in the path': ({ method, path }, random) => [
    head({ method, path: `${path}${random.pick(['%ff', '%c0%af', '%', '%zz', '%00', '/%00'])}` }),
    '\r\n'
  ],
  'a long path': ({ method, path }, random) => [
    head({ method, path: path + random.pick(['x', '/', '%41', '?a=', '../']).repeat(4000) }),
    '\r\n'
  ],
  'bytes as JSON': (route, random) => withBody(route, random.bytes(1 + random.below(300))),
  'odd fields': (route, random) => withBody(route, object(random)),
  'odd fields again': (route, random) => withBody(route, `[${object(random)},${object(random)}]`),
  'odd forms': (route, random) =>
    withBody(
      route,
      random.pick([
        'email=%ff&password=%00',
        '&&&=',
        'email=a&email=b&password=x',
        '%',
        '__proto__=1'
      ]),
      'application/x-www-form-urlencoded'
    ),
  'deep JSON': (route, random) => {
    const depth = 100 + random.below(20_000)
    const [open, close] = random.pick([
      ['[', ']'],
      ['{"a":', '}']
    ])
    return withBody(route, `${open.repeat(depth)}1${close.repeat(depth)}`)
  },
  'odd content types': (route, random) =>
    withBody(
      route,
      '{}',
      random.pick([';;;', 'multipart/form-data', '+json', 'a/b;charset=', '\u00ff'])
    ),
  'a body over the limit': (route) => withBody(route, 'x'.repeat(1_100_000)),
  'a body that lies about its length': (route, random) => [
    head(route, `Content-Length: ${random.pick(['5', '-1', '1e3', '99999999', 'x'])}\r\n\r\n`),
    '{"a":1}'
  ],
  'broken chunks': (route, random) => [
    head(route, 'Transfer-Encoding: chunked\r\n\r\n'),
    random.pick(['5\r\nab', 'zz\r\n', '5\r\nabcdeXX', '0\r\n\r\n', 'ffffffffffffffff\r\n'])
  ],
  'any scenario by query': ({ method, path }, random) => [
    head({ method, path: `${path}?scenario=${spec(random)}` }),
    '\r\n'
  ],
  'any scenario by header': (route, random) => [head(route, `X-Scenario: ${spec(random)}\r\n\r\n`)],
  'any scenario by path': ({ method, path }, random) => [
    head({ method, path: path.replace('/api', `/_s/${spec(random).replaceAll('/', '%2F')}/api`) }),
    '\r\n'
  ],
  'odd workspaces': ({ method, path }, random) => [
    head(
      { method, path: `${path}?workspace=${random.pick(['%00', 'a/b', '..', 'x', '%ff', ''])}` },
      `X-Workspace: ${random.pick(['a b', '', '__proto__', '\u00e4', 'x'.repeat(100), 'fresh'])}\r\n\r\n`
    )
  ],
  'odd parameters': ({ method, path }, random) => [
    head({
      method,
      path: `${path}?${random.pick([
        'page=99999999999999999999&per_page=-1',
        'delay=1e9',
        'delay=-1',
        'delay=0.001',
        'seed=%00',
        `seed=${'x'.repeat(500)}`,
        'scenario=cursor&cursor=%ff&limit=0',
        'scenario=cursor&cursor=YXQ6OTk5OTk5OTk5',
        'cookie=1&page=1&page=2',
        `${'a&'.repeat(3000)}`,
        '__proto__=1'
      ])}`
    }),
    '\r\n'
  ],
  'odd credentials': (route, random) => [
    head(
      route,
      `Authorization: ${random.pick(['Bearer', 'Bearer a.b.c', 'Bearer wst_', 'Basic', 'Bearer QpwL5tke4Pnpja7X4', `Bearer ${'e'.repeat(4000)}`, 'Bearer eyJhbGciOiJub25lIn0.e30.'])}\r\n` +
        `Cookie: ${random.pick(['nonet_access', 'nonet_access==; nonet_refresh=;', ';;;=', 'nonet_refresh=%00'])}\r\n\r\n`
    )
  ],
  'odd keys and tags': (route, random) => {
    const [line = '', body = ''] = withBody(route, object(random))
    const key = random.pick(['', 'x'.repeat(300), '\u00ff', 'k', '"'])
    const more =
      `Idempotency-Key: ${key}\r\nIf-Match: ${random.pick(['*', '"', ','.repeat(500)])}\r\n` +
      `If-None-Match: ${random.pick(['*', 'W/', '"2-0"'])}\r\nX-Request-Key: \u00fe\r\n`
    return [String(line).replace('Content-Type', `${more}Content-Type`), body]
  },
  'odd origins': (route, random) => [
    head(
      route,
      `Origin: ${random.pick(['null', 'http://evil.example', '"><script>', 'x'.repeat(3000)])}\r\n` +
        `Access-Control-Request-Method: ${random.pick(['PUT', 'BREW', '', '*'])}\r\n` +
        `Access-Control-Request-Headers: ${random.pick(['*', 'x,'.repeat(500), ''])}\r\n\r\n`
    )
  ],
  'odd hosts': ({ method, path }, random) => [
    `${method} ${path} HTTP/1.1\r\nHost: ${random.pick(['', '"><script>', '[::', 'a b', '127.0.0.1:99999', 'x'.repeat(300)])}\r\nConnection: close\r\n\r\n`
  ],
  'an odd method': ({ path }, random) => [
    head({
      method: random.pick(['HEAD', 'PROPFIND', 'QUERY', 'TRACE', 'BREW', 'CONNECT', 'get']),
      path
    }),
    '\r\n'
  ],
  'many pipelined requests': ({ method, path }, random) => [
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`.repeat(
      1 + random.below(20)
    ),
    head({ method, path }),
    '\r\n'
  ]
}

const UNFINISHED = /random bytes|lies about|broken chunks|odd hosts|odd method/
/** The connection may be torn on purpose, or because a body is not worth reading. */
const TORN = /any scenario|over the limit|odd fields|odd keys/

// Each has its own server, and waits for what stays unanswered.
describe('every engine', { concurrency: true }, () => {
  for (const engine of ENGINES) {
    describe(`hostile requests to scenarios, on ${engine}`, { concurrency: 1 }, () => {
      const requests = REQUESTS_PER_ROUTE[engine]
      let nonet: Launched
      let database: Awaited<ReturnType<typeof temporaryDatabase>> | undefined
      const totals = { sent: 0, answered: 0, refused: 0, quiet: 0, planned: 0 }
      before(async () => {
        database = engine === 'postgres' ? await temporaryDatabase() : undefined
        const place = database === undefined ? [] : ['--database', database.url]
        nonet = await launchNonet(['scenarios', '--ephemeral', '--quiet', ...place])
        await fetch(`${nonet.ready.services.scenarios}/w/hostile/api/users`)
      })
      after(async () => {
        const { code, stderr } = await nonet.end()
        await database?.[Symbol.asyncDispose]()
        assert.equal(code, 0, stderr)
        assert.equal(stderr, '', 'a defect was reported')
      })

      for (const [number, route] of routesFor(engine).entries()) {
        test(`${route.method} ${route.path} survives ${requests} of them`, async () => {
          const url = nonet.ready.services.scenarios ?? ''
          const random = createRandom(number + 1)
          const kinds = Object.entries(KINDS)
          const cases = Array.from({ length: requests }, (_, index) => {
            const [name, make] = kinds[(number * requests + index) % kinds.length] ?? assert.fail()
            return { name, pieces: make(route, random) }
          })
          // The others are sent while these wait.
          cases.sort((a, b) => Number(UNFINISHED.test(b.name)) - Number(UNFINISHED.test(a.name)))
          await runPool(cases, AT_ONCE, ({ name, pieces }) => play(url, name, pieces))
          const alive = await fetch(`${url}/api/users`)
          assert.equal(alive.status, 200)
        })
      }

      test('the generator was not easy on us, and nothing hung', (t) => {
        t.diagnostic(JSON.stringify(totals))
        assert.ok(totals.answered > totals.sent * 0.7, 'most cases must reach an answer')
        assert.ok(totals.quiet < totals.sent * 0.15, 'only unfinished requests may stay unanswered')
        assert.ok(totals.planned > 0, 'scenarios were asked for')
      })

      async function play(url: string, name: string, pieces: Pieces): Promise<void> {
        const isUnfinished = UNFINISHED.test(name)
        const quietMs = isUnfinished ? SLOW_QUIET_MS : QUIET_MS
        const { statuses, closed, text } = await sendRaw(url, pieces, quietMs)
        totals.sent += 1
        if (statuses.length > 0) totals.answered += 1
        else if (closed) totals.refused += 1
        else totals.quiet += 1
        const isPlanned = /\r\nx-scenario-applied: /.test(text)
        if (isPlanned) totals.planned += 1
        for (const status of statuses) {
          assert.ok(status < 500 || isPlanned, `${name}: ${status}\n${text.slice(0, 400)}`)
        }
        const torn = TORN.test(name) && closed
        const shown = Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString('latin1')
        assert.ok(
          statuses.length > 0 || torn || isUnfinished,
          `${name} got no answer: ${shown.slice(0, 300)}`
        )
      }
    })
  }
})
