import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { contract } from '../support/contract.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { failure, type Stored, scenes, talkTo } from './boxes-scene.ts'

const EXPOSED =
  'ETag, Link, X-Total-Count, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After'
const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }

contract('I-2, for browsers', { service: 'boxes' }, [
  {
    proves: 'a preflight passes, with the headers that were asked for',
    send: {
      method: 'OPTIONS',
      path: '/b/c',
      headers: {
        origin: 'https://example.org',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'x-api-key,content-type'
      }
    },
    expect: {
      status: 204,
      text: '',
      headers: {
        ...CORS,
        'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
        'access-control-allow-headers': 'x-api-key,content-type',
        vary: 'Access-Control-Request-Headers'
      }
    }
  },
  {
    proves: 'a created record may be read by any page',
    send: { method: 'POST', path: '/b', body: '{}' },
    expect: { status: 200, headers: { ...CORS, 'x-ratelimit-limit': null } }
  },
  {
    proves: 'a list too',
    send: { path: '/b' },
    expect: { status: 200, headers: { ...CORS, etag: /^W\/"[\w-]+"$/, link: null } }
  },
  { proves: 'a refusal too', send: { path: '/%00' }, expect: { status: 400, headers: CORS } },
  {
    proves: 'HEAD is GET without its body',
    send: { method: 'HEAD', path: '/b' },
    expect: {
      status: 200,
      text: '',
      headers: { ...CORS, etag: /^W\//, 'content-length': /^\d{2,}$/ }
    }
  },
  {
    proves: 'the address itself offers programs a fresh box',
    send: { path: '/' },
    expect: {
      status: 200,
      type: /^application\/json/,
      text: /^\{"box":"box_[0-9a-f]{20}","url":"http:\/\/127\.0\.0\.1:\d+\/box_[0-9a-f]{20}"\}$/
    }
  },
  {
    proves: 'and people a page',
    send: { path: '/?box=b', headers: { accept: 'text/html,*/*;q=0.8' } },
    expect: {
      status: 200,
      type: /^text\/html/,
      text: /<h1>b<\/h1>/
    }
  }
])

scenes('I-2, validators', {}, (boxes) => {
  test('a record has a strong tag that changes with each update', async () => {
    const { ask, store } = boxes()
    const { _id } = await store<Stored>('/tagged', '{"a":1}')
    const first = await ask(`GET /tagged/${_id}`)
    const etag = first.headers.get('etag') ?? ''
    assert.match(etag, /^"[^"]+"$/)
    const unchanged = await ask(`GET /tagged/${_id}`, undefined, { 'if-none-match': etag })
    assert.equal(unchanged.status, 304)
    assert.equal(unchanged.text, '')
    assert.equal(unchanged.headers.get('etag'), etag)
    assert.equal(unchanged.headers.get('access-control-allow-origin'), '*')
    await ask(`PUT /tagged/${_id}`, '{"a":1}')
    const changed = await ask(`GET /tagged/${_id}`, undefined, { 'if-none-match': etag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), etag)
  })

  test('a list has a weak one that changes with what it shows', async () => {
    const { ask, store } = boxes()
    const { _id } = await store<Stored>('/listed', '{"a":1}')
    await store('/listed', '{"b":1}')
    const look = async (path = '/listed', tag?: string) =>
      ask(`GET ${path}`, undefined, tag ? { 'if-none-match': tag } : {})
    const etag = (await look()).headers.get('etag') ?? ''
    assert.equal((await look('/listed', etag)).status, 304)
    assert.equal((await look('/listed', `"x", ${etag}`)).status, 304)
    assert.equal((await look('/listed?limit=1', etag)).status, 200)
    await ask(`PUT /listed/${_id}`, '{"a":2}')
    assert.equal((await look('/listed', etag)).status, 200)
    const second = (await look()).headers.get('etag') ?? ''
    await store('/elsewhere', '{}')
    assert.equal((await look('/listed', second)).status, 304)
    await ask(`DELETE /listed/${_id}`)
    assert.equal((await look('/listed', second)).status, 200)
  })
})

scenes('I-2, what clients of the original send', {}, (boxes) => {
  test('doubled and trailing slashes, JSON types without a body, stray parameters', async () => {
    const { ask, get, store } = boxes()
    const json = { 'content-type': 'application/json' }
    const { _id } = await store<Stored>(
      '//slashes//people/?sort=-_createdOn&limit=20',
      '{"a":1}',
      json
    )
    assert.equal((await get('//slashes//people//')).length, 1)
    assert.equal((await get(`/slashes//${_id}/?skip=0`)) !== undefined, true)
    const path = `/slashes/people/${_id}/?sort=-_createdOn&limit=20`
    assert.equal((await ask(`PUT ${path}`, '{"a":2}', json)).status, 200)
    const counted = await ask('GET /slashes?offset=0&limit=1', undefined, json)
    assert.match(counted.text, /"a":2/)
    assert.equal((await ask(`DELETE ${path}`, undefined, json)).status, 200)
  })

  test('the whole address in the request line', async () => {
    const { url } = boxes()
    const { text } = await sendRaw(
      url,
      [`GET ${url}/absolute?limit=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
      2000,
      30_000
    )
    assert.match(text, /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n\[\]$/)
  })
})

test('I-2, POST requests are counted per hour and address when told so', async () => {
  await using nonet = await start({ services: ['boxes'], boxes: { rateLimit: 2 } })
  const { ask } = talkTo(nonet.boxes.url)
  const began = Date.now() / 1000
  const first = await ask('POST /limited', '{}')
  assert.equal(first.headers.get('x-ratelimit-limit'), '2')
  assert.equal(first.headers.get('x-ratelimit-remaining'), '1')
  const resetsAt = Number(first.headers.get('x-ratelimit-reset'))
  const now = Date.now() / 1000
  assert.ok(resetsAt > began + 3598 && resetsAt < now + 3602, `${resetsAt} at ${now}`)
  assert.equal((await ask('POST /limited', '{}')).status, 200)
  const third = await ask('POST /limited', '{}')
  assert.deepEqual(failure(third), {
    status: 429,
    message: 'Too many requests, please try again later.'
  })
  assert.ok(Number(third.headers.get('retry-after')) > 3500)
  assert.equal(third.headers.get('x-ratelimit-remaining'), '0')
  assert.equal(third.headers.get('access-control-allow-origin'), '*')
  assert.equal((await ask('GET /limited')).status, 200)
})
