/** I-4: what odd, hostile and unlucky clients send, and what they get. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { get as call } from 'node:http'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'
import { start } from '../../src/host/start.ts'
import { EVE, scenes, seen, talkTo } from './scenarios-scene.ts'

const run = promisify(execFile)

scenes('I-4, odd requests', {}, (talk) => {
  test('a tag with a name that every object has is part of the address', async () => {
    const { ask, get } = talk()
    for (const tag of ['constructor', '__proto__', 'hasOwnProperty', 'slow+constructor']) {
      const odd = { ...EVE, email: `eve.holt+${tag}@reqres.in` }
      const refusal = [403, { error: 'user not found' }]
      assert.deepEqual(seen(await ask('POST /api/login', odd)), refusal, tag)
      assert.deepEqual(seen(await ask('POST /api/auth/login', odd)), refusal, tag)
      await get('POST /w/odd-tags/api/register', odd)
    }
  })

  test('scenarios about names leave every other field alone', async () => {
    const { get } = talk()
    const fields = { name: 'neo', constructor: 'x', toString: 'y', valueOf: 1 }
    await get('POST /w/odd-fields/api/users', fields)
    for (const name of ['unicode', 'rtl', 'long-text', 'xss', 'nulls']) {
      const { data } = await get(`GET /w/odd-fields/api/users/13?scenario=${name}`)
      assert.deepEqual([data.constructor, data.toString, data.valueOf], ['x', 'y', 1], name)
    }
  })

  test('a page far behind the last is empty, a size far too large is the largest', async () => {
    const { get } = talk()
    const far = '9'.repeat(20)
    for (const place of ['', '/w/far']) {
      const behind = await get(`GET ${place}/api/users?page=${far}`)
      assert.deepEqual([behind.total, behind.total_pages, behind.data], [12, 2, []])
      assert.ok(behind.page > 2)
      const large = await get(`GET ${place}/api/users?per_page=${far}`)
      assert.deepEqual([large.per_page, large.data.length], [100, 12])
    }
  })

  test('prefixes come in any order; one that is no text is refused', async () => {
    const { ask } = talk()
    for (const path of ['/w/order/_s/status:501/api/users', '/_s/status:501/w/order/api/users']) {
      assert.equal((await ask(`GET ${path}`)).status, 501, path)
    }
    assert.equal((await ask('GET /_s/%zz/api/users')).status, 400)
    assert.equal((await ask('GET /_s/slow:0/_s/slow:0/api/users')).status, 404)
  })

  test('a redirect stays with this server, whatever slashes the address has', async () => {
    const { ask } = talk()
    for (const name of ['redirect', 'redirect-loop']) {
      for (const path of ['//api/users', '///api//users', '//w/x/api/users']) {
        const { status, headers } = await ask(`GET ${path}?scenario=${name}`)
        assert.equal(status, 302)
        assert.match(String(headers.get('location')), /^\/[^/]/, path)
      }
    }
  })

  test('a preflight passes where the request behind it says what is wrong', async () => {
    const { ask } = talk()
    const preflight = { origin: 'http://app.example', 'access-control-request-method': 'POST' }
    for (const path of [
      '/api/users?scenario=nonsense',
      '/w/a.b/api/users',
      '/_s/slow:x/api/users'
    ]) {
      const { status, headers } = await ask(`OPTIONS ${path}`, undefined, preflight)
      assert.deepEqual(
        [status, headers.get('access-control-allow-origin')],
        [204, preflight.origin]
      )
      const behind = await ask(`POST ${path}`, {}, { origin: preflight.origin })
      assert.deepEqual(
        [behind.status, behind.headers.get('access-control-allow-origin')],
        [400, '*']
      )
    }
  })

  test('close codes that no server may send are refused', async () => {
    const { ask } = talk()
    for (const code of [999, 1004, 1005, 1006, 1015, 1016, 2000, 2999, 5000]) {
      const { status } = await ask(`GET /api/ws?scenario=ws-close:${code}`)
      assert.equal(status, 400, String(code))
    }
    for (const code of [1000, 1014, 3000, 4999]) {
      const socket = new WebSocket(
        `${talk().url.replace('http', 'ws')}/api/ws?scenario=ws-close:${code}`
      )
      assert.equal((await once(socket, 'close'))[0], code)
    }
  })

  test('a socket hears what is sent while its token is looked at', async () => {
    const { url, get } = talk()
    const { accessToken } = await get('POST /w/eager/api/auth/login', EVE)
    const address = `${url.replace('http', 'ws')}/w/eager/api/ws?token=${accessToken}`
    for (let n = 0; n < 20; n++) {
      const socket = new WebSocket(address)
      const heard: string[] = []
      socket.on('message', (content) => heard.push(JSON.parse(String(content)).type))
      await once(socket, 'open')
      for (const text of ['one', 'two']) socket.send(text)
      while (heard.length < 3) await once(socket, 'message')
      assert.deepEqual(heard, ['welcome', 'echo', 'echo'])
      socket.terminate()
    }
  })

  test('a clock that was set far away can be moved there', async () => {
    const { ask, get } = talk()
    for (const [now, moved] of [
      ['2300-01-01T00:00:00.000Z', '2300-01-01T00:00:01.000Z'],
      ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00:01.000Z']
    ]) {
      await get('GET /w/far-clock/api/users')
      await get('POST /_workspaces/far-clock/clock', { now })
      const clock = await get('POST /_workspaces/far-clock/clock', { advance_ms: 1000 })
      assert.deepEqual(clock, { now: moved, frozen: true })
    }
    await get('POST /_workspaces/far-clock/clock', { now: '9999-12-31T23:59:59Z' })
    const beyond = await ask('POST /_workspaces/far-clock/clock', { advance_ms: 1000 })
    assert.equal(beyond.status, 400)
  })

  test('registering with the tag of a second factor gives a challenge that can be met', async () => {
    const { ask, get } = talk()
    const tagged = { ...EVE, email: 'eve.holt+mfa@reqres.in' }
    for (const path of ['/api/register', '/api/auth/register']) {
      const { status, text } = await ask(`POST ${path}`, tagged)
      const { error, mfa } = JSON.parse(text)
      assert.deepEqual([status, error], [403, 'Second factor required'])
      const { challenge_id, ...rest } = mfa
      assert.deepEqual(rest, { methods: ['totp'], expires_in: 300, verify: '/api/auth/mfa' })
      const { user } = await get('POST /api/auth/mfa', { challenge_id, code: '123456' })
      assert.equal(user.id, 4)
    }
  })

  test('the commands of the catalogue show what they are for', async () => {
    const { get } = talk()
    const { scenarios } = await get('GET /_scenarios')
    for (const name of ['stale', 'not-modified', 'token-expired', 'token-revoked', 'validation']) {
      const { curl } = scenarios.find((scenario: { name: string }) => scenario.name === name)
      const { stdout } = await run('sh', ['-c', `${curl} --silent --max-time 20`])
      assert.match(stdout, new RegExp(`^x-scenario-applied: ${name}\\r$`, 'im'), curl)
    }
  })

  test('a lock lasts its time from the last wrong password on', async () => {
    const { ask, get } = talk()
    const pat = { email: 'pat@example.org', password: 'right' }
    await get('POST /w/late-lock/api/register', pat)
    await get('POST /_workspaces/late-lock/clock', { now: '2030-01-01T00:00:00Z' })
    const attempt = (password: string) => ask('POST /w/late-lock/api/login', { ...pat, password })
    const advance = (advance_ms: number) => get('POST /_workspaces/late-lock/clock', { advance_ms })
    for (let n = 0; n < 4; n++) await attempt('wrong')
    await advance(840_000)
    await attempt('wrong')
    const locked = [403, { error: 'Account locked', retry_after: 900 }]
    assert.deepEqual(seen(await attempt('right')), locked)
    await advance(899_000)
    assert.equal(JSON.parse((await attempt('right')).text).retry_after, 1)
    await advance(1000)
    assert.deepEqual(seen(await attempt('wrong')), [403, { error: 'Invalid credentials' }])
    assert.equal((await attempt('right')).status, 200)
  })

  test('a name that is no text is no name', async () => {
    const { get } = talk()
    const odd = { email: 'ann@example.org', password: 'x', first_name: { a: 1 }, last_name: ['b'] }
    const { user } = await get('POST /w/odd-names/api/auth/register', odd)
    assert.deepEqual([user.first_name, user.last_name], ['', ''])
  })

  test('entries that are made up never have the number of one that is there', async () => {
    const { ask, get } = talk()
    for (const name of ['a', 'b', 'c']) await get('POST /w/gaps/api/users', { name })
    await ask('DELETE /w/gaps/api/users/13')
    await ask('DELETE /w/gaps/api/users/2')
    const { data, total } = await get('GET /w/gaps/api/users?per_page=50&scenario=large-list:40')
    const ids = data.map(({ id }: { id: number }) => id)
    assert.deepEqual([total, ids.length, new Set(ids).size], [40, 40, 40], String(ids))
    assert.ok(!ids.includes(2) && !ids.includes(13))
  })
})

scenes('I-4, small workspaces', { scenarios: { maxWorkspaceBytes: 8192 } }, (talk) => {
  test('answers are remembered for their keys as long as there is room', async () => {
    const { ask } = talk()
    for (const path of ['/api/users', '/w/keys/api/users/2']) {
      const method = path.endsWith('2') ? 'PUT' : 'POST'
      const replays = async (n: number) => {
        const body = { n, text: 'x'.repeat(1000) }
        const { status, headers } = await ask(`${method} ${path}`, body, {
          'idempotency-key': `${n}`
        })
        assert.ok(status < 300)
        return headers.get('idempotent-replayed') === 'true'
      }
      for (let n = 0; n < 20; n++) assert.equal(await replays(n), false)
      assert.equal(await replays(19), true)
      assert.equal(await replays(17), true)
      assert.equal(await replays(0), false, 'the oldest had to go')
    }
  })
})

describe('a torn connection', () => {
  test('is counted as what it is, not as a success', async () => {
    await using nonet = await start({ services: ['scenarios'] })
    const { ask } = talkTo(nonet.scenarios.url)
    await assert.rejects(ask('GET /api/users?scenario=reset'))
    assert.equal((await ask('GET /api/users')).status, 200)
    const metrics = await (await fetch(`${nonet.console?.url}/metrics`)).text()
    const counted = [...metrics.matchAll(/^nonet_requests_total{service="scenarios",(.*)$/gm)]
    assert.deepEqual(
      counted.map(([, line]) => line),
      ['status="0"} 1', 'status="200"} 1']
    )
  })
})

describe('the places of held requests', { concurrency: true }, () => {
  test('an answer that would trickle is refused when all are taken, and comes to an end', async () => {
    await using nonet = await start({ services: ['scenarios'], scenarios: { maxHeld: 1 } })
    const { url, ask } = talkTo(nonet.scenarios.url)
    const held = call(`${url}/api/users?scenario=hang`)
    held.on('error', () => {})
    await once(held, 'finish')
    let refused = await ask('GET /api/users?scenario=slow:1')
    while (refused.status === 200) refused = await ask('GET /api/users?scenario=slow:1')
    const { status, text, headers } = await ask('GET /api/users?scenario=drip:50')
    assert.deepEqual([status, headers.get('x-error-code')], [503, 'too_many_held'])
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('etag'), null)
    assert.deepEqual(JSON.parse(text), JSON.parse(refused.text))
    held.destroy()
    let free = refused
    while (free.status === 503) free = await ask('GET /api/users?scenario=drip:10')
    assert.equal(JSON.parse(free.text).total, 12)
  })

  test('one who trickles keeps a place for the whole time', async () => {
    await using nonet = await start({ services: ['scenarios'], scenarios: { maxHeld: 1 } })
    const { url, ask } = talkTo(nonet.scenarios.url)
    const slow = await fetch(`${url}/api/users?scenario=drip:2000`)
    for (let n = 0; n < 5; n++) {
      assert.equal((await ask('GET /api/users?scenario=slow:1')).status, 503)
    }
    assert.equal(Object(await slow.json()).total, 12)
    assert.equal((await ask('GET /api/users?scenario=slow:1')).status, 200)
  })

  test('a body is not read slowly for ever', async () => {
    await using nonet = await start({ services: ['scenarios'], scenarios: { maxDelay: 1 } })
    const { get } = talkTo(nonet.scenarios.url)
    const name = 'x'.repeat(500)
    const paths = ['/api/users', '/w/slow/api/users', '/api/echo']
    const read = async (path: string) => {
      const began = performance.now()
      await get(`POST ${path}?scenario=upload-slow:1`, { name })
      const took = performance.now() - began
      assert.ok(took > 967 && took < 60_000, `${path}: ${took} ms instead of ten minutes`)
    }
    await Promise.all(paths.map(read))
  })
})
