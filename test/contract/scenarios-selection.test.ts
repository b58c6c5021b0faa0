/** I-4: the ways to ask for scenarios, what they do together, and that they repeat. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get as call } from 'node:http'
import { describe, test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { UserError } from '../../src/kernel/errors.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { bearer, EVE, scenes, seen, type Talk, talkTo } from './scenarios-scene.ts'

const TOKEN = 'the-admin-token-of-this-test'

const status = async (talk: Talk, request: string, headers = {}, body?: unknown) =>
  (await talk.ask(request, body, headers)).status

scenes('I-4, ways to ask for a scenario', { scenarios: { scenario: 'status:501' } }, (talk) => {
  test('the nearer way wins for each name: query, header, path, tag, rule, option', async () => {
    const { get } = talk()
    await get('GET /w/ways/api/users?scenario=none')
    assert.equal(await status(talk(), 'GET /w/ways/api/users'), 501)
    await get('PUT /_workspaces/ways/rules', [{ scenario: 'status:502' }])
    assert.equal(await status(talk(), 'GET /w/ways/api/users'), 502)
    const tagged = { email: 'eve.holt+status:503@reqres.in', password: 'x' }
    assert.equal(await status(talk(), 'POST /w/ways/api/login', {}, tagged), 503)
    assert.equal(await status(talk(), 'POST /w/ways/_s/status:504/api/login', {}, tagged), 504)
    const header = { 'x-scenario': 'status:505' }
    assert.equal(await status(talk(), 'POST /w/ways/_s/status:504/api/login', header, tagged), 505)
    const all = 'POST /w/ways/_s/status:504/api/login?scenario=status:506'
    assert.equal(await status(talk(), all, header, tagged), 506)
  })

  test('they merge, and none switches off what is farther away', async () => {
    const { ask } = talk()
    const header = { 'x-scenario': 'slow:20,wrong-type' }
    const merged = await ask('GET /api/users?scenario=slow:1', undefined, header)
    assert.equal(merged.headers.get('x-scenario-applied'), 'slow, status, wrong-type')
    const off = await ask('GET /api/users?scenario=none', undefined, header)
    assert.deepEqual([off.status, off.headers.get('x-scenario-applied')], [200, null])
    assert.equal(off.headers.get('cache-control'), null)
    const only = await ask('GET /api/users?scenario=none,nulls', undefined, header)
    assert.equal(only.headers.get('x-scenario-applied'), 'nulls')
    const half = await ask('GET /api/users?scenario=nulls', undefined, { 'x-scenario': 'none' })
    assert.equal(half.headers.get('x-scenario-applied'), 'nulls')
  })

  test('spaces, capitals and empty parts do not matter; slashes are encoded in paths', async () => {
    const { ask } = talk()
    const loose = await ask('GET /api/users?scenario=%20None%20,,%20Slow:1%20,')
    assert.equal(loose.headers.get('x-scenario-applied'), 'slow')
    const path = await ask('GET /_s/none,flaky:1%2F1/api/users')
    assert.deepEqual([path.status, path.headers.get('x-scenario-applied')], [503, 'flaky'])
  })

  test('an unknown name lists the known ones, a wrong argument says how it is written', async () => {
    const { ask } = talk()
    const unknown = await ask('GET /api/users?scenario=slow:1,nonsense')
    const { error, known } = JSON.parse(unknown.text)
    assert.deepEqual([unknown.status, error], [400, 'Unknown scenario'])
    assert.ok(known.includes('slow') && known.length > 50)
    const wrong: string[] = [
      ...[
        'slow:x',
        'slow:3-1',
        'slow:1:2',
        'drip:x',
        'hang:1',
        'flaky:2/1',
        'flaky:1',
        'flaky:1/0'
      ],
      ...[
        'fail-first:0',
        'every:x',
        'status',
        'status:99',
        'status:600',
        'status:abc',
        'status:200:a:b'
      ],
      ...['rate-limit:x', 'rate-limit:5', 'rate-limit:5/0', 'maintenance:0', 'redirect:101'],
      ...['large-list:3', 'large-list:10001', 'auth-status', 'auth-status:200', 'short-token:0'],
      ...[
        'upload-fail:101',
        'upload-slow:0',
        'ws-close:999',
        'ws-close:1006',
        'locked:x',
        'nulls:1'
      ]
    ]
    for (const spec of wrong) {
      const answer = await ask(`GET /api/users?scenario=${encodeURIComponent(spec)}`)
      const body = JSON.parse(answer.text)
      assert.deepEqual([answer.status, body.error], [400, 'Invalid scenario argument'], spec)
      assert.equal(body.scenario, spec.split(':')[0])
      assert.ok(body.usage.startsWith(body.scenario))
    }
    assert.equal(await status(talk(), `GET /api/users?scenario=${'slow:1,'.repeat(200)}`), 400)
  })

  test('a tag that is no scenario is part of the address', async () => {
    const { ask, get } = talk()
    const other = await ask('POST /api/login?scenario=none', {
      email: 'eve.holt+work@reqres.in',
      password: 'x'
    })
    assert.deepEqual(seen(other), [403, { error: 'user not found' }])
    const ann = { email: 'ann+work@example.org', password: 'x' }
    await get('POST /w/tags/api/register?scenario=none', ann)
    await get('POST /w/tags/api/login?scenario=none', ann)
  })
})

describe('the scenario of a server', () => {
  test('one that is none keeps it from starting', async () => {
    await assert.rejects(
      start({ services: ['scenarios'], scenarios: { scenario: 'nonsense' } }),
      (error) => error instanceof UserError && /--scenarios-scenario nonsense/.test(error.message)
    )
  })
})

describe('held requests', () => {
  test('beyond the limit they are refused, and a client that leaves makes room', async () => {
    await using nonet = await start({ services: ['scenarios'], scenarios: { maxHeld: 2 } })
    const { url, ask } = talkTo(nonet.scenarios.url)
    const held = ['slow:60000', 'hang'].map((spec) => call(`${url}/api/users?scenario=${spec}`))
    for (const one of held) one.on('error', () => {})
    await Promise.all(held.map((one) => once(one, 'finish')))
    let refused = await ask('GET /api/users?scenario=slow:1')
    while (refused.status === 200) refused = await ask('GET /api/users?scenario=slow:1')
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('x-error-code'), 'too_many_held')
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal((await ask('GET /api/users?delay=0.001')).status, 503)
    assert.equal((await ask('GET /api/users')).status, 200, 'plain requests are not held')
    held[0]?.destroy()
    let free = refused
    while (free.status === 503) free = await ask('GET /api/users?scenario=slow:1')
    assert.equal(free.status, 200)
    held[1]?.destroy()
  })

  test('stopping does not wait for them', async () => {
    const nonet = await start({ services: ['scenarios'] })
    const hung = fetch(`${nonet.scenarios.url}/api/users?scenario=hang`)
    const slow = fetch(`${nonet.scenarios.url}/api/users?scenario=slow:60000`)
    const ends = Promise.allSettled([hung, slow])
    await fetch(`${nonet.scenarios.url}/api/users?scenario=slow:50`)
    const started = performance.now()
    await nonet.stop()
    assert.ok(performance.now() - started < 9_000, 'before the deadline of ten seconds')
    for (const { status } of await ends) assert.equal(status, 'rejected')
  })
})

/** Calls of every kind, one after the other; what came back, bytes and headers. */
async function walk(talk: Talk): Promise<string[]> {
  const { ask, get } = talk
  const found: string[] = []
  async function go(request: string, body?: unknown, headers = {}): Promise<string> {
    const answer = await ask(request, body, headers).catch((error) => ({
      status: 0,
      headers: new Headers(),
      text: String(error.cause?.code)
    }))
    const kept = [...answer.headers].filter(
      ([name]) => !/^(date|keep-alive|connection)$/.test(name)
    )
    found.push(JSON.stringify([request, answer.status, kept, answer.text]))
    return answer.text
  }
  const options = { seed: 'same', now: '2030-01-01T00:00:00.000Z' }
  found.push(JSON.stringify((await get('POST /_workspaces', { id: 'walk', ...options })).id))
  for (let n = 0; n < 12; n++) await go('GET /w/walk/api/users?scenario=flaky:1/3')
  for (let n = 0; n < 4; n++) await go('GET /w/walk/api/users?scenario=slow:1-20,every:2')
  await go('GET /w/walk/api/users?per_page=100&page=2&scenario=large-list')
  await go('GET /w/walk/api/things?scenario=large-list:500&page=40')
  await go('POST /w/walk/api/users', { name: 'a' })
  await go('PATCH /w/walk/api/users/13', { name: 'b' })
  const person = { email: 'w@example.org', password: 'x' }
  await go('POST /w/walk/api/register', person)
  await go('POST /w/walk/api/login', person)
  const { refreshToken, accessToken } = JSON.parse(await go('POST /w/walk/api/auth/login', EVE))
  await go('GET /w/walk/api/me', undefined, { authorization: `Bearer ${accessToken}` })
  await go('POST /w/walk/api/auth/refresh', { refreshToken })
  await go('POST /w/walk/api/auth/refresh', { refreshToken })
  await go('POST /w/walk/api/login', { ...EVE, email: 'eve.holt+mfa@reqres.in' })
  await go('POST /w/walk/api/login', { ...EVE, email: 'eve.holt+passwordexpired@reqres.in' })
  await go('GET /w/walk/api/users?scenario=rate-limit:1/60')
  await go('GET /w/walk/api/users?scenario=rate-limit:1/60')
  await go('GET /w/walk/api/users?scenario=maintenance')
  await get('POST /_workspaces/walk/clock', { advance_ms: 3_600_000 }, bearer(TOKEN))
  await go('POST /w/walk/api/things', { x: 1 }, { 'idempotency-key': 'k' })
  await go('POST /w/walk/api/things', { x: 1 }, { 'idempotency-key': 'k' })
  await go('GET /w/walk/api/users?page=3')
  await go('GET /_workspaces/walk/requests', undefined, bearer(TOKEN))
  await go('GET /_workspaces/walk/mail', undefined, bearer(TOKEN))
  return found
}

describe('the same seed and the same calls', () => {
  for (const engine of ENGINES) {
    test(`give the same bytes twice, on ${engine}`, async () => {
      const runs: string[][] = []
      for (let run = 0; run < 2; run++) {
        await using nonet = await start({
          services: ['scenarios'],
          scenarios: { seed: '7' },
          publicUrl: { scenarios: 'http://scenarios.example' },
          adminToken: TOKEN,
          ...engineOptions(engine)
        })
        runs.push(await walk(talkTo(nonet.scenarios.url)))
      }
      assert.ok((runs[0]?.length ?? 0) > 30)
      assert.deepEqual(runs[1], runs[0])
    })
  }

  test('another seed gives others', async () => {
    await using nonet = await start({ services: ['scenarios'] })
    const { ask, get } = talkTo(nonet.scenarios.url)
    const play = async (seed: string) => {
      const { id } = await get('POST /_workspaces', { seed })
      const found: number[] = []
      for (let n = 0; n < 30; n++) {
        found.push((await ask(`GET /w/${id}/api/users?scenario=flaky:1/3`)).status)
      }
      return found.join()
    }
    const first = await play('a')
    assert.equal(await play('a'), first)
    assert.notEqual(await play('b'), first)
  })

  test('a seed of the request decides the id of a create in public mode', async () => {
    await using nonet = await start({ services: ['scenarios'] })
    const { get, ask } = talkTo(nonet.scenarios.url)
    const idOf = async (seed: string) => (await get(`POST /api/users?seed=${seed}`, { a: 1 })).id
    assert.equal(await idOf('7'), await idOf('7'))
    const ids = await Promise.all(['1', '2', '3', '4', '5'].map(idOf))
    assert.ok(new Set(ids).size > 1)
    assert.equal((await ask(`GET /api/users?seed=${'x'.repeat(101)}`)).status, 400)
  })
})

describe('beyond loopback', () => {
  test('whoever makes a workspace gets its key; the admin token opens all', async () => {
    await using nonet = await start({
      services: ['scenarios'],
      host: ['0.0.0.0'],
      adminToken: 'the-admin-token-of-this-test'
    })
    const { get, ask } = talkTo(nonet.scenarios.url)
    const mine = await get('POST /_workspaces', { id: 'mine' })
    const yours = await get('POST /_workspaces', { id: 'yours' })
    assert.match(mine.key, /^wsk_[0-9A-Za-z]{40}$/)
    const admin = { authorization: 'Bearer the-admin-token-of-this-test' }
    const key = { authorization: `Bearer ${mine.key}` }
    await get('GET /w/made-by-use/api/users')
    const allowed: [string, object][] = [
      ['GET /_workspaces/mine', key],
      ['GET /_workspaces/mine/requests', key],
      ['POST /_workspaces/mine/reset', key],
      ['GET /_workspaces/mine', admin],
      ['GET /_workspaces/yours/mail', admin],
      ['GET /_workspaces', admin],
      ['GET /_workspaces/made-by-use', admin]
    ]
    for (const [request, headers] of allowed) {
      assert.ok((await ask(request, undefined, { ...headers })).status < 300, request)
    }
    const refused: [string, object][] = [
      ['GET /_workspaces', {}],
      ['GET /_workspaces', key],
      ['GET /_workspaces/mine', {}],
      ['GET /_workspaces/yours', key],
      ['DELETE /_workspaces/yours', key],
      ['POST /_workspaces/yours/reset', key],
      ['PUT /_workspaces/yours/rules', key],
      ['POST /_workspaces/yours/clock', key],
      ['GET /_workspaces/yours/requests', key],
      ['GET /_workspaces/yours/mail', key],
      ['GET /_workspaces/made-by-use', key],
      ['GET /_workspaces/mine', { authorization: `Bearer ${yours.key}` }],
      ['GET /_workspaces/nobody', key],
      ['GET /_workspaces/nobody', {}]
    ]
    const texts = new Set<string>()
    for (const [request, headers] of refused) {
      const answer = await ask(request, undefined, { ...headers })
      assert.equal(answer.status, 401, request)
      texts.add(answer.text)
    }
    assert.equal(texts.size, 1, 'unknown and forbidden look the same')
  })

  test('on loopback no key is made or asked for', async () => {
    await using nonet = await start({ services: ['scenarios'] })
    const { get } = talkTo(nonet.scenarios.url)
    const made = await get('POST /_workspaces', { id: 'mine' })
    assert.deepEqual(Object.keys(made), ['id', 'seed', 'base_url', 'expires_at'])
    await get('GET /_workspaces/mine')
  })

  test('a host name nobody allowed reaches no control route', async () => {
    await using nonet = await start({ services: ['scenarios'] })
    const { port } = new URL(nonet.scenarios.url)
    const outgoing = call({
      port: Number(port),
      path: '/_workspaces',
      headers: { host: 'evil.example' }
    })
    const [answer] = await once(outgoing, 'response')
    assert.equal(answer.statusCode, 421)
    answer.resume()
  })
})
