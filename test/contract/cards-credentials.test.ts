import assert from 'node:assert/strict'
import { request } from 'node:http'
import { before, describe, test } from 'node:test'
import { configure, fromObject } from '../../src/host/configuration.ts'
import { openHost } from '../../src/host/host.ts'
import { type Answer, send } from '../support/contract.ts'
import { type CardsJson, type Site, sites } from './cards-site.ts'

const HOUR_MS = 3_600_000
const NOT_ALLOWED = [401, 'unauthorized permission requested']
const INVALID = [401, 'invalid token']
const FORM = 'application/x-www-form-urlencoded'

function told({ status, text }: Answer): [number, string] {
  return [status, text]
}

/** `fetch` sends no GET request with a body. */
async function withBody(site: Site, method: string, path: string, body: object): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const text = JSON.stringify(body)
  const sent = request(`${site.url}/1${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'content-length': text.length }
  })
  sent.on('error', reject)
  sent.on('response', async (response) => {
    const received = Buffer.concat(await response.toArray()).toString()
    resolve({ status: response.statusCode ?? 0, text: received, headers: new Headers() })
  })
  sent.end(text)
  return promise
}

sites('Credentials of the compatible API', {}, (site) => {
  let ada = ''
  let eve = ''
  let board: CardsJson
  before(async () => {
    ada = await site().member('ada')
    eve = await site().member('eve')
    const body = { name: 'Bridges' }
    board = await site().json('/boards', { method: 'POST', token: ada, body })
  })

  test('a token is accepted in seven forms', async () => {
    const { api } = site()
    const key = '0'.repeat(32)
    const lines: { path?: string; headers?: Record<string, string> }[] = [
      { headers: { authorization: `Bearer ${ada}` } },
      { headers: { authorization: `OAuth oauth_consumer_key="${key}", oauth_token="${ada}"` } },
      { headers: { authorization: `OAuth oauth_consumer_key=${key},oauth_token=${ada}` } },
      { path: `?key=${key}&token=${ada}` },
      { path: `?oauth_token=${ada}` }
    ]
    for (const { path = '', headers = {} } of lines) {
      const { status, text } = await api(`/members/me/username${path}`, { headers })
      assert.deepEqual([status, text], [200, '{"_value":"ada"}'])
    }
    const label = { key, token: ada, name: 'Web', color: 'red' }
    const form = new FormData()
    for (const [name, value] of Object.entries(label)) form.append(name, value)
    for (const body of [label, new URLSearchParams(label), form]) {
      const { status, text } = await api(`/boards/${board.id}/labels`, { method: 'POST', body })
      assert.equal(status, 200, text)
      assert.doesNotMatch(text, new RegExp(ada))
    }
  })

  test('the same token twice is one token, and two tokens are none', async () => {
    const { api } = site()
    const path = '/members/me'
    assert.equal((await api(`${path}?token=${ada}`, { token: ada })).status, 200)
    assert.deepEqual(told(await api(`${path}?token=${eve}`, { token: ada })), INVALID)
    assert.deepEqual(told(await api(`${path}?token=${ada}&token=${eve}`)), INVALID)
    const body = { token: eve, name: 'New' }
    const changed = await api(`/boards/${board.id}`, { method: 'PUT', token: ada, body })
    assert.deepEqual(told(changed), INVALID)
    const { name } = await site().json(`/boards/${board.id}`, { token: ada })
    assert.equal(name, 'Bridges')
  })

  test('a key alone is no credential, and neither is a token that is not one', async () => {
    const { api } = site()
    assert.deepEqual(told(await api('/members/me?key=abc')), NOT_ALLOWED)
    assert.deepEqual(told(await api('/members/me?key=abc&token=')), NOT_ALLOWED)
    for (const token of [ada.toUpperCase(), ada.slice(1), `pk_${'a'.repeat(20)}`, 'x']) {
      assert.deepEqual(told(await api('/members/me', { token })), INVALID)
    }
    const object = await api('/boards', { method: 'POST', body: { token: { a: 1 }, name: 'a' } })
    assert.deepEqual(told(object), INVALID)
  })

  test('expired and revoked tokens are invalid', async ({ mock }) => {
    const { api, token, revoke } = site()
    const flags = { member: 'ada' }
    const short = await token({ expires: '1h', flags })
    const other = await token({ flags })
    await revoke(other.id)
    assert.deepEqual(told(await api('/members/me', { token: other.secret })), INVALID)
    assert.equal((await api('/members/me', { token: short.secret })).status, 200)
    mock.timers.enable({ apis: ['Date'], now: Date.now() + HOUR_MS })
    assert.deepEqual(told(await api('/members/me', { token: short.secret })), INVALID)
  })

  test('a token of some boards sees and changes only these, and adds none', async () => {
    const { api, json, token } = site()
    const second = await json('/boards', { method: 'POST', token: ada, body: { name: 'Second' } })
    const flags = { member: 'ada', board: `${board.id},bridges` }
    const { secret } = await token({ flags })
    const boards = await json('/members/me/boards?fields=id', { token: secret })
    assert.deepEqual(boards, [{ id: board.id }])
    assert.equal((await api(`/boards/${second.id}`, { token: secret })).status, 404)
    const add = await api('/boards', { method: 'POST', token: secret, body: { name: 'Third' } })
    assert.deepEqual(told(add), NOT_ALLOWED)
    const wrong = await site().atConsole('/tokens', 'POST', {
      flags: { member: 'eve', board: board.id }
    })
    assert.equal(wrong.status, 404)
    assert.match(wrong.text, /has no board/)
  })

  test('a publishable key reads the published part of its board and nothing else', async () => {
    const { api, ask, json, publishable } = site()
    const draft = await json(`/boards/${board.id}/lists`, {
      method: 'POST',
      token: ada,
      body: { name: 'Drafts' }
    })
    const key = await publishable('ada', board.id)
    assert.match(key, /^pk_[0-9A-Za-z]{20}$/)
    const lists = await json(`/boards/${board.id}/lists/all`, { token: key })
    assert.deepEqual(
      lists.map(({ name }: CardsJson) => name),
      ['To Do', 'Doing', 'Done']
    )
    const shown = await json(`/boards/${board.id}?fields=all&members=all&actions=all`, {
      token: key
    })
    assert.deepEqual([shown.memberships, shown.members, shown.actions], [[], [], []])
    assert.equal(shown.idMemberCreator, undefined)
    assert.equal((await api(`/lists/${draft.id}`, { token: key })).status, 404)
    for (const path of ['/members/me', `/boards/${board.id}/actions`, '/search?query=a']) {
      assert.deepEqual(told(await api(path, { token: key })), NOT_ALLOWED)
    }
    const change = { method: 'PUT', token: key, body: { name: 'New' } }
    assert.deepEqual(told(await api(`/boards/${board.id}`, change)), NOT_ALLOWED)
    const link = board.shortUrl.split('/').at(-1)
    assert.deepEqual(told(await ask(`/b/${link}.json`, { token: key })), NOT_ALLOWED)
    const none = await site().atConsole('/tokens', 'POST', {
      scopes: ['published'],
      flags: { member: 'ada' }
    })
    assert.equal(none.status, 400)
    assert.match(none.text, /exactly one board/)
  })

  test('private boards do not exist without a token, public ones are read', async () => {
    const { api, ask, json } = site()
    assert.equal((await api(`/boards/${board.id}`)).status, 404)
    const open = await json('/boards', {
      method: 'POST',
      token: ada,
      body: { name: 'Open', prefs_permissionLevel: 'public' }
    })
    assert.equal((await json(`/board/${open.id}/?lists=all`)).lists.length, 3)
    const link = open.shortUrl.split('/').at(-1)
    for (const path of [`/b/${link}.json`, `/b/${link}/open.json`]) {
      const { status, text } = await ask(path)
      assert.equal(status, 200, text)
      const { cards, actions, members, checklists, lists } = JSON.parse(text)
      assert.deepEqual([cards, actions, members, checklists, lists.length], [[], [], [], [], 3])
    }
    const own = JSON.parse((await ask(`/b/${link}.json`, { token: ada })).text)
    assert.equal(own.actions.length, 1)
    assert.equal(own.members[0].username, 'ada')
    const foreign = board.shortUrl.split('/').at(-1)
    assert.equal((await ask(`/b/${foreign}.json`)).status, 404)
    assert.equal((await ask(`/b/${foreign}.json`, { token: eve })).status, 404)
    assert.equal((await ask('/b/%20.json')).status, 400)
  })

  test('members of the console: new ones, unknown ones and the choice', async () => {
    const lines: [object, number, RegExp][] = [
      [{}, 400, /several members/],
      [{ flags: { member: 'nobody' } }, 404, /no member nobody/],
      [{ flags: { member: 'Ada', 'new-member': true } }, 409, /already a member/],
      [{ flags: { member: 'me', 'new-member': true } }, 400, /is not possible/],
      [{ flags: { 'new-member': true } }, 400, /needs --member/],
      [{ scopes: ['published', 'read'], flags: { member: 'ada' } }, 400, /no other scope/]
    ]
    for (const [request, status, text] of lines) {
      const response = await site().atConsole('/tokens', 'POST', request)
      assert.equal(response.status, status, response.text)
      assert.match(response.text, text)
    }
    const list = JSON.parse((await site().atConsole('/tokens')).text)
    const names = list.tokens.map(({ boundTo }: CardsJson) => boundTo)
    assert.ok(names.some((one: string[]) => one.join() === 'ada'))
    assert.ok(names.some((one: string[]) => one.includes('board bridges')))
  })

  describe('parameters', () => {
    test('an empty body with a content type is no body', async () => {
      for (const type of [FORM, 'application/json']) {
        const { status } = await site().api(`/boards/${board.id}?name=Bridges`, {
          method: 'PUT',
          token: ada,
          headers: { 'content-type': type }
        })
        assert.equal(status, 200)
      }
    })

    test('GET and DELETE have a body too', async () => {
      const got = await withBody(site(), 'GET', `/boards/${board.id}`, {
        token: ada,
        fields: 'name'
      })
      assert.deepEqual(JSON.parse(got.text), { id: board.id, name: 'Bridges' })
      const label = await site().json(`/boards/${board.id}/labels`, { method: 'POST', token: ada })
      const removed = await withBody(site(), 'DELETE', `/labels/${label.id}`, { token: ada })
      assert.deepEqual(told(removed), [200, '{"limits":{}}'])
    })

    test('a value of the body counts before one of the query', async () => {
      const changed = await site().json(`/boards/${board.id}?name=Query`, {
        method: 'PUT',
        token: ada,
        body: new URLSearchParams({ name: 'Body' })
      })
      assert.equal(changed.name, 'Body')
      await site().json(`/boards/${board.id}`, {
        method: 'PUT',
        token: ada,
        body: new URLSearchParams({ name: 'Bridges', 'prefs[voting]': 'members' })
      })
      const prefs = await site().json(`/boards/${board.id}/prefs`, { token: ada })
      assert.equal(prefs.voting, 'members')
    })

    test('bad bodies have a sentence', async () => {
      const lines: [string, string, number, RegExp][] = [
        ['application/json', '{"name":', 400, /^The body is not valid JSON$/],
        ['application/json', '[1]', 400, /^The body is not a JSON object$/],
        ['application/json', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`, 400, /nested too deeply/],
        ['image/png', 'abc', 400, /^The body must be application\/json/],
        ['multipart/form-data', 'abc', 400, /boundary/],
        [FORM, 'a=1&'.repeat(1001), 400, /more than 1000 parameters/],
        [FORM, 'a[b][c][d][e][f][g]=1', 400, /nested too deeply/],
        [FORM, `name=${'x'.repeat(1024 * 1024)}`, 413, /too large/]
      ]
      for (const [type, body, status, text] of lines) {
        const response = await site().api(`/boards/${board.id}`, {
          method: 'PUT',
          token: ada,
          headers: { 'content-type': type },
          body
        })
        assert.equal(response.status, status, response.text)
        assert.match(response.text, text)
      }
    })

    test('names of JavaScript are only names', async () => {
      const { status } = await site().api(
        `/boards/${board.id}?__proto__[name]=x&constructor[prototype][name]=x&fields=__proto__`,
        { token: ada }
      )
      assert.equal(status, 200)
      assert.equal(Reflect.get({}, 'name'), undefined)
    })
  })

  test('responses have the headers of Trello', async () => {
    const { headers } = await site().api('/members/me', { token: ada })
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'max-age=0, no-cache, no-store')
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('etag'), null)
    for (const name of ['api-key', 'api-token', 'member']) {
      assert.equal(headers.get(`x-rate-limit-${name}-max`), name === 'api-key' ? '300' : '100')
    }
    const preflight = await site().api('/boards', {
      method: 'OPTIONS',
      headers: { 'access-control-request-headers': 'x-app' }
    })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers.get('access-control-allow-headers'), 'x-app')
    assert.equal(preflight.headers.get('access-control-allow-credentials'), null)
  })
})

sites('Limits of the compatible API', { cards: { rateLimit: 3 } }, (site) => {
  test('requests beyond the limit of a token or of an address are rejected as JSON', async () => {
    const ada = await site().member('ada')
    const eve = await site().member('eve')
    const ask = (token: string) => site().api('/organizations/me', { token })
    const statuses: number[] = []
    let last: Answer | undefined
    for (let count = 0; count < 4; count++) {
      last = await ask(ada)
      statuses.push(last.status)
    }
    assert.deepEqual(statuses, [200, 200, 200, 429])
    const message = 'Rate limit exceeded'
    assert.deepEqual(JSON.parse(last?.text ?? ''), { error: 'API_TOKEN_LIMIT_EXCEEDED', message })
    assert.match(last?.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal(last?.headers.get('x-rate-limit-api-token-remaining'), '0')
    assert.equal((await ask(eve)).status, 200)
    for (let count = 0; count < 5; count++) last = await ask(eve)
    assert.equal(JSON.parse(last?.text ?? '').error, 'API_KEY_LIMIT_EXCEEDED')
  })
})

sites('Wrong tokens', {}, (site) => {
  test('of one address they are throttled, and right ones are not', async () => {
    const ada = await site().member('ada')
    let last = ''
    for (let count = 0; count < 21; count++) {
      const { status, headers } = await site().api('/members/me', { token: 'b'.repeat(64) })
      last = `${status} ${headers.get('retry-after') !== null}`
    }
    assert.equal(last, '429 true')
    assert.equal((await site().api('/members/me', { token: ada })).status, 200)
  })
})

test('tokens reach no log, neither of queries nor of paths', async () => {
  const lines: string[] = []
  const configuration = configure(
    { portBase: 0, ephemeral: true },
    fromObject({ services: ['cards'] }, 'the test')
  )
  const host = await openHost(configuration, {
    requestLog: (line) => lines.push(JSON.stringify(line)),
    warn: (text) => lines.push(text),
    onUnexpectedError: (_service, error) => lines.push(String(error.stack))
  })
  const url = host.services[0]?.url ?? ''
  const secret = 'abc1'.repeat(16)
  const paths = [
    `/1/tokens/${secret}?token=${secret}`,
    `/1/Token/${secret}/member`,
    `/1//tokens//${secret}/`,
    `/1/%74okens/${secret}`,
    `/1/tokens/%61${secret.slice(1)}`,
    `/1/boards/${secret}`
  ]
  for (const path of paths) await send(url, { path })
  await host.stop()
  assert.equal(lines.length, paths.length)
  for (const line of lines) assert.doesNotMatch(line, /bc1abc1/)
})
