/**
 * Hostile requests to boxes over raw sockets. The generator: every route of ROUTES gets
 * REQUESTS_PER_ROUTE requests, an equal share of each kind in KINDS, drawn with a fixed seed; of
 * the kinds in RARE, which send megabytes or wait, each route gets RARE_PER_ROUTE. A case counts
 * as answered when at least one status line came back.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { EFFORT } from '../support/effort.ts'
import { type Launched, launchNonet } from '../support/launcher.ts'
import { runPool } from '../support/pool.ts'
import { createRandom, type Random } from '../support/random.ts'
import { sendRaw } from '../support/raw-socket.ts'

const REQUESTS_PER_ROUTE = 21 * EFFORT
/** These kinds draw nothing at random: a second request would be the same. */
const RARE_PER_ROUTE = EFFORT
const QUIET_MS = 60_000
const SLOW_QUIET_MS = 300
const AT_ONCE = 16

const ID = '0123456789abcdef01234567'
const MEGABYTE = 1024 * 1024

type Pieces = readonly (string | Uint8Array)[]
type Kind = (route: Route, random: Random) => Pieces

interface Route {
  method: string
  path: string
}

const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/written' },
  { method: 'POST', path: '/written/people' },
  { method: 'GET', path: '/hostile' },
  { method: 'GET', path: '/hostile/people' },
  { method: 'GET', path: `/hostile/${ID}` },
  { method: 'PUT', path: `/hostile/${ID}` },
  { method: 'DELETE', path: `/hostile/${ID}` },
  { method: 'DELETE', path: '/hostile/people?q=never:1' },
  { method: 'GET', path: '/_meta/hostile' },
  { method: 'POST', path: '/_import/written' },
  { method: 'GET', path: '/_export/hostile?q=never:1' },
  { method: 'GET', path: '/_changes/hostile?limit=3' },
  { method: 'GET', path: '/_keys/hostile' },
  { method: 'POST', path: '/_keys/hostile' },
  { method: 'PATCH', path: '/_keys/hostile' },
  { method: 'OPTIONS', path: '/hostile' },
  { method: 'GET', path: '/' },
  { method: 'POST', path: '/' }
]

function head({ method, path }: Route, more = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}`
}

function withBody(route: Route, body: string | Uint8Array, more = ''): Pieces {
  const length = Buffer.byteLength(body)
  return [head(route, `${more}Content-Length: ${length}\r\n\r\n`), body]
}

function withQuery(route: Route, query: string): Pieces {
  const separator = route.path.includes('?') ? '&' : '?'
  return [head({ ...route, path: `${route.path}${separator}${query}` }), '\r\n']
}

const path16 = (name: string) => Array(16).fill(name).join('.')
const enclose = (text: string, depth: number) => '{"a":'.repeat(depth) + text + '}'.repeat(depth)
const encode = encodeURIComponent

const KINDS: Readonly<Record<string, Kind>> = {
  'random bytes': (_route, random) => [random.bytes(1 + random.below(400))],
  'random bytes for a body': (route, random) =>
    withBody(route, random.bytes(1 + random.below(300))),
  'bad UTF-8 in the body': (route, random) =>
    withBody(
      route,
      Buffer.concat([
        Buffer.from('{"a":"'),
        Buffer.from(
          random.pick([[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80], [0xe2, 0x82]])
        ),
        Buffer.from('"}')
      ])
    ),
  'bad UTF-8 in the path': (route, random) => [
    head({
      ...route,
      path: `/${random.pick(['%ff', '%c0%af', '%e2%28', '%', '%zz', '%00', '%ED%A0%80'])}/x`
    }),
    '\r\n'
  ],
  'a hundred thousand levels': (route, random) =>
    withBody(
      route,
      random.pick([
        enclose('1', 100_000),
        enclose('[', 90_000),
        '['.repeat(100_000),
        `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
      ])
    ),
  'numbers out of every range': (route, random) =>
    withBody(
      route,
      `{"a":${random.pick(['1e100000', '-1e100000', '1e131073', '1e-400000', '9'.repeat(5000), `0.${'1'.repeat(5000)}`])},"b":[1e400,-0]}`
    ),
  'broken JSON': (route, random) =>
    withBody(
      route,
      random.pick([
        '{',
        '[{},',
        '{"a":tru}',
        '{"a":1,,}',
        '\ufeff',
        '"',
        '{"a":"\\u12',
        '[[[]]]',
        'null',
        '{}{}'
      ])
    ),
  'odd names': (route, random) =>
    withBody(
      route,
      `{${random.pick(['"__proto__":{"x":1}', '"constructor":{"prototype":1}', '"\\ud800":1', '"a\\u0000b":"\\u0000"', '"":{"":""}', '"toString":1,"valueOf":2', '"_id":{},"\\u005fid":[]'])}}`
    ),
  'many members and elements': (route, random) =>
    withBody(
      route,
      random.pick([
        `{${Array.from({ length: 5000 }, (_, n) => `"k${n}":${n}`).join()}}`,
        `{${'"d":1,'.repeat(5000)}"d":2}`,
        `[${'{},'.repeat(1500)}{}]`,
        `{"a":[${'0,'.repeat(50_000)}0]}`
      ])
    ),
  'odd bodies and types': (route, random) =>
    withBody(
      route,
      random.pick(['{}', '', 'a=b', 'box=x&record={', '{"a":1}']),
      `Content-Type: ${random.pick(['application/json', ';;;', 'multipart/form-data', 'application/x-www-form-urlencoded', '\u00ff', 'a/b;charset='])}\r\n`
    ),
  'bodies that lie about their length': (route, random) => [
    head(
      route,
      `Content-Length: ${random.pick(['0', '-1', '1e3', '99999999999999999999', 'x'])}\r\n\r\n`
    ),
    '{"a":1}'
  ],
  'broken chunks': (route, random) => [
    head(route, 'Transfer-Encoding: chunked\r\n\r\n'),
    random.pick([
      'zz\r\n',
      '5\r\nabcdeXX',
      '0\r\n\r\n',
      'ffffffffffffffffff\r\n',
      '2\r\n{}\r\n0\r\n\r\n'
    ])
  ],
  'sixteen segments and more': (route, random) => [
    head({
      ...route,
      path: `/hostile${`/${random.pick(['x', ID, '..', '%2e%2e', '%2F', ''])}`.repeat(16 + random.below(400))}`
    }),
    '\r\n'
  ],
  'odd box ids': (route, random) => [
    head({
      ...route,
      path: `/${random.pick(['_meta', '_query', '_keys/x', '%2F', '*', "';drop table boxes--", '%F0%9F%98%80'.repeat(33), '//', '.', '?', '%25', 'x'.repeat(3000)])}`
    }),
    '\r\n'
  ],
  'q of every kind': (route, random) =>
    withQuery(
      route,
      `q=${random.pick(['a', ':', 'a:', '*:*', 'a:*', encode('a:\\'), 'a:%00', 'a:%ff', encode(`${path16('a')}:1`), encode("a:'; delete from records --"), 'a:=1e400', 'a:>=NaN', 'a:(a%2B)%2B$', encode('_createdOn:>=99999'), '__proto__.x:1', 'constructor:*'])}`
    ),
  'filters of 8 KB': (route, random) =>
    withQuery(
      route,
      random.pick([
        `q=${'a:1,'.repeat(2000)}a:1`,
        `q=a:${'%2a'.repeat(2500)}`,
        `q=${'x.'.repeat(4000)}x:1`,
        `where=${encode(`{"$or":[${'{"a":1},'.repeat(90)}{"a":1}]}`)}`,
        `where=${encode(enclose('1', 800))}`,
        `where=${encode(`{"a":{"$in":[${'1,'.repeat(3000)}1]}}`)}`,
        `where=${encode(`{"${path16('a')}":{"$icontains":"${'x'.repeat(3000)}"}}`)}`
      ])
    ),
  'where of every kind': (route, random) =>
    withQuery(
      route,
      `where=${encode(random.pick(['', '{', '[]', '1', 'null', '{"$where":"1"}', '{"a":{"$gt":{}}}', '{"a":{"$regex":"(a+)+$"}}', '{"$or":[]}', '{"$or":1}', '{"$not":{"$not":{"$not":{}}}}', '{"a":{"$elemMatch":{"$elemMatch":{}}}}', '{"a":{"$size":-1}}', '{"/a~2":1}', '{"a\\u0000":"\\u0000"}', '{"__proto__":{"$exists":true}}', '{"a":1e400}']))}`
    ),
  'odd paging': (route, random) =>
    withQuery(
      route,
      random.pick([
        'limit=-1',
        'limit=1e9',
        'limit=99999999999999999999',
        'skip=NaN',
        'skip=99999999999999999999',
        'offset=1.5',
        'cursor=AAAA',
        `cursor=${'A'.repeat(4000)}`,
        'sort=',
        `sort=${'a,'.repeat(3000)}`,
        `sort=${path16('a')}`,
        'sort=-',
        'sort=%00',
        'count=true',
        'sort=__proto__',
        `cursor=${Buffer.from('["",[[1,"x"]],1e400]').toString('base64url')}`
      ])
    ),
  'odd headers': (route, random) => [
    head(
      route,
      `${random.pick([`X-API-KEY: ${'k'.repeat(8000)}`, 'Authorization: ', 'Authorization: a b c', 'If-None-Match: ,,,"', 'Prefer: count=exact;;', `Access-Control-Request-Headers: ${'x,'.repeat(3000)}`, 'Accept: text/html;;', 'X-Forwarded-Host: evil.example'])}\r\n\r\n`
    )
  ],
  'another method': (route, random) =>
    withBody(
      {
        ...route,
        method: random.pick(['PATCH', 'HEAD', 'TRACE', 'PROPFIND', 'QUERY', 'BREW', 'LINK'])
      },
      '{}'
    ),
  'pipelined requests': (route, random) => [
    `${route.method} ${route.path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`.repeat(
      1 + random.below(20)
    ),
    ...withBody(route, '{}')
  ]
}

/** What the reading routes look at; the large ones are not among the newest. */
const SEED = [
  enclose('1', 100_000),
  `{"a":"${'x'.repeat(MEGABYTE)}"}`,
  `{"a":[${'0,'.repeat(100_000)}0]}`,
  `[${Array.from({ length: 900 }, (_, n) => `{"a":${n},"b":{"a":["x",{"a":null}]},"_createdOn":1}`).join()}]`
]

const RARE: Readonly<Record<string, Kind>> = {
  'ten megabytes of one record': (route) => withBody(route, `{"a":"${'x'.repeat(10 * MEGABYTE)}"}`),
  'ten megabytes of records': (route) =>
    withBody(
      route,
      `[${Array(9)
        .fill(`{"a":"${'x'.repeat(MEGABYTE)}"}`)
        .join()}]`
    ),
  'ten megabytes of brackets': (route) => withBody(route, '['.repeat(10 * MEGABYTE)),
  'a body that never ends': (route) => [head(route, 'Content-Length: 1000\r\n\r\n'), '{"a":'],
  'a body in drops': (route) => [
    head(route, 'Transfer-Encoding: chunked\r\n\r\n'),
    '1\r\n{\r\n',
    '1\r\n"\r\n'
  ]
}

/** The server may wait for more. */
const SLOW = /never ends|drops|random bytes$|lie|chunks/

describe('hostile requests to boxes', { timeout: 600_000 }, () => {
  const totals = { sent: 0, answered: 0, refused: 0, quiet: 0, statuses: new Map<number, number>() }
  let nonet: Launched
  let url: string
  before(async () => {
    nonet = await launchNonet(['boxes', '--ephemeral', '--quiet', '--boxes-scan-budget-ms=1000'])
    url = nonet.ready.services.boxes ?? ''
    for (const body of SEED) {
      const answer = await fetch(`${url}/hostile/people`, { method: 'POST', body })
      assert.equal(answer.status, 200)
    }
  })
  after(async () => {
    const { code, stderr } = await nonet.end()
    assert.equal(code, 0)
    assert.equal(stderr, '', 'a defect was reported')
  })

  async function play(name: string, pieces: Pieces, quietMs: number): Promise<void> {
    const { statuses, closed, text } = await sendRaw(url, pieces, quietMs)
    totals.sent += 1
    if (statuses.length > 0) totals.answered += 1
    else if (closed) totals.refused += 1
    else totals.quiet += 1
    for (const status of statuses) {
      totals.statuses.set(status, (totals.statuses.get(status) ?? 0) + 1)
      const scanned = /retry-after: /i.test(text) && !text.includes('storage_unavailable')
      const planned = status === 507 || (status === 503 && scanned)
      assert.ok(status < 500 || planned, `${name}: ${status}\n${text.slice(0, 400)}`)
    }
    const unfinished = /never ends|drops|lie|chunks|random bytes/.test(name)
    assert.ok(statuses.length > 0 || closed || unfinished, `${name} got no answer`)
  }

  for (const [index, route] of ROUTES.entries()) {
    test(`${route.method} ${route.path}`, async () => {
      const random = createRandom(index + 1)
      const common = Object.entries(KINDS)
      const rare = Object.entries(RARE).map(([name, kind]) => [name, kind, RARE_PER_ROUTE] as const)
      const share = Math.ceil(REQUESTS_PER_ROUTE / common.length)
      const kinds = [...common.map(([name, kind]) => [name, kind, share] as const), ...rare]
      const cases = kinds.flatMap(([name, kind, count]) =>
        Array.from({ length: count }, () => ({ name, kind, isSlow: SLOW.test(name) }))
      )
      // The others are sent while these wait.
      cases.sort((a, b) => Number(b.isSlow) - Number(a.isSlow))
      await runPool(cases, AT_ONCE, ({ name, kind, isSlow }) =>
        play(name, kind(route, random), isSlow ? SLOW_QUIET_MS : QUIET_MS)
      )
      const alive = await fetch(`${url}/alive`, { method: 'POST', body: '{"still":"here"}' })
      assert.equal(alive.status, 200)
    })
  }

  test('the generator was not easy on us, and nothing hung', (t) => {
    t.diagnostic(JSON.stringify({ ...totals, statuses: Object.fromEntries(totals.statuses) }))
    assert.ok(totals.sent >= ROUTES.length * REQUESTS_PER_ROUTE)
    assert.ok(totals.answered > totals.sent * 0.8, 'most cases must reach an answer')
    assert.ok((totals.statuses.get(200) ?? 0) > totals.sent * 0.2, 'not only refusals')
    assert.ok((totals.statuses.get(400) ?? 0) > totals.sent * 0.2, 'not only harmless cases')
  })
})
