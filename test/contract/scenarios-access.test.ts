/** Who gets into an account, a stored response and a workspace. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { start } from '../../src/host/start.ts'
import type { Answer } from '../support/contract.ts'
import { scenes, type Talk, talkTo } from './scenarios-scene.ts'

const EVE = 'eve.holt@reqres.in'
const FIXED = 'QpwL5tke4Pnpja7X4'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const seen = ({ status, text }: Answer) => [status, JSON.parse(text)]
const EXISTS = [403, { error: 'User already exists' }]
const REVOKED = [401, { error: 'Token revoked' }]

/** Sets a password with the token of a reset email. */
async function setPassword({ get }: Talk, ws: string, email: string, password: string) {
  await get(`POST /w/${ws}/api/auth/forgot`, { email })
  const { mail } = await get(`GET /_workspaces/${ws}/mail`)
  const token = mail.findLast(
    ({ to, kind }: Record<string, string>) => to === email && kind === 'reset'
  )?.token
  await get(`POST /w/${ws}/api/auth/reset`, { token, password })
}

scenes('I-4, accounts with a password', {}, (talk) => {
  test('register does not log in to a sample whose password was set', async () => {
    const { ask, get } = talk()
    const register = (ws: string, email = EVE) =>
      ask(`POST /w/${ws}/api/register`, { email, password: 'x' })
    assert.deepEqual(seen(await register('set')), [200, { id: 4, token: FIXED }])
    await setPassword(talk(), 'set', EVE, 'new')
    assert.deepEqual(seen(await register('set')), EXISTS)
    const pair = await ask('POST /w/set/api/auth/register', { email: EVE, password: 'x' })
    assert.deepEqual(seen(pair), EXISTS)
    assert.deepEqual(seen(await register('set', 'janet.weaver@reqres.in')), [
      200,
      { id: 2, token: 'QpwL5tke4Pnpja7X2' }
    ])
    assert.deepEqual(seen(await register('other')), [200, { id: 4, token: FIXED }])
    const { token } = await get('POST /w/set/api/login', { email: EVE, password: 'new' })
    assert.equal((await get('GET /w/set/api/me', undefined, bearer(token))).data.id, 4)
  })

  test('no scenario hands out an account without its password', async () => {
    const { ask, get } = talk()
    const person = { email: 'own@example.org', password: 'secret' }
    await get('POST /w/tags/api/register', person)
    await setPassword(talk(), 'tags', EVE, 'secret')
    for (const name of ['own@example.org', EVE]) {
      for (const tag of ['mfa', 'passwordexpired']) {
        const tagged = { email: name.replace('@', `+${tag}@`), password: 'guess' }
        for (const path of ['login', 'register', 'auth/login', 'auth/register']) {
          const answer = await ask(`POST /w/tags/api/${path}`, tagged)
          const error = path.endsWith('login') ? 'Invalid credentials' : 'User already exists'
          assert.deepEqual(seen(answer), [403, { error }], `${path} ${tagged.email}`)
        }
        await get('POST /_workspaces/tags/clock', { advance_ms: 1_000_000 })
      }
      const right = { email: name.replace('@', '+mfa@'), password: 'secret' }
      const challenge = await ask('POST /w/tags/api/auth/login', right)
      assert.equal(JSON.parse(challenge.text).error, 'Second factor required')
    }
  })

  test('a password reset ends the classic token of a registered account', async () => {
    const { ask, get } = talk()
    const person = { email: 'own@example.org', password: 'old' }
    const me = (token: string) => ask('GET /w/reset/api/me', undefined, bearer(token))
    const { token } = await get('POST /w/reset/api/register', person)
    const second = await get('POST /w/reset/api/login', person)
    const other = await get('POST /w/reset/api/register', { ...person, email: 'b@example.org' })
    assert.equal((await me(token)).status, 200)
    await setPassword(talk(), 'reset', person.email, 'new')
    assert.deepEqual(seen(await me(token)), REVOKED)
    assert.deepEqual(seen(await me(second.token)), REVOKED)
    assert.equal((await me(other.token)).status, 200)
    const again = await get('POST /w/reset/api/login', { ...person, password: 'new' })
    assert.equal((await me(again.token)).status, 200)
  })

  test('and the fixed token of a sample', async () => {
    const { ask, get } = talk()
    const me = (ws: string, token = FIXED) => ask(`GET /w/${ws}/api/me`, undefined, bearer(token))
    assert.equal((await me('fixed')).status, 200)
    await setPassword(talk(), 'fixed', EVE, 'new')
    assert.deepEqual(seen(await me('fixed')), REVOKED)
    assert.equal((await me('unchanged')).status, 200)
    const { token } = await get('POST /w/fixed/api/login', { email: EVE, password: 'new' })
    assert.match(token, /^wst_/)
    assert.equal((await me('fixed', token)).status, 200)
    await setPassword(talk(), 'fixed', EVE, 'newer')
    assert.deepEqual(seen(await me('fixed', token)), REVOKED)
  })

  test('and earlier reset tokens and challenges', async () => {
    const { ask, get } = talk()
    const person = { email: 'own@example.org', password: 'old' }
    await get('POST /w/pending/api/auth/register', person)
    const tagged = { ...person, email: 'own+mfa@example.org' }
    const challenge = JSON.parse((await ask('POST /w/pending/api/auth/login', tagged)).text).mfa
    await get('POST /w/pending/api/auth/forgot', { email: person.email })
    const { mail } = await get('GET /_workspaces/pending/mail')
    await setPassword(talk(), 'pending', person.email, 'new')
    const { token } = mail.find(({ kind }: { kind: string }) => kind === 'reset')
    const again = await ask('POST /w/pending/api/auth/reset', { token, password: 'mine' })
    assert.deepEqual(seen(again), [403, { error: 'Invalid or expired token' }])
    const { challenge_id } = challenge
    const code = await ask('POST /w/pending/api/auth/mfa', { challenge_id, code: '123456' })
    assert.deepEqual(seen(code), [403, { error: 'Unknown or expired challenge' }])
  })
})

scenes('I-4, idempotency keys of several credentials', {}, (talk) => {
  const SENDERS = [
    {},
    bearer('QpwL5tke4Pnpja7X1'),
    bearer('QpwL5tke4Pnpja7X2'),
    { 'x-api-key': 'one' },
    { cookie: 'nonet_access=a' },
    { cookie: 'nonet_access=b' }
  ]

  for (const path of ['/w/idem/api/users', '/api/users']) {
    test(`neither see nor block each other's responses: ${path}`, async () => {
      const { ask } = talk()
      const bodies = new Set<string>()
      const post = (sender: object, body: object) =>
        ask(`POST ${path}`, body, { ...sender, 'idempotency-key': 'k' })
      for (const [index, sender] of SENDERS.entries()) {
        const first = await post(sender, { index })
        assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [201, null])
        const second = await post(sender, { index })
        assert.equal(second.headers.get('idempotent-replayed'), 'true')
        assert.equal(second.text, first.text)
        assert.equal((await post(sender, { index: 'x' })).status, 422)
        bodies.add(first.text)
      }
      assert.equal(bodies.size, SENDERS.length)
    })
  }

  test('a key cannot be written like that of another credential', async () => {
    const { ask, get } = talk()
    const token = bearer('QpwL5tke4Pnpja7X1')
    await get('POST /w/forged/api/users', { a: 1 }, { ...token, 'idempotency-key': 'k' })
    for (const key of ['QpwL5tke4Pnpja7X1 k', 'Bearer QpwL5tke4Pnpja7X1\tk', 'k']) {
      const answer = await ask('POST /w/forged/api/users', { a: 1 }, { 'idempotency-key': key })
      assert.equal(answer.headers.get('idempotent-replayed'), null, key)
      assert.equal(answer.status, 201)
    }
  })
})

const CAP = { scenarios: { maxWorkspaces: 3 } }
const FULL =
  'All workspaces are in use: delete one, try again later or raise --scenarios-max-workspaces'

scenes('I-4, a full server', CAP, (talk) => {
  test('newcomers get 503 and take no workspace that was used in the last minutes', async () => {
    const { ask, get } = talk()
    for (const name of ['a', 'b', 'c']) await get(`POST /w/${name}/api/users`, { name })
    const tries = ['GET /w/d/api/users', 'POST /w/d/api/users', 'POST /_workspaces']
    for (const request of tries) {
      const answer = await ask(request, request.startsWith('POST') ? {} : undefined)
      assert.deepEqual(seen(answer), [503, { error: FULL }], request)
      assert.equal(answer.headers.get('x-error-code'), 'too_many_workspaces')
      const seconds = Number(answer.headers.get('retry-after'))
      assert.ok(seconds > 300 && seconds <= 360, `${seconds}`)
    }
    for (const name of ['a', 'b', 'c']) {
      assert.equal((await ask(`GET /w/${name}/api/users/13`)).status, 200)
    }
    const { workspaces } = await get('GET /_workspaces')
    assert.equal(workspaces.length, 3)
    assert.equal((await ask('DELETE /_workspaces/b')).status, 204)
    assert.equal((await ask('GET /w/d/api/users')).status, 200)
  })
})

describe('beyond loopback', () => {
  test('a workspace with a key stays for its lifetime, others make way', async () => {
    await using nonet = await start({
      services: ['scenarios'],
      host: ['0.0.0.0'],
      adminToken: 'the-admin-token-of-this-test',
      scenarios: { maxWorkspaces: 3, protectedMinutes: 0 }
    })
    const { ask, get } = talkTo(nonet.scenarios.url)
    const admin = bearer('the-admin-token-of-this-test')
    const names = async () => {
      const { workspaces } = await get('GET /_workspaces', undefined, admin)
      return workspaces.map(({ id }: { id: string }) => id).sort()
    }
    for (const id of ['mine', 'yours']) await get('POST /_workspaces', { id })
    for (const name of ['by-use', 'by-use-again', 'by-use-last']) {
      await get(`GET /w/${name}/api/users`)
      await passMillisecond()
    }
    assert.deepEqual(await names(), ['by-use-last', 'mine', 'yours'])
    await get('POST /_workspaces', { id: 'ours' })
    assert.deepEqual(await names(), ['mine', 'ours', 'yours'])
    const refused = await ask('GET /w/late/api/users')
    assert.deepEqual(seen(refused), [503, { error: FULL }])
    assert.ok(Number(refused.headers.get('retry-after')) > 3600)
  })
})

/** Times of use are in milliseconds. */
async function passMillisecond(): Promise<void> {
  const start = Date.now()
  while (Date.now() <= start + 1) await new Promise(setImmediate)
}

scenes('I-4, pages of other sites', {}, (talk) => {
  const SITES = [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' }
  ]

  test('make no workspace with GET, HEAD or a preflight', async () => {
    const { ask, get } = talk()
    for (const headers of SITES) {
      for (const path of ['/w/none/api/users', '/api/users?workspace=none']) {
        const answer = await ask(`GET ${path}`, undefined, headers)
        assert.equal(answer.status, 404)
        assert.match(JSON.parse(answer.text).error, /^Workspace not found\. A page of another site/)
        assert.equal(answer.headers.get('x-error-code'), 'unknown_workspace')
        assert.equal((await ask(`HEAD ${path}`, undefined, headers)).status, 404)
        const preflight = { ...headers, 'access-control-request-method': 'GET' }
        assert.equal((await ask(`OPTIONS ${path}`, undefined, preflight)).status, 204)
      }
    }
    assert.deepEqual((await get('GET /_workspaces')).workspaces, [])
  })

  test('but use one that exists, and write', async () => {
    const { ask } = talk()
    const headers = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await ask('POST /w/there/api/users', { a: 1 }, headers)).status, 201)
    assert.equal((await ask('GET /w/there/api/users/13', undefined, headers)).status, 200)
  })

  test('front ends on this machine make one as before', async () => {
    const { get } = talk()
    const own = [
      {},
      { 'sec-fetch-site': 'none' },
      { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' },
      { origin: 'http://127.0.0.1:5173', 'sec-fetch-site': 'same-site' }
    ]
    for (const [index, headers] of own.entries()) {
      await get(`GET /w/own-${index}/api/users`, undefined, headers)
    }
  })
})

const MANY = 10_000
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const TOO_MANY = [413, { error: 'A body may have at most 10000 fields: send fewer' }]

scenes('I-4, bodies of many fields', {}, (talk) => {
  const repeat = (text: string, count: number) => Array(count).fill(text).join(',')
  const names = (count: number) =>
    `{${Array.from({ length: count }, (_, n) => `"a${n}":1`).join(',')}}`

  test('a name is repeated as often as the limit allows', async () => {
    const { ask, get } = talk()
    const created = await get('POST /api/users', 'a=1&'.repeat(MANY - 1), FORM)
    assert.equal(created.a.length, MANY - 1)
    const refused = await ask('POST /api/users', 'a=1&'.repeat(MANY), FORM)
    assert.deepEqual(seen(refused), TOO_MANY)
    assert.equal(refused.headers.get('x-error-code'), 'too_many_fields')
    const stored = await ask('POST /w/many/api/users', 'a&'.repeat(60_000), FORM)
    assert.deepEqual(seen(stored), TOO_MANY)
  })

  test('a login is rejected like any other', async () => {
    const { ask } = talk()
    const refused = await ask('POST /api/login', 'a&'.repeat(MANY), FORM)
    assert.deepEqual(seen(refused), [403, TOO_MANY[1]])
  })

  test('JSON has the same limit for its own members, not for those below', async () => {
    const { ask, get } = talk()
    const json = { 'content-type': 'application/json' }
    for (const body of [names(MANY + 1), `[${repeat('1', MANY + 1)}]`]) {
      assert.deepEqual(seen(await ask('POST /api/users', body, json)), TOO_MANY)
    }
    assert.equal(Object.keys(await get('POST /api/users', names(MANY), json)).length, MANY + 2)
    const nested = `{"list":[${repeat('1', 2 * MANY)}],"text":"\\"${','.repeat(2 * MANY)}"}`
    const { list, text } = await get('POST /api/users', nested, json)
    assert.deepEqual([list.length, text.length], [2 * MANY, 2 * MANY + 1])
  })
})
