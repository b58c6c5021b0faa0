/** Who gets an error as a page, in every service; everyone else gets the bytes of the format. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ServiceName } from '../../src/host/service-names.ts'
import { type Nonet, start } from '../../src/host/start.ts'
import { PAGE_HEADERS } from '../../src/kernel/page.ts'
import { NAVIGATION } from '../support/navigation.ts'
import { type PlainAnswer, sendPlain } from '../support/plain-http.ts'
import { sendRaw } from '../support/raw-socket.ts'

const ACCEPT = { accept: NAVIGATION.accept ?? '' }
const MODE = { 'sec-fetch-mode': 'navigate' }
const RECORD = '/some-box/0123456789abcdef01234567'
const JSON_TYPE = 'application/json; charset=utf-8'
const NOSNIFF = { 'x-content-type-options': 'nosniff' }
const SCENARIO_HEADERS = { ...NOSNIFF, 'content-type': JSON_TYPE }

interface Failing {
  on: ServiceName | 'console'
  path: string
  status: number
  body: string
  /** All headers of the error for programs, apart from those of the connection. */
  headers: Readonly<Record<string, string>>
  /** What the page says besides the status. */
  says: readonly string[]
  /** Path of the start page. */
  leadsTo?: string
  vary?: string
}

const REFERENCE = {
  allow: 'GET, HEAD, OPTIONS',
  vary: 'Accept, Accept-Encoding',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Last-Modified',
  ...NOSNIFF,
  'x-frame-options': 'SAMEORIGIN',
  'content-type': 'application/json'
}
const BOXES = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Link, X-Total-Count, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After',
  ...NOSNIFF,
  'content-type': JSON_TYPE
}
const COUNTRIES = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, X-Data-Version',
  ...NOSNIFF,
  'content-type': JSON_TYPE
}
const CONSOLE = { 'cache-control': 'no-store', ...NOSNIFF, 'content-type': JSON_TYPE }
const ADMIN = { 'cache-control': 'no-store', 'content-type': 'application/problem+json' }
const MOCK = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': '*',
  'content-type': 'application/problem+json'
}

const FAILING: readonly Failing[] = [
  {
    on: 'console',
    path: '/nope?a=1',
    status: 404,
    body: '{"error":"ROUTE_NOT_FOUND","message":"No route GET /nope?a=1"}',
    headers: CONSOLE,
    says: ['No route GET /nope?a=1', 'ROUTE_NOT_FOUND']
  },
  {
    on: 'console',
    path: '/openapi/nope.json',
    status: 404,
    body: '{"error":"SERVICE_UNKNOWN","message":"Service nope is not running"}',
    headers: CONSOLE,
    says: ['Service nope is not running', 'SERVICE_UNKNOWN']
  },
  {
    on: 'console',
    path: '/%zz',
    status: 400,
    body: `{"error":"FST_ERR_BAD_URL","message":"'/%zz' is not a valid url component"}`,
    headers: CONSOLE,
    says: ['&#39;/%zz&#39; is not a valid url component']
  },
  {
    on: 'reference',
    path: '/api/people/999/',
    status: 404,
    body: '{"detail":"Not found"}',
    headers: REFERENCE,
    says: ['Not found', 'href="/api/planets/"'],
    vary: 'Accept, Accept-Encoding, Sec-Fetch-Mode'
  },
  {
    on: 'boxes',
    path: RECORD,
    status: 404,
    body: '{"message":"Invalid record Id","code":"record_not_found"}',
    headers: BOXES,
    says: ['Invalid record Id', 'record_not_found']
  },
  {
    on: 'boxes',
    path: '/%00',
    status: 400,
    body: '{"message":"Invalid or empty box id","code":"box_id_invalid"}',
    headers: BOXES,
    says: ['Invalid or empty box id', 'box_id_invalid']
  },
  {
    on: 'countries',
    path: '/nope',
    status: 404,
    body: '{"errors":[{"message":"No route GET /nope","extensions":{"code":"ROUTE_NOT_FOUND"}}]}',
    headers: COUNTRIES,
    says: ['No route GET /nope', 'ROUTE_NOT_FOUND']
  },
  {
    on: 'countries',
    path: '/countries/xx.json',
    status: 404,
    body: '{"errors":[{"message":"Country xx not found","extensions":{"code":"COUNTRY_NOT_FOUND"}}]}',
    headers: COUNTRIES,
    says: ['Country xx not found', 'COUNTRY_NOT_FOUND']
  },
  {
    on: 'scenarios',
    path: '/_workspaces/none',
    status: 404,
    body: '{"error":"Workspace not found"}',
    headers: { ...SCENARIO_HEADERS, 'x-error-code': 'unknown_workspace' },
    says: ['Workspace not found', 'unknown_workspace']
  },
  {
    on: 'scenarios',
    path: '/w/x/',
    status: 404,
    body: '{}',
    headers: { ...SCENARIO_HEADERS, 'x-error-code': 'record_not_found' },
    says: ['record_not_found']
  },
  {
    on: 'mock',
    path: '/nope',
    status: 404,
    body: '{"type":"https://stoplight.io/prism/errors#NO_PATH_MATCHED_ERROR","title":"Route not resolved, no path matched","status":404,"detail":"No documented path matches /nope.","code":"NO_PATH_MATCHED_ERROR"}',
    headers: MOCK,
    says: ['No documented path matches /nope.', 'NO_PATH_MATCHED_ERROR'],
    leadsTo: '/__nonet/'
  },
  {
    on: 'mock',
    path: '/__nonet/journal/99',
    status: 404,
    body: '{"type":"about:blank","title":"Not Found","status":404,"detail":"Journal entry 99 not found; only the latest entries are kept","code":"ENTRY_NOT_FOUND"}',
    headers: ADMIN,
    says: ['Journal entry 99 not found', 'ENTRY_NOT_FOUND'],
    leadsTo: '/__nonet/'
  }
]

/** Headers that the server adds to every response. */
const OF_CONNECTION = ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']

function ownHeaders({ headers }: PlainAnswer): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name))
  )
}

describe('errors for people and for programs', () => {
  let nonet: Nonet
  before(async () => {
    nonet = await start()
  })
  after(() => nonet.stop())

  function urlOf(on: Failing['on']): string {
    return (on === 'console' ? nonet.console : nonet[on])?.url ?? ''
  }

  for (const failing of FAILING) {
    const { on, path, status, body, headers, says, leadsTo = '/' } = failing
    test(`${on} ${path} is a page for a navigation`, async () => {
      const shown = await sendPlain(urlOf(on) + path, { headers: NAVIGATION })
      assert.equal(shown.status, status)
      assert.deepEqual(ownHeaders(shown), {
        ...headers,
        ...PAGE_HEADERS,
        'cache-control': 'no-store',
        vary: failing.vary ?? 'Accept, Sec-Fetch-Mode'
      })
      const text = shown.body.toString()
      assert.match(text, /^<!doctype html>/)
      const wanted = [
        `>${status}</p><h1>`,
        `href="${urlOf(on)}${leadsTo}"`,
        `class="brand" href="${nonet.console?.url}/"`,
        `curl <span class="hl-name">-i</span> <span class="hl-text">&#39;${urlOf(on)}${path}&#39;`,
        ...says
      ]
      for (const part of wanted) assert.ok(text.includes(part), part)
      assert.ok(shown.body.length < 60_000)
      assert.equal(shown.rawHeaders.filter((name) => /^x-content-type/i.test(name)).length, 1)
    })

    test(`${on} ${path} keeps its bytes for programs`, async () => {
      const { accept: _, ...withoutAccept } = NAVIGATION
      const senders = [{}, withoutAccept, { ...MODE, accept: '*/*' }, { 'sec-fetch-mode': 'cors' }]
      // Reference also renders pages for clients that only prefer them.
      if (on !== 'reference') senders.push(ACCEPT, { ...NAVIGATION, 'sec-fetch-mode': 'cors' })
      for (const sender of senders) {
        const answer = await sendPlain(urlOf(on) + path, { headers: sender })
        assert.equal(answer.status, status)
        assert.equal(answer.body.toString(), body)
        assert.deepEqual(ownHeaders(answer), headers)
      }
    })

    test(`${on} ${path} is no page for HEAD and other methods`, async () => {
      const without = await sendPlain(urlOf(on) + path, { method: 'HEAD' })
      const head = await sendPlain(urlOf(on) + path, { method: 'HEAD', headers: NAVIGATION })
      assert.equal(head.body.length, 0)
      if (on !== 'reference') assert.deepEqual(ownHeaders(head), ownHeaders(without))
      const post = await sendPlain(urlOf(on) + path, { method: 'POST', headers: NAVIGATION })
      assert.equal(post.headers['cache-control'], post.headers['cache-control'] && 'no-store')
      if (on !== 'reference') assert.doesNotMatch(String(post.headers['content-type']), /html/)
    })
  }

  test('a client that prefers pages gets those of reference as before', async () => {
    const url = `${nonet.reference.url}/api/people/999/`
    for (const method of ['GET', 'HEAD']) {
      const answer = await sendPlain(url, { method, headers: ACCEPT })
      assert.deepEqual(
        [answer.status, ownHeaders(answer)],
        [404, { ...REFERENCE, ...PAGE_HEADERS }]
      )
    }
  })

  test('a format in the URL of reference decides for people too', async () => {
    const url = `${nonet.reference.url}/api/people/999/?format=json`
    const answer = await sendPlain(url, { headers: NAVIGATION })
    assert.deepEqual(
      [answer.body.toString(), ownHeaders(answer)],
      ['{"detail":"Not found"}', REFERENCE]
    )
  })

  test('the API of scenarios shows people its errors as programs get them', async () => {
    for (const path of ['/api/users?scenario=status:503', '/api/users/99', '/api/a/b/c/d']) {
      const url = nonet.scenarios.url + path
      const shown = await sendPlain(url, { headers: NAVIGATION })
      const told = await sendPlain(url)
      assert.ok(Number(shown.status) >= 400)
      assert.deepEqual([shown.body, ownHeaders(shown)], [told.body, ownHeaders(told)])
    }
  })

  test('a GraphQL error stays GraphQL', async () => {
    const url = `${nonet.countries.url}/?query={nope}`
    const { headers } = await sendPlain(url, { headers: NAVIGATION })
    assert.match(String(headers['content-type']), /json/)
  })

  test('forms has no pages: the whole address belongs to the function', async () => {
    for (const path of ['/', '/nope', '/%zz']) {
      const shown = await sendPlain(nonet.forms.url + path, { headers: NAVIGATION })
      const told = await sendPlain(nonet.forms.url + path)
      assert.equal(shown.body.toString(), 'Name and email are required.')
      assert.deepEqual([shown.status, ownHeaders(shown)], [told.status, ownHeaders(told)])
    }
  })

  test('what the URL contains stays text, and the command can be pasted', async () => {
    const path = `/no'pe[1]<b>?q=$(id)&x="y"`
    const lines = Object.entries(NAVIGATION).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`
    const { text } = await sendRaw(urlOf('countries'), [head, ...lines, '\r\n'], 30_000)
    assert.doesNotMatch(text, /<b>/)
    const [, block = ''] = /<pre tabindex="0">(.*?)<\/pre>/s.exec(text) ?? []
    const quoted = `&#39;http://localhost/no&#39;\\&#39;&#39;pe[1]&lt;b&gt;?q=$(id)&amp;x=&quot;y&quot;&#39;`
    assert.equal(block.replaceAll(/<[^>]*>/g, ''), `curl -ig ${quoted}`)
  })
})

test('behind a proxy without a public URL of the console, the page does not lead to it', async () => {
  await using nonet = await start({
    services: ['boxes'],
    publicUrl: { boxes: 'https://boxes.example.org/' }
  })
  const { body } = await sendPlain(nonet.boxes.url + RECORD, { headers: NAVIGATION })
  const text = body.toString()
  assert.ok(text.includes('href="https://boxes.example.org/"'))
  assert.ok(text.includes(`https://boxes.example.org${RECORD}`))
  assert.ok(text.includes('<span class="brand">'))
  assert.ok(!text.includes('127.0.0.1'))
})
