/** I-4: every scenario of the catalogue, seen from the other end of a real connection. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { bearer, EVE, seen, type Talk, talkTo } from './scenarios-scene.ts'

type Play = (talk: Talk, ws: string) => Promise<void>

/** Seen where streams are tested. */
const ELSEWHERE = ['sse-drop', 'ws-close']

const LOGIN = (tag: string) => ({ ...EVE, email: `eve.holt+${tag}@reqres.in` })

async function failsOnTheWay(answer: Promise<unknown>): Promise<void> {
  await assert.rejects(answer, (error: Error & { cause?: { code?: string } }) => {
    assert.match(error.cause?.code ?? '', /ECONNRESET|UND_ERR_SOCKET/)
    return true
  })
}

/** The answer's headers, with the body still to come. */
async function open(url: string, method = 'GET'): Promise<IncomingMessage> {
  const outgoing = request(url, { method, agent: false })
  outgoing.end()
  const [answer] = await once(outgoing, 'response')
  return answer
}

function instead(path: string, status: number, body: unknown, name: string): Play {
  return async ({ ask }, ws) => {
    const [method, rest] = path.includes(' ') ? path.split(' ') : ['GET', path]
    const answer = await ask(`${method} /w/${ws}${rest}`, method === 'GET' ? undefined : { a: 1 })
    assert.deepEqual(seen(answer), [status, body])
    assert.equal(answer.headers.get('x-scenario-applied'), name)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  }
}

function login(tag: string, body: object, code: string): Play {
  return async ({ ask }, ws) => {
    for (const path of ['/api/login', '/api/auth/login', '/api/register']) {
      const answer = await ask(`POST /w/${ws}${path}`, LOGIN(tag))
      const [status, error] = seen(answer)
      assert.equal(status, 403)
      assert.deepEqual({ ...(error as object), ...body }, error)
      assert.equal(answer.headers.get('x-error-code'), code)
    }
    const name = tag.replace('passwordexpired', 'password-expired')
    const asked = await ask(`POST /w/${ws}/api/login?scenario=${name}`, EVE)
    assert.deepEqual([asked.status, asked.headers.get('x-scenario-applied')], [403, name])
    const unknown = await ask(`POST /w/${ws}/api/login`, { email: `x+${tag}@y.z`, password: 'x' })
    assert.deepEqual(seen(unknown), [403, { error: 'user not found' }])
  }
}

async function statuses(talk: Talk, request: string, times: number): Promise<number[]> {
  const found: number[] = []
  for (let n = 0; n < times; n++) found.push((await talk.ask(request)).status)
  return found
}

const record = async ({ get }: Talk, scenario: string) =>
  (await get(`GET /api/users/2?scenario=${scenario}`)).data

const PLAYS: Readonly<Record<string, Play>> = {
  async slow({ ask, url }) {
    const started = performance.now()
    const order: string[] = []
    const slow = ask('GET /api/users?scenario=slow:400').then(() => order.push('slow'))
    await fetch(`${url}/api/users`).then(() => order.push('plain'))
    await slow
    assert.deepEqual(order, ['plain', 'slow'])
    assert.ok(performance.now() - started >= 400)
    const ranged = performance.now()
    const answer = await ask('GET /w/slow/api/users?scenario=slow:150-300')
    assert.ok(performance.now() - ranged >= 150)
    assert.equal(answer.headers.get('x-scenario-applied'), 'slow')
  },
  async drip({ url }) {
    const started = performance.now()
    const answer = await open(`${url}/api/users?scenario=drip:500`)
    const headers = performance.now() - started
    let pieces = 0
    let text = ''
    for await (const piece of answer) {
      pieces++
      text += piece
    }
    const whole = performance.now() - started
    assert.ok(headers < whole - 300, 'headers come well before the end')
    assert.ok(whole >= 480, `${whole}`)
    assert.ok(pieces >= 5, `${pieces}`)
    assert.equal(JSON.parse(text).total, 12)
  },
  async hang({ url, ask }) {
    const gone = new AbortController()
    let ended = false
    const hung = fetch(`${url}/api/users?scenario=hang`, { signal: gone.signal }).finally(() => {
      ended = true
    })
    await ask('GET /api/users?scenario=slow:200')
    assert.equal(ended, false)
    gone.abort()
    await assert.rejects(hung, { name: 'AbortError' })
  },
  reset: async ({ ask, get }, ws) => {
    await failsOnTheWay(ask(`POST /w/${ws}/api/users?scenario=reset`, { a: 1 }))
    assert.equal((await get(`GET /w/${ws}/api/users`)).total, 12, 'nothing was done')
  },
  truncate: async ({ ask, get, url }, ws) => {
    const answer = await open(`${url}/api/users?scenario=truncate`)
    let bytes = 0
    answer.on('data', (piece) => {
      bytes += piece.length
    })
    const [error] = await once(answer, 'error')
    assert.equal(error.code, 'ECONNRESET')
    const announced = Number(answer.headers['content-length'])
    assert.equal(bytes, Math.floor(announced / 2))
    await failsOnTheWay(ask(`POST /w/${ws}/api/users?scenario=truncate`, { a: 1 }))
    assert.equal((await get(`GET /w/${ws}/api/users`)).total, 13, 'the work was done')
  },
  'offline-then-online': async ({ ask }, ws) => {
    const path = `GET /w/${ws}/api/users?scenario=offline-then-online:2`
    await failsOnTheWay(ask(path))
    await failsOnTheWay(ask(path))
    const answer = await ask(path)
    assert.deepEqual([answer.status, answer.headers.get('x-scenario-applied')], [200, null])
  },
  flaky: async (talk, ws) => {
    const path = `GET /w/${ws}/api/users?scenario=flaky:1/3`
    const found = await statuses(talk, path, 30)
    for (let block = 0; block < 10; block++) {
      const failed = found.slice(3 * block, 3 * block + 3).filter((status) => status === 503)
      assert.equal(failed.length, 1, 'one of every three')
    }
    assert.ok(new Set(found.map((status, n) => (status === 503 ? n % 3 : -1))).size > 2, 'spread')
    const keyed = async (key: string) =>
      (await talk.ask(path, undefined, { 'x-request-key': key })).status
    const first = await Promise.all(Array.from({ length: 40 }, (_, n) => keyed(`k${n}`)))
    const again = await Promise.all(Array.from({ length: 40 }, (_, n) => keyed(`k${n}`)))
    assert.deepEqual(again, first, 'a key decides for itself')
    assert.ok(first.includes(200) && first.includes(503))
    assert.deepEqual(await statuses(talk, `GET /w/${ws}/api/x?scenario=flaky:1/1`, 2), [503, 503])
    assert.deepEqual(await statuses(talk, `GET /w/${ws}/api/x?scenario=flaky:0/2`, 2), [200, 200])
  },
  'fail-first': async (talk, ws) => {
    const path = `/w/${ws}/api/users?scenario=fail-first:2:500`
    assert.deepEqual(await statuses(talk, `GET ${path}`, 4), [500, 500, 200, 200])
    assert.deepEqual(await statuses(talk, `POST ${path}`, 3), [500, 500, 201], 'counted by method')
    const items = `GET /w/${ws}/api/users/1?scenario=fail-first`
    assert.deepEqual(await statuses(talk, items, 3), [503, 503, 200], 'and by route')
  },
  every: async (talk, ws) => {
    const path = `GET /w/${ws}/api/users?scenario=every:3`
    assert.deepEqual(await statuses(talk, path, 6), [200, 200, 500, 200, 200, 500])
  },
  status: async (talk, ws) => {
    await instead(
      '/api/users?scenario=status:503',
      503,
      { error: 'Service Unavailable' },
      'status'
    )(talk, ws)
    const own = await talk.ask('GET /api/users?scenario=status:418:short%20and%20stout')
    assert.deepEqual(seen(own), [418, { error: 'short and stout' }])
    for (const code of [204, 304]) {
      const empty = await talk.ask(`GET /api/users?scenario=status:${code}`)
      assert.deepEqual([empty.status, empty.text], [code, ''])
    }
  },
  'rate-limit': async ({ ask, get }, ws) => {
    await get('POST /_workspaces', { id: ws, now: '2030-01-01T00:00:00.000Z' })
    const call = () => ask(`GET /w/${ws}/api/users?scenario=rate-limit:2/30`)
    const limits = ({ headers }: { headers: Headers }) =>
      ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'].map((name) =>
        headers.get(name)
      )
    assert.deepEqual(limits(await call()), ['2', '1', '30', null])
    await get(`POST /_workspaces/${ws}/clock`, { advance_ms: 10_000 })
    assert.deepEqual(limits(await call()), ['2', '0', '20', null])
    const over = await call()
    assert.deepEqual(seen(over), [429, { error: 'Too many requests', retry_after: 20 }])
    assert.deepEqual(limits(over), ['2', '0', '20', '20'])
    assert.equal(
      over.headers.get('x-ratelimit-reset'),
      String(Date.parse('2030-01-01T00:00:30Z') / 1000)
    )
    await get(`POST /_workspaces/${ws}/clock`, { advance_ms: 20_000 })
    assert.equal((await call()).status, 200)
    assert.equal((await ask('GET /api/users?scenario=rate-limit:now')).status, 429)
  },
  maintenance: async ({ ask, get }, ws) => {
    await get('POST /_workspaces', { id: ws, now: '2030-01-01T00:00:00.000Z' })
    const answer = await ask(`GET /w/${ws}/api/users?scenario=maintenance:90`)
    const until = '2030-01-01T00:01:30.000Z'
    assert.deepEqual(seen(answer), [503, { error: 'Service under maintenance', until }])
    assert.equal(answer.headers.get('retry-after'), '90')
  },
  'bad-gateway': async ({ ask }) => {
    const { status, text, headers } = await ask('GET /api/users?scenario=bad-gateway')
    assert.deepEqual([status, headers.get('content-type')], [502, 'text/html; charset=utf-8'])
    assert.match(text, /^<!doctype html>/)
  },
  'malformed-json': async ({ ask }) => {
    const { status, text, headers } = await ask('GET /api/users?scenario=malformed-json')
    assert.deepEqual([status, text], [200, '{"page":1,"data":[{"id":1,'])
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  },
  'empty-body': async ({ ask }) => {
    const { status, text, headers } = await ask('GET /api/users/2?scenario=empty-body')
    assert.deepEqual([status, text, headers.get('content-length')], [200, '', '0'])
  },
  'wrong-type': async ({ ask }) => {
    const { text, headers } = await ask('GET /api/users?scenario=wrong-type')
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(JSON.parse(text).total, 12)
  },
  redirect: async ({ ask, url }) => {
    const hop = await ask('GET /api/users?page=2&scenario=redirect:3')
    assert.equal(hop.status, 302)
    const followed = await fetch(`${url}/_s/redirect:3/api/users?page=2`)
    assert.equal(followed.redirected, true)
    assert.equal((await followed.json()).page, 2)
    let hops = 0
    let location: string | null = '/api/users?scenario=redirect:3,slow:1'
    while (location !== null) {
      const answer: Response = await fetch(url + location, { redirect: 'manual' })
      location = answer.headers.get('location')
      if (location !== null) hops++
    }
    assert.equal(hops, 3)
  },
  'redirect-loop': async ({ url }) => {
    await assert.rejects(fetch(`${url}/api/users?scenario=redirect-loop`), {
      cause: new Error('redirect count exceeded')
    })
  },
  'not-modified': async ({ ask }) => {
    const fresh = await ask('GET /api/users?scenario=not-modified')
    assert.equal(fresh.status, 200)
    const tag = { 'if-none-match': '"anything"' }
    const answer = await ask('GET /api/users?scenario=not-modified', undefined, tag)
    assert.deepEqual([answer.status, answer.text], [304, ''])
  },
  cors: async ({ ask }) => {
    const { status, headers } = await ask('GET /api/users?scenario=cors')
    assert.equal(status, 200)
    const named = [...headers.keys()].filter((name) => name.startsWith('access-control'))
    assert.deepEqual(named, [])
  },
  'cors-preflight': async ({ ask, get }, ws) => {
    const preflight = { origin: 'http://a.example', 'access-control-request-method': 'PUT' }
    for (const path of ['/api/users/2?scenario=cors-preflight', '/_s/cors-preflight/api/users/2']) {
      const { status, headers } = await ask(`OPTIONS ${path}`, undefined, preflight)
      assert.equal(status, 403)
      assert.equal(headers.get('access-control-allow-origin'), null)
    }
    await get(`GET /w/${ws}/api/users`)
    const rule = { method: 'PUT', path: '/api/users/*', times: 1, scenario: 'cors-preflight' }
    await get(`PUT /_workspaces/${ws}/rules`, [rule])
    const by = () => ask(`OPTIONS /w/${ws}/api/users/2`, undefined, preflight)
    assert.deepEqual([(await by()).status, (await by()).status], [403, 204])
    assert.equal((await ask('PUT /api/users/2?scenario=cors-preflight', {})).status, 200)
    const header = await ask('GET /api/users', undefined, { 'x-scenario': 'cors-preflight' })
    assert.deepEqual(
      [header.status, header.headers.get('x-error-code')],
      [400, 'preflight_by_header']
    )
  },
  unauthorized: async (talk, ws) => {
    await instead(
      '/api/users?scenario=unauthorized',
      401,
      { error: 'Unauthorized' },
      'unauthorized'
    )(talk, ws)
    const { headers } = await talk.ask('GET /api/users?scenario=unauthorized')
    assert.equal(headers.get('www-authenticate'), 'Bearer')
  },
  forbidden: instead('/api/users?scenario=forbidden', 403, { error: 'Forbidden' }, 'forbidden'),
  'not-found': instead('/api/users?scenario=not-found', 404, {}, 'not-found'),
  gone: instead('/api/users/1?scenario=gone', 410, { error: 'Gone' }, 'gone'),
  'too-large': instead(
    'POST /api/users?scenario=too-large',
    413,
    { error: 'Payload Too Large' },
    'too-large'
  ),
  conflict: instead(
    'POST /api/users?scenario=conflict',
    409,
    { error: 'Conflict', field: 'email' },
    'conflict'
  ),
  validation: async ({ ask }) => {
    const answer = await ask('POST /api/users?scenario=validation', {})
    const { error, errors } = JSON.parse(answer.text)
    assert.deepEqual([answer.status, error], [422, 'Validation failed'])
    const fields = errors.map((one: { field: string; code: string }) => [one.field, one.code])
    assert.deepEqual(fields, [
      ['email', 'invalid_format'],
      ['first_name', 'required']
    ])
    assert.equal((await ask('GET /api/users?scenario=validation')).status, 200)
    assert.equal((await ask('POST /api/login?scenario=validation,conflict', EVE)).status, 200)
  },
  stale: async ({ ask }) => {
    const stale = await ask('PUT /api/users/2?scenario=stale', {}, { 'if-match': '"x"' })
    assert.deepEqual(seen(stale), [412, { error: 'Precondition failed' }])
    assert.equal((await ask('PUT /api/users/2?scenario=stale', {})).status, 200)
  },
  'if-match-required': async ({ ask }) => {
    const without = await ask('DELETE /api/users/2?scenario=if-match-required')
    assert.deepEqual(seen(without), [428, { error: 'Precondition Required' }])
    const path = 'PATCH /api/users/2?scenario=if-match-required'
    assert.equal((await ask(path, {}, { 'if-match': '"x"' })).status, 200)
  },
  'token-expired': async ({ ask }) => {
    const path = 'GET /api/users?scenario=token-expired'
    assert.equal((await ask(path)).status, 200)
    const answer = await ask(path, undefined, bearer('anything'))
    assert.deepEqual(seen(answer), [401, { error: 'Token expired' }])
    const challenge = 'Bearer error="invalid_token", error_description="Token expired"'
    assert.equal(answer.headers.get('www-authenticate'), challenge)
  },
  'token-revoked': async ({ ask }) => {
    const path = 'GET /api/me?scenario=token-revoked'
    const answer = await ask(path, undefined, bearer('QpwL5tke4Pnpja7X4'))
    assert.deepEqual(seen(answer), [401, { error: 'Token revoked' }])
  },
  'short-token': async ({ get, ask }, ws) => {
    await get('POST /_workspaces', { id: ws, now: '2030-01-01T00:00:00.000Z' })
    const login = await get(`POST /w/${ws}/api/auth/login?scenario=short-token:3`, EVE)
    assert.equal(login.expiresIn, 3)
    await get(`POST /_workspaces/${ws}/clock`, { advance_ms: 9000 })
    const me = await ask(`GET /w/${ws}/api/me`, undefined, bearer(login.accessToken))
    assert.deepEqual(seen(me), [401, { error: 'Token expired' }])
  },
  'refresh-fails': async ({ get, ask }, ws) => {
    const { refreshToken } = await get(`POST /w/${ws}/api/auth/login`, EVE)
    const refused = await ask(`POST /w/${ws}/api/auth/refresh?scenario=refresh-fails`, {
      refreshToken
    })
    assert.deepEqual(
      [refused.status, refused.headers.get('x-scenario-applied')],
      [401, 'refresh-fails']
    )
    await get(`POST /w/${ws}/api/auth/refresh`, { refreshToken })
  },
  'refresh-race': async ({ get, ask }, ws) => {
    const { refreshToken } = await get(`POST /w/${ws}/api/auth/login`, EVE)
    const refresh = () =>
      ask(`POST /w/${ws}/api/auth/refresh?scenario=refresh-race`, { refreshToken })
    const answers = await Promise.all([refresh(), refresh()])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
    const winner = answers.find(({ status }) => status === 200)
    const pair = JSON.parse(winner?.text ?? '')
    await get(`GET /w/${ws}/api/me`, undefined, bearer(pair.accessToken))
  },
  'auth-status': async ({ ask }) => {
    for (const path of ['/api/login', '/api/register', '/api/auth/login', '/api/auth/register']) {
      const answer = await ask(`POST ${path}?scenario=auth-status:401`, {})
      assert.deepEqual(seen(answer), [401, { error: 'Missing email or username' }])
    }
  },
  wrong: login('wrong', { error: 'Invalid credentials' }, 'invalid_credentials'),
  locked: async (talk, ws) => {
    await login('locked', { error: 'Account locked', retry_after: 900 }, 'account_locked')(talk, ws)
    const { headers } = await talk.ask('POST /api/login?scenario=locked:60', EVE)
    assert.equal(headers.get('retry-after'), '60')
  },
  disabled: login('disabled', { error: 'Account disabled' }, 'account_disabled'),
  unverified: async (talk, ws) => {
    await login('unverified', { error: 'Email not verified' }, 'email_unverified')(talk, ws)
    const resent = await talk.ask(`POST /w/${ws}/api/auth/verify/resend`, { email: EVE.email })
    assert.deepEqual(seen(resent), [202, {}])
    const { mail } = await talk.get(`GET /_workspaces/${ws}/mail`)
    assert.equal(mail[0].kind, 'verify')
  },
  'password-expired': async (talk, ws) => {
    await login('passwordexpired', { error: 'Password expired' }, 'password_expired')(talk, ws)
    const expired = await talk.ask(`POST /w/${ws}/api/login`, LOGIN('passwordexpired'))
    const { reset_token: token } = JSON.parse(expired.text)
    await talk.get(`POST /w/${ws}/api/auth/reset`, { token, password: 'fresh' })
    assert.equal((await talk.ask(`POST /w/${ws}/api/login`, EVE)).status, 403)
    await talk.get(`POST /w/${ws}/api/login`, { ...EVE, password: 'fresh' })
  },
  mfa: async ({ ask }, ws) => {
    const answer = await ask(`POST /w/${ws}/api/login`, LOGIN('mfa+slow:1'))
    const { mfa } = JSON.parse(answer.text)
    assert.equal(answer.headers.get('x-scenario-applied'), 'slow, mfa')
    const passed = await ask(`POST /w/${ws}/api/auth/mfa`, {
      challenge_id: mfa.challenge_id,
      code: '123456'
    })
    assert.equal(passed.status, 200)
  },
  'upload-slow': async ({ ask }) => {
    const started = performance.now()
    const body = { name: 'x'.repeat(4000) }
    const answer = await ask('POST /api/users?scenario=upload-slow:10000', body)
    assert.deepEqual(
      [answer.status, answer.headers.get('x-scenario-applied')],
      [201, 'upload-slow']
    )
    assert.ok(performance.now() - started >= 380)
  },
  'upload-fail': async ({ url }) => {
    const outgoing = request(`${url}/api/users?scenario=upload-fail:50`, {
      method: 'POST',
      agent: false,
      headers: { 'content-length': '1000' }
    })
    const broken = once(outgoing, 'error')
    outgoing.write('x'.repeat(400))
    outgoing.write('x'.repeat(100))
    const [error] = await broken
    assert.match((error as NodeJS.ErrnoException).code ?? '', /ECONNRESET|EPIPE/)
  },
  'empty-list': async ({ get }) => {
    const { page, total, total_pages, data } = await get('GET /api/users?scenario=empty-list')
    assert.deepEqual([page, total, total_pages, data], [1, 0, 0, []])
  },
  'one-item': async ({ get }) => {
    const { total, total_pages, data } = await get('GET /api/unknown?scenario=one-item')
    assert.deepEqual([total, total_pages, data.length], [1, 1, 1])
  },
  'last-page-short': async ({ get }) => {
    const { total, total_pages, data } = await get('GET /api/users?page=2&scenario=last-page-short')
    assert.deepEqual([total, total_pages, data.length], [11, 2, 5])
  },
  'page-past-end': async ({ get }) => {
    const { page, total, data } = await get('GET /api/users?scenario=page-past-end')
    assert.deepEqual([page, total, data], [3, 12, []])
  },
  'large-list': async ({ get, ask }) => {
    const path = 'GET /api/users?per_page=100&scenario=large-list'
    const pages = await Promise.all([1, 2, 3].map((page) => get(`${path}&page=${page}`)))
    assert.equal(pages[0].total, 247)
    const people = pages.flatMap(({ data }) => data)
    assert.deepEqual(
      people.map(({ id }) => id),
      Array.from({ length: 247 }, (_, n) => n + 1)
    )
    assert.equal(people[11].first_name, 'Rachel')
    assert.equal(new Set(people.map(({ email }) => email)).size, 247)
    assert.deepEqual(await get(`${path}&page=3`), pages[2])
    assert.notDeepEqual((await get(`${path}&page=3&seed=7`)).data, pages[2].data)
    const one = await get('GET /api/users/200?scenario=large-list')
    assert.deepEqual(one.data, people[199])
    assert.equal((await ask('GET /api/users/248?scenario=large-list')).status, 404)
    assert.equal((await get('GET /api/things?scenario=large-list:10000')).total, 10_000)
  },
  cursor: async ({ get }) => {
    const found: number[] = []
    let next: string | null = ''
    while (next !== null) {
      const { data, meta } = await get(`GET /api/users?scenario=cursor&limit=5&cursor=${next}`)
      assert.deepEqual([meta.limit, meta.returned], [5, data.length])
      assert.equal(meta.has_more, meta.next_cursor !== null)
      found.push(...data.map(({ id }: { id: number }) => id))
      next = meta.next_cursor
    }
    assert.deepEqual(
      found,
      Array.from({ length: 12 }, (_, n) => n + 1)
    )
  },
  shifting: async ({ get }) => {
    const first = await get('GET /api/users?scenario=shifting')
    const second = await get('GET /api/users?page=2&scenario=shifting')
    assert.deepEqual(second.data[0], first.data[5], 'seen twice')
    assert.equal(second.total, first.total + 1)
  },
  nulls: async (talk) => {
    const { avatar, last_name, first_name } = await record(talk, 'nulls')
    assert.deepEqual([avatar, last_name, first_name], [null, null, 'Janet'])
  },
  'long-text': async (talk) => {
    assert.equal((await record(talk, 'long-text')).first_name.length, 300)
  },
  unicode: async (talk) => {
    const { first_name, last_name } = await record(talk, 'unicode')
    assert.match(first_name, /\p{Emoji_Presentation}\p{Emoji_Modifier}\u200d/u)
    assert.match(last_name, /\p{M}/u)
  },
  rtl: async (talk) => {
    const { first_name, last_name } = await record(talk, 'rtl')
    assert.match(first_name, /\p{Script=Arabic}/u)
    assert.match(last_name, /\p{Script=Hebrew}/u)
  },
  xss: async (talk) => {
    const { first_name, last_name, id } = await record(talk, 'xss')
    assert.match(first_name, /^<img src=x onerror=/)
    assert.match(last_name, /<script>/)
    assert.equal(id, 2)
  }
}

describe('the catalogue of scenarios', () => {
  let nonet: Nonet<'scenarios'>
  before(async () => {
    nonet = await start({ services: ['scenarios'] })
  })
  after(() => nonet.stop())

  test('every scenario is tried below, and its example is a request', async () => {
    const { get } = talkTo(nonet.scenarios.url)
    const { scenarios } = await get('GET /_scenarios')
    const names: string[] = scenarios.map(({ name }: { name: string }) => name)
    assert.deepEqual([...Object.keys(PLAYS), ...ELSEWHERE].sort(), names.sort())
    for (const { curl, usage, name } of scenarios) {
      assert.match(curl, /^curl -i .*'http:\/\/127\.0\.0\.1:\d+\/api\//)
      assert.ok(usage.startsWith(name))
    }
  })

  for (const [name, play] of Object.entries(PLAYS)) {
    test(name, () => play(talkTo(nonet.scenarios.url), `ws-${name}`))
  }
})
