/** I-4, workspaces: worlds of their own over the samples. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { bearer, EVE, scenes, seen, type Talk } from './scenarios-scene.ts'

const ids = (list: { data: { id: number }[] }) => list.data.map(({ id }) => id)

scenes('I-4, what a workspace keeps', {}, (talk) => {
  test('a record is created with the next number, found, listed and counted', async () => {
    const { get, ask } = talk()
    const created = await get('POST /w/kept/api/users', { name: 'morpheus', job: 'leader' })
    assert.deepEqual(Object.keys(created), ['name', 'job', 'id', 'createdAt'])
    assert.equal(created.id, '13')
    const { createdAt } = created
    const { data } = await get('GET /w/kept/api/users/13')
    assert.deepEqual(data, { id: 13, name: 'morpheus', job: 'leader', createdAt })
    const list = await get('GET /w/kept/api/users?page=3')
    assert.deepEqual([list.total, list.total_pages, ids(list)], [13, 3, [13]])
    assert.deepEqual(seen(await ask('GET /api/users/13')), [404, {}])
    assert.deepEqual(seen(await ask('GET /w/other/api/users/13')), [404, {}])
  })

  test('PUT replaces, PATCH merges, samples can be changed; the echo is that of public mode', async () => {
    const { get, ask } = talk()
    const echoed = await get('PATCH /w/change/api/users/2', { first_name: 'Jane' })
    assert.deepEqual(Object.keys(echoed), ['first_name', 'updatedAt'])
    const patched = (await get('GET /w/change/api/users/2')).data
    assert.deepEqual(
      [patched.id, patched.first_name, patched.last_name, patched.email],
      [2, 'Jane', 'Weaver', 'janet.weaver@reqres.in']
    )
    assert.match(patched.avatar, /\/img\/faces\/2-image\.jpg$/)
    await get('PUT /w/change/api/users/2', { name: 'only' })
    const { updatedAt: _, ...put } = (await get('GET /w/change/api/users/2')).data
    assert.deepEqual(put, { id: 2, name: 'only' })
    assert.deepEqual(seen(await ask('PUT /w/change/api/users/99', {})), [404, {}])
    assert.deepEqual(seen(await ask('PATCH /w/change/api/users/x', {})), [404, {}])
    assert.equal((await get('GET /api/users/2')).data.first_name, 'Janet')
  })

  test('what is deleted is gone, its number is not given again; unknown numbers are fine', async () => {
    const { get, ask } = talk()
    for (const request of ['DELETE /w/gone/api/users/1', 'DELETE /w/gone/api/users/1']) {
      assert.equal((await ask(request)).status, 204)
    }
    assert.deepEqual(seen(await ask('GET /w/gone/api/users/1')), [404, {}])
    const list = await get('GET /w/gone/api/users')
    assert.deepEqual([list.total, ids(list)], [11, [2, 3, 4, 5, 6, 7]])
    assert.equal((await get('POST /w/gone/api/users', {})).id, '13')
    assert.equal((await ask('DELETE /w/gone/api/users/13')).status, 204)
    assert.equal((await get('POST /w/gone/api/users', {})).id, '14')
    assert.equal((await ask('DELETE /w/gone/api/users/500')).status, 204)
    assert.deepEqual(seen(await ask('PATCH /w/gone/api/users/1', {})), [404, {}])
  })

  test('a change of a whole collection succeeds and changes nothing', async () => {
    const { get, ask } = talk()
    await get('POST /w/whole/api/users', { name: 'kept' })
    const before = await get('GET /w/whole/api/users?per_page=20')
    assert.equal((await get('PUT /w/whole/api/users', { name: 'x' })).name, 'x')
    assert.equal((await ask('PATCH /w/whole/api/users', { name: 'x' })).status, 200)
    assert.equal((await ask('DELETE /w/whole/api/users')).status, 204)
    assert.deepEqual(await get('GET /w/whole/api/users?per_page=20'), before)
  })

  test('every resource has records of its own', async () => {
    const { get } = talk()
    assert.equal((await get('POST /w/names/api/products', { name: 'a' })).id, '13')
    assert.equal((await get('POST /w/names/api/unknown', { name: 'b' })).id, '13')
    assert.equal((await get('GET /w/names/api/products/13')).data.name, 'a')
    assert.equal((await get('GET /w/names/api/users')).total, 12)
  })

  test('a workspace is named by path, header or query, in this order', async () => {
    const { get, ask } = talk()
    await get('POST /w/by-path/api/users', { n: 1 })
    await get('POST /api/users', { n: 2 }, { 'x-workspace': 'by-header' })
    await get('POST /api/users?workspace=by-query', { n: 3 })
    await get(
      'POST /w/by-path/api/users?workspace=by-query',
      { n: 4 },
      { 'x-workspace': 'by-header' }
    )
    await get('POST /api/users?workspace=by-query', { n: 5 }, { 'x-workspace': 'by-header' })
    const numbers = async (name: string) => {
      const { data } = await get(`GET /w/${name}/api/users?page=3`)
      return data.map(({ n }: { n: number }) => n)
    }
    assert.deepEqual(await numbers('by-path'), [1, 4])
    assert.deepEqual(await numbers('by-header'), [2, 5])
    assert.deepEqual(await numbers('by-query'), [3])
    for (const name of ['a%20b', 'x'.repeat(65), '%00', 'ä', '%zz']) {
      const { status, text } = await ask(`GET /w/${name}/api/users`)
      assert.equal(status, 400, text)
      assert.match(text, /^\{"error":"A workspace name must have/)
    }
  })

  test('a duplicate e-mail address is 409, of samples too', async () => {
    const { get, ask } = talk()
    await get('POST /w/emails/api/users', { email: 'new@example.org' })
    const taken = [409, { error: 'Conflict', field: 'email' }]
    for (const email of ['NEW@example.org ', 'eve.holt@reqres.in']) {
      assert.deepEqual(seen(await ask('POST /w/emails/api/users', { email })), taken)
    }
    const patch = await ask('PATCH /w/emails/api/users/2', { email: 'new@example.org' })
    assert.deepEqual(seen(patch), taken)
    await get('PATCH /w/emails/api/users/4', { email: 'eve@example.org' })
    await get('POST /w/emails/api/users', { email: 'eve.holt@reqres.in' })
    assert.equal((await get('GET /w/emails/api/users?page=3')).total, 14)
  })

  test('records have strong validators, and If-Match keeps a change from being lost', async () => {
    const { ask } = talk()
    const first = await ask('GET /w/tags/api/users/2')
    const etag = first.headers.get('etag') ?? ''
    assert.equal(etag, '"2-0"')
    const unchanged = await ask('GET /w/tags/api/users/2', undefined, { 'if-none-match': etag })
    assert.deepEqual([unchanged.status, unchanged.text], [304, ''])
    const mine = await ask('PATCH /w/tags/api/users/2', { a: 1 }, { 'if-match': etag })
    assert.deepEqual([mine.status, mine.headers.get('etag')], [200, '"2-1"'])
    const lost = [412, { error: 'Precondition failed' }]
    for (const request of [
      'PATCH /w/tags/api/users/2',
      'PUT /w/tags/api/users/2',
      'DELETE /w/tags/api/users/2'
    ]) {
      assert.deepEqual(seen(await ask(request, { a: 2 }, { 'if-match': etag })), lost)
    }
    const both = await ask('DELETE /w/tags/api/users/2', undefined, { 'if-match': '"x", "2-1"' })
    assert.equal(both.status, 204)
  })
})

scenes('I-4, people of a workspace', {}, (talk) => {
  test('whoever registers can log in, is on the list, and has a token of their own', async () => {
    const { get, ask } = talk()
    const ann = {
      email: 'ann@example.org',
      password: 'secret-1',
      first_name: 'Ann',
      last_name: 'Lee'
    }
    const { id, token } = await get('POST /w/people/api/register', ann)
    assert.equal(id, 13)
    assert.match(token, /^wst_[0-9A-Za-z]{32}$/)
    const { data } = await get('GET /w/people/api/users/13')
    assert.equal(data.email, 'ann@example.org')
    assert.ok(!JSON.stringify(data).includes('secret'))
    assert.match(data.avatar, /\/w\/people\/img\/faces\/13-image\.jpg$/)
    const login = await get('POST /w/people/api/login', {
      email: 'ANN@example.org',
      password: 'secret-1'
    })
    assert.match(login.token, /^wst_/)
    assert.notEqual(login.token, token)
    for (const each of [token, login.token]) {
      const me = await get('GET /w/people/api/me', undefined, bearer(each))
      assert.deepEqual([me.data.id, me.data.email, me.data.role], [13, 'ann@example.org', 'user'])
      assert.equal((await ask('GET /w/other/api/me', undefined, bearer(each))).status, 401)
      assert.equal((await ask('GET /api/me', undefined, bearer(each))).status, 401)
    }
    const again = await ask('POST /w/people/api/register', ann)
    assert.deepEqual(seen(again), [403, { error: 'User already exists' }])
    const bob = await ask('POST /w/people/api/register', { username: 'bob', password: 'x' })
    assert.deepEqual(seen(bob), [403, { error: 'Invalid email address' }])
    const elsewhere = await ask('POST /w/other/api/login', ann)
    assert.deepEqual(seen(elsewhere), [403, { error: 'user not found' }])
    assert.deepEqual(await get('POST /w/people/api/register', EVE), {
      id: 4,
      token: 'QpwL5tke4Pnpja7X4'
    })
  })

  test('of several who register at once with one address, one succeeds', async () => {
    const { ask } = talk()
    const people = Array.from({ length: 8 }, () => ({ email: 'one@example.org', password: 'x' }))
    const answers = await Promise.all(
      people.map((person) => ask('POST /w/race/api/register', person))
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, 403, 403, 403, 403, 403, 403, 403])
  })

  test('five wrong passwords lock an account, a right one in between does not', async () => {
    const { get, ask } = talk()
    const pat = { email: 'pat@example.org', password: 'right' }
    await get('POST /w/locks/api/register', pat)
    const attempt = async (password: string) => ask('POST /w/locks/api/login', { ...pat, password })
    for (let n = 0; n < 4; n++) assert.equal((await attempt('wrong')).status, 403)
    assert.equal((await attempt('right')).status, 200)
    const began = performance.now()
    for (let n = 0; n < 5; n++) {
      assert.deepEqual(seen(await attempt('wrong')), [403, { error: 'Invalid credentials' }])
    }
    const locked = await attempt('right')
    const { error, retry_after } = JSON.parse(locked.text)
    assert.deepEqual([locked.status, error], [403, 'Account locked'])
    const elapsed = (performance.now() - began) / 1000
    assert.ok(retry_after >= 899 - elapsed && retry_after <= 900)
    assert.equal(locked.headers.get('retry-after'), String(retry_after))
    assert.equal(locked.headers.get('x-error-code'), 'account_locked')
    await get('POST /_workspaces/locks/clock', { advance_ms: 900_000 })
    assert.equal((await attempt('right')).status, 200)
  })

  test('logging out revokes the token', async () => {
    const { get, ask } = talk()
    const { token } = await get('POST /w/out/api/register', {
      email: 'o@example.org',
      password: 'x'
    })
    await get('POST /w/out/api/logout', undefined, bearer(token))
    const answer = await ask('GET /w/out/api/me', undefined, bearer(token))
    assert.deepEqual(seen(answer), [401, { error: 'Token revoked' }])
  })
})

scenes('I-4, control of a workspace', {}, (talk) => {
  test('it is made with options, described and removed', async () => {
    const { get, ask, url } = talk()
    const wanted = { id: 'made', seed: 7, now: '2030-01-02T03:04:05.000Z', ttl: 3600 }
    const made = await get('POST /_workspaces', { ...wanted, options: { strict: true } })
    const { expires_at, ...head } = made
    assert.deepEqual(head, { id: 'made', seed: '7', base_url: `${url}/w/made` })
    const lifetime = Date.parse(expires_at) - Date.now()
    assert.ok(lifetime > 3_500_000 && lifetime <= 3_600_000)
    assert.deepEqual(seen(await ask('POST /_workspaces', wanted)), [
      409,
      { error: 'The workspace already exists' }
    ])
    await get('POST /w/made/api/products', { a: 1 })
    const state = await get('GET /_workspaces/made')
    assert.deepEqual(
      [state.options, state.clock, state.rules, state.records, state.events],
      [
        { strict: true, lockout: 5, now: '2030-01-02T03:04:05.000Z' },
        { now: '2030-01-02T03:04:05.000Z', frozen: true },
        [],
        1,
        1
      ]
    )
    assert.equal((await ask('DELETE /_workspaces/made')).status, 204)
    assert.equal((await ask('GET /_workspaces/made')).status, 404)
    const free = await get('POST /_workspaces')
    assert.match(free.id, /^ws-[0-9A-Za-z]{12}$/)
    const { workspaces } = await get('GET /_workspaces')
    assert.ok(workspaces.some(({ id }: { id: string }) => id === free.id))
  })

  test('what cannot be meant is refused with a sentence', async () => {
    const { ask, get } = talk()
    await get('POST /_workspaces', { id: 'checked' })
    const bad: [string, unknown][] = [
      ['POST /_workspaces', { id: 'a b' }],
      ['POST /_workspaces', { id: 3 }],
      ['POST /_workspaces', { seed: {} }],
      ['POST /_workspaces', { now: 'today' }],
      ['POST /_workspaces', { ttl: -1 }],
      ['POST /_workspaces', { options: { strickt: true } }],
      ['POST /_workspaces', { options: { lockout: 'x' } }],
      ['POST /_workspaces', { name: 'x' }],
      ['POST /_workspaces', [1]],
      ['POST /_workspaces', '{"id"'],
      ['PUT /_workspaces/checked/rules', { scenario: 'slow' }],
      ['PUT /_workspaces/checked/rules', [{}]],
      ['PUT /_workspaces/checked/rules', [{ scenario: 'nonsense' }]],
      ['PUT /_workspaces/checked/rules', [{ scenario: 'slow:x' }]],
      ['PUT /_workspaces/checked/rules', [{ scenario: 'slow', nth: 0 }]],
      ['PUT /_workspaces/checked/rules', [{ scenario: 'slow', pathh: '/' }]],
      ['POST /_workspaces/checked/clock', {}],
      ['POST /_workspaces/checked/clock', { now: '2030' }],
      ['POST /_workspaces/checked/clock', { advance_ms: 'x' }],
      ['POST /_workspaces/checked/clock', { advance_ms: 1e300 }]
    ]
    for (const [request, body] of bad) {
      const answer = await ask(request, body)
      assert.equal(answer.status, 400, `${request} ${JSON.stringify(body)}: ${answer.text}`)
      assert.equal(typeof JSON.parse(answer.text).error, 'string')
    }
    assert.equal((await ask('GET /_workspaces/nobody')).status, 404)
    assert.equal((await ask('GET /_workspaces/checked/nothing')).status, 404)
  })

  test('reset brings back the samples, the counters, the clock and the rules', async () => {
    const { get, ask } = talk()
    await get('POST /_workspaces', { id: 'again', now: '2030-01-01T00:00:00.000Z' })
    await get('POST /w/again/api/users', { name: 'x' })
    await ask('DELETE /w/again/api/users/1')
    const { token } = await get('POST /w/again/api/register', {
      email: 'r@example.org',
      password: 'x'
    })
    await get('PUT /_workspaces/again/rules', [{ scenario: 'status:500' }])
    await get('POST /_workspaces/again/clock', { advance_ms: 1000 })
    assert.equal((await ask('GET /w/again/api/users?scenario=none,fail-first:1')).status, 503)
    assert.equal((await ask('POST /_workspaces/again/reset')).status, 204)
    const list = await get('GET /w/again/api/users')
    assert.deepEqual([list.total, ids(list)], [12, [1, 2, 3, 4, 5, 6]])
    assert.equal((await ask('GET /w/again/api/users?scenario=fail-first:1')).status, 503)
    assert.equal((await ask('GET /w/again/api/me', undefined, bearer(token))).status, 401)
    const state = await get('GET /_workspaces/again')
    assert.deepEqual(
      [state.clock.now, state.rules, state.records],
      ['2030-01-01T00:00:00.000Z', [], 0]
    )
    const created = await get('POST /w/again/api/users', {})
    assert.deepEqual(created, { id: '13', createdAt: '2030-01-01T00:00:00.000Z' })
  })

  test('rules: the third call, the first two, any of a path; the first that is due', async () => {
    const { get, ask } = talk()
    const statuses = async (request: string, times: number) => {
      const answers: number[] = []
      for (let n = 0; n < times; n++) answers.push((await ask(request)).status)
      return answers
    }
    await get('PUT /_workspaces/rules/rules', []).catch(() => undefined)
    await get('GET /w/rules/api/users')
    await get('PUT /_workspaces/rules/rules', [
      { method: 'GET', path: '/api/users', nth: 3, scenario: 'status:500' },
      { method: 'delete', path: '/api/*/1', scenario: 'forbidden' },
      { path: '/api/products/**', times: 2, scenario: 'status:418' },
      { path: '/api/users', nth: 2, times: 2, scenario: 'status:502' }
    ])
    assert.deepEqual(await statuses('GET /w/rules/api/users', 5), [200, 502, 500, 200, 200])
    assert.deepEqual(await statuses('DELETE /w/rules/api/users/1', 2), [403, 403])
    assert.deepEqual(await statuses('DELETE /w/rules/api/users/2', 1), [204])
    assert.deepEqual(await statuses('GET /w/rules/api/products/1', 3), [418, 418, 200])
    assert.deepEqual(await statuses('GET /w/elsewhere/api/users', 3), [200, 200, 200])
    assert.equal((await ask('OPTIONS /w/rules/api/users')).status, 204)
    assert.deepEqual((await get('GET /_workspaces/rules/rules')).length, 4)
  })

  test('the clock stands, moves and runs again', async () => {
    const { get } = talk()
    const createdAt = async () => (await get('POST /w/clock/api/users', {})).createdAt
    await get('GET /w/clock/api/users')
    await get('POST /_workspaces/clock/clock', { now: '2001-02-03T04:05:06.007Z' })
    assert.equal(await createdAt(), '2001-02-03T04:05:06.007Z')
    const moved = await get('POST /_workspaces/clock/clock', { advance_ms: 86_400_000 })
    assert.deepEqual(moved, { now: '2001-02-04T04:05:06.007Z', frozen: true })
    assert.equal(await createdAt(), '2001-02-04T04:05:06.007Z')
    await get('POST /_workspaces/clock/clock', { now: null })
    assert.ok(Math.abs(Date.parse(await createdAt()) - Date.now()) < 60_000)
    await get('POST /_workspaces/clock/clock', { advance_ms: 3_600_000 })
    assert.ok(Date.parse(await createdAt()) - Date.now() > 3_500_000)
  })

  test('the journal has the calls in order, what was simulated, and no secret', async () => {
    const { get, ask } = talk()
    await get('GET /w/journal/api/users?page=2')
    await ask('POST /w/journal/api/login', { ...EVE, password: 'hush-hush' })
    await ask(
      'GET /w/journal/api/users/2?scenario=status:503&token=hush-hush',
      undefined,
      bearer('hush-hush')
    )
    await get('POST /w/journal/api/users', { name: 'x', nested: { api_token: 'hush-hush' } })
    await ask('GET /w/journal/api/users?scenario=reset').catch(() => undefined)
    const { requests } = await get('GET /_workspaces/journal/requests')
    assert.deepEqual(
      requests.map(({ at: _, ...request }: { at: string }) => request),
      [
        { method: 'GET', path: '/w/journal/api/users?page=2', status: 200, scenarios: [] },
        {
          method: 'POST',
          path: '/w/journal/api/login',
          status: 200,
          scenarios: [],
          body: { email: EVE.email, password: '********' }
        },
        {
          method: 'GET',
          path: '/w/journal/api/users/2?scenario=status%3A503&token=********',
          status: 503,
          scenarios: ['status']
        },
        {
          method: 'POST',
          path: '/w/journal/api/users',
          status: 201,
          scenarios: [],
          body: { name: 'x', nested: { api_token: '********' } }
        },
        {
          method: 'GET',
          path: '/w/journal/api/users?scenario=reset',
          status: 0,
          scenarios: ['reset']
        }
      ]
    )
  })

  test('the journal keeps the last two hundred calls', async () => {
    const { get } = talk()
    for (let from = 0; from < 320; from += 40) {
      const burst = Array.from({ length: 40 }, (_, n) =>
        get(`GET /w/long/api/users/1?n=${from + n}`)
      )
      await Promise.all(burst)
    }
    const { requests } = await get('GET /_workspaces/long/requests')
    assert.equal(requests.length, 200)
    const last = Number(/n=(\d+)/.exec(requests.at(-1).path)?.[1])
    assert.ok(last >= 280)
  })

  test('letters are kept for the test, not sent', async () => {
    const { get, ask } = talk()
    const person = { email: 'm@example.org', password: 'old' }
    await get('POST /w/mail/api/register', person)
    await get('POST /w/mail/api/auth/forgot', { email: person.email })
    assert.deepEqual(seen(await ask('POST /w/mail/api/auth/forgot', { email: 'nobody@x.y' })), [
      202,
      {}
    ])
    const { mail } = await get('GET /_workspaces/mail/mail')
    assert.deepEqual(
      mail.map(({ to, kind }: { to: string; kind: string }) => [to, kind]),
      [
        [person.email, 'verify'],
        [person.email, 'reset']
      ]
    )
    const [verify, reset] = mail
    const me = async (token: string) =>
      (await get('GET /w/mail/api/me', undefined, bearer(token))).data.email_verified
    const { token } = await get('POST /w/mail/api/login', person)
    assert.equal(await me(token), false)
    await get('POST /w/mail/api/auth/verify', { token: verify.token })
    assert.equal(await me(token), true)
    assert.deepEqual(seen(await ask('POST /w/mail/api/auth/verify', { token: verify.token })), [
      403,
      { error: 'Invalid or expired token' }
    ])
    await get('POST /w/mail/api/auth/reset', { token: reset.token, password: 'new' })
    assert.equal((await ask('POST /w/mail/api/login', person)).status, 403)
    await get('POST /w/mail/api/login', { ...person, password: 'new' })
    const used = await ask('POST /w/mail/api/auth/reset', { token: reset.token, password: 'x' })
    assert.equal(used.status, 403)
  })

  test('a strict workspace checks what it keeps', async () => {
    const { get, ask } = talk()
    await get('POST /_workspaces', { id: 'strict', options: { strict: true } })
    const refused = await ask('POST /w/strict/api/users', { email: 'nonsense' })
    assert.deepEqual(seen(refused), [
      422,
      {
        error: 'Validation failed',
        errors: [
          { field: 'email', code: 'invalid_format', message: 'This is not a valid email address' },
          { field: 'first_name', code: 'required', message: 'This field is required' }
        ]
      }
    ])
    await get('POST /w/strict/api/users', { email: 'a@b.c', first_name: 'A' })
    await get('PATCH /w/strict/api/users/2', { job: 'any' })
    assert.equal((await ask('PATCH /w/strict/api/users/2', { email: '' })).status, 422)
    assert.deepEqual(seen(await ask('DELETE /w/strict/api/users/99')), [404, {}])
    assert.equal((await ask('DELETE /w/strict/api/users/13')).status, 204)
  })

  test('pages of other origins cannot control a workspace', async () => {
    const { ask } = talk()
    const foreign = await ask('POST /_workspaces/kept/reset', undefined, {
      origin: 'http://evil.example'
    })
    assert.deepEqual([foreign.status, foreign.headers.get('x-error-code')], [403, 'foreign_origin'])
    const read = await ask('GET /_workspaces', undefined, { origin: 'http://evil.example' })
    assert.equal(read.headers.get('access-control-allow-origin'), null)
  })
})

scenes('I-4, idempotency keys', {}, (talk) => {
  const key = (text: string) => ({ 'idempotency-key': text })

  test('the second request gets the first answer, and nothing is done twice', async () => {
    const { get, ask } = talk()
    const first = await ask('POST /w/once/api/users', { a: 1 }, key('k1'))
    const second = await ask('POST /w/once/api/users', { a: 1 }, key('k1'))
    assert.equal(second.text, first.text)
    assert.equal(second.status, 201)
    assert.equal(first.headers.get('idempotent-replayed'), null)
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.equal((await get('GET /w/once/api/users')).total, 13)
    const other = await ask('POST /w/once/api/users', { a: 2 }, key('k1'))
    assert.equal(other.status, 422)
    assert.equal((await ask('POST /w/twice/api/users', { a: 2 }, key('k1'))).status, 201)
    assert.equal((await ask('POST /w/once/api/users', {}, key('x'.repeat(256)))).status, 400)
  })

  test('of requests at once one is done, the others wait their turn or are told so', async () => {
    const { get, ask } = talk()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask('POST /w/burst/api/users', { a: 1 }, key('same')))
    )
    for (const { status, text } of answers) {
      assert.ok(status === 201 || status === 409, `${status} ${text}`)
    }
    assert.equal((await get('GET /w/burst/api/users')).total, 13)
  })

  test('a write whose answer was cut off is not done again; a simulated failure is no answer', async () => {
    const { get, ask } = talk()
    await ask('POST /w/cut/api/users?scenario=truncate', { a: 1 }, key('k')).catch(() => undefined)
    const replayed = await ask('POST /w/cut/api/users', { a: 1 }, key('k'))
    assert.deepEqual([replayed.status, replayed.headers.get('idempotent-replayed')], [201, 'true'])
    assert.equal((await get('GET /w/cut/api/users')).total, 13)
    const failed = await ask('POST /w/cut/api/users?scenario=status:503', { a: 2 }, key('j'))
    assert.equal(failed.status, 503)
    const done = await ask('POST /w/cut/api/users', { a: 2 }, key('j'))
    assert.deepEqual([done.status, done.headers.get('idempotent-replayed')], [201, null])
  })

  test('a key is forgotten after a day', async () => {
    const { get, ask } = talk()
    await get('POST /w/day/api/users', { a: 1 }, key('k'))
    await get('POST /_workspaces/day/clock', { advance_ms: 24 * 3_600_000 })
    const later = await ask('POST /w/day/api/users', { a: 1 }, key('k'))
    assert.equal(later.headers.get('idempotent-replayed'), null)
  })
})

const SMALL = { maxRecords: 5, maxWorkspaceBytes: 4096, maxWorkspaces: 3, protectedMinutes: 0 }

scenes('I-4, limits of workspaces', { scenarios: SMALL }, (talk) => {
  async function fill({ ask }: Talk, body: unknown): Promise<number> {
    for (let n = 0; ; n++) {
      const { status, text } = await ask('POST /w/full/api/users', body)
      if (status === 201) continue
      assert.deepEqual([status, text], [413, '{"error":"The workspace is full"}'])
      return n
    }
  }

  test('records and bytes have an end, and what is full says so', async () => {
    const { ask, get } = talk()
    assert.equal(await fill(talk(), { a: 1 }), 5)
    assert.equal((await get('GET /w/full/api/users')).total, 17)
    const refused = await ask('POST /w/full/api/register', { email: 'z@x.y', password: 'x' })
    assert.deepEqual(seen(refused), [403, { error: 'The workspace is full' }])
    await ask('POST /_workspaces/full/reset')
    assert.equal(await fill(talk(), { text: 'x'.repeat(1500) }), 2)
    assert.equal((await ask('DELETE /w/full/api/users/14')).status, 204)
  })

  test('the workspace idle longest makes room', async () => {
    const { get, ask } = talk()
    for (const name of ['one', 'two', 'three', 'four']) {
      await get(`POST /w/${name}/api/users`, { name })
      await wait(5)
    }
    const { workspaces } = await get('GET /_workspaces')
    const names = workspaces.map(({ id }: { id: string }) => id).sort()
    assert.deepEqual(names, ['four', 'three', 'two'])
    assert.equal((await ask('GET /w/two/api/users/13')).status, 200)
  })

  test('one past its lifetime starts anew', async () => {
    const { get, ask } = talk()
    const isThere = async () => (await ask('GET /w/brief/api/users/13')).status === 200
    // On a busy machine it takes some tries to see it in its second.
    for (let seen = false; !seen; ) {
      const started = performance.now()
      await ask('DELETE /_workspaces/brief')
      await ask('POST /_workspaces', { id: 'brief', ttl: 1 })
      await get('POST /w/brief/api/users', {})
      seen = await isThere()
      assert.ok(seen || performance.now() - started > 990, 'it was gone too early')
    }
    await wait(1100)
    assert.equal((await ask('GET /w/brief/api/users/13')).status, 404)
  })
})
