import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'

const EDITED = 'Sat, 31 Jan 2026 09:23:11 GMT'
const EARLIER = 'Sat, 31 Jan 2026 09:23:10 GMT'

describe('I-1, conditional requests', () => {
  let nonet: Nonet<'reference'>
  let etag: string
  before(async () => {
    nonet = await start({ services: ['reference'] })
    etag = (await ask('/api/people/1/', {})).headers.get('etag') ?? ''
  })
  after(() => nonet.stop())

  function ask(path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> {
    return fetch(nonet.reference.url + path, { headers, method })
  }

  async function check(headers: Record<string, string>, status: number, method?: string) {
    const answer = await ask('/api/people/1/', headers, method)
    assert.equal(answer.status, status)
    const text = await answer.text()
    if (status === 304) assert.equal(text, '')
    return answer
  }

  test('the same ETag is 304 with the headers of the record', async () => {
    const { headers } = await check({ 'if-none-match': etag }, 304)
    assert.equal(headers.get('etag'), etag)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('vary'), 'Accept, Accept-Encoding')
    assert.equal(headers.get('cache-control'), 'no-cache')
    assert.equal(headers.get('last-modified'), EDITED)
    assert.equal(headers.get('content-type'), null)
  })

  test('a list of ETags, a weak one, and a star', async () => {
    await check({ 'if-none-match': `"other", ${etag}` }, 304)
    await check({ 'if-none-match': `W/${etag}` }, 304)
    await check({ 'if-none-match': '*' }, 304)
  })

  test('HEAD is conditional too', async () => {
    await check({ 'if-none-match': etag }, 304, 'HEAD')
  })

  test('another ETag is answered in full', async () => {
    await check({ 'if-none-match': '"other"' }, 200)
  })

  test('a date not before the last edit is 304', async () => {
    await check({ 'if-modified-since': EDITED }, 304)
    await check({ 'if-modified-since': EARLIER }, 200)
    await check({ 'if-modified-since': 'yesterday' }, 200)
  })

  test('an ETag beats a date', async () => {
    await check({ 'if-none-match': '"other"', 'if-modified-since': EDITED }, 200)
  })

  test('a 404 and a 405 are never 304', async () => {
    const unknown = await ask('/api/people/999/', { 'if-none-match': '*' })
    assert.equal(unknown.status, 404)
    const refused = await ask('/api/people/1/', { 'if-none-match': '*' }, 'POST')
    assert.equal(refused.status, 405)
  })

  test('the ETag is the same with and without the slash, and after a restart', async () => {
    const slashless = await ask('/api/people/1', {})
    assert.equal(slashless.headers.get('etag'), etag)
    const again = await ask('/api/people/1/', {})
    assert.equal(again.headers.get('etag'), etag)
  })

  test('every form and every record has its own ETag', async () => {
    const paths = [
      '/api/people/1/',
      '/api/people/2/',
      '/api/people/1/?format=wookiee',
      '/api/people/1/?format=api',
      '/api/people/1/?units=off',
      '/api/people/',
      '/api/people/?page=2'
    ]
    const tags = await Promise.all(
      paths.map(async (path) => (await ask(path, {})).headers.get('etag'))
    )
    assert.equal(new Set(tags).size, paths.length)
  })

  test('what was answered once is answered alike again, form by form', async () => {
    for (const accept of ['application/json', 'text/html', 'application/json; indent=2']) {
      const first = await (await ask('/api/planets/', { accept })).text()
      const second = await (await ask('/api/planets/', { accept })).text()
      assert.equal(first, second)
    }
    const page = await (await ask('/api/planets/1/', { accept: 'text/html' })).text()
    const record = await (await ask('/api/planets/1/', { accept: '*/*' })).text()
    assert.match(page, /^<!doctype html>/)
    assert.match(record, /^\{"name":"Sundrey"/)
  })
})
