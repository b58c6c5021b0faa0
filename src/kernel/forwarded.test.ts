import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isForwarded, isOwnCall, withOwnVia, withProxyVia } from './forwarded.ts'

const LOCAL = { host: '127.0.0.1:4000', accept: '*/*', 'user-agent': 'curl/8.14.1' }

test('a request came through a proxy if a header or its version tells so', () => {
  assert.ok(!isForwarded({ headers: LOCAL, httpVersion: '1.1' }))
  assert.ok(!isForwarded({ headers: LOCAL }))
  assert.ok(isForwarded({ headers: LOCAL, httpVersion: '1.0' }))
  for (const name of [
    ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
    ...['x-forwarded-port', 'x-forwarded-server', 'x-forwarded', 'x-real-ip', 'via']
  ]) {
    assert.ok(isForwarded({ headers: { ...LOCAL, [name]: '' } }), name)
  }
})

test('a request of nonet came through no proxy, unless one is named as well', () => {
  const headers = withOwnVia({ accept: '*/*' })
  assert.ok(isOwnCall(headers))
  assert.ok(!isForwarded({ headers }))
  assert.ok(isForwarded({ headers: { via: '1.1 nginx, 1.1 nonet' } }))
  assert.ok(!isOwnCall({ via: '1.1 nginx' }))
  assert.ok(!isOwnCall({}))
})

test('the mark cannot be replaced by headers of the caller', () => {
  const headers = withOwnVia({ Via: 'x', via: 'y', 'x-more': 'a' })
  assert.deepEqual(headers, { 'x-more': 'a', via: 'x, y, 1.1 nonet' })
})

test('a request that nonet passes on came through a proxy', () => {
  const headers = withProxyVia({ via: ['1.1 a', '1.1 b'], 'x-more': ['a', 'b'] })
  assert.deepEqual(headers, { 'x-more': ['a', 'b'], via: '1.1 a, 1.1 b, 1.1 nonet-proxy' })
  const passedOn = withProxyVia({ accept: '*/*' }) as Record<string, string>
  assert.ok(isForwarded({ headers: passedOn }))
  assert.ok(!isOwnCall(passedOn))
})
