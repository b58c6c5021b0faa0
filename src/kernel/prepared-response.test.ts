import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import {
  acceptsGzip,
  type PreparedResponse,
  preparedSize,
  prepareResponse,
  sendPrepared
} from './prepared-response.ts'

const LARGE = 'Tørrvik 🚀 '.repeat(1000)

const prepare = (body: string, hasEtag = true): PreparedResponse =>
  prepareResponse({
    status: 200,
    body,
    headers: { 'x-shared': 'a', 'cache-control': 'no-cache' },
    contentHeaders: { 'content-type': 'text/plain' },
    hasEtag,
    lastModified: new Date('2026-01-02T03:04:05.678Z')
  })

const RESPONSES: Readonly<Record<string, PreparedResponse>> = {
  '/small': prepare('Tørrvik 🚀'),
  '/large': prepare(LARGE),
  '/changing': prepare('x', false)
}

describe('prepared responses', () => {
  const server = createServer((incoming, response) => {
    const prepared = RESPONSES[incoming.url ?? '']
    assert.ok(prepared)
    sendPrepared(incoming, response, prepared)
  })
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  after(() => server.close())

  async function ask(method: string, path: string, headers: Record<string, string> = {}) {
    const { port } = server.address() as AddressInfo
    const call = request({ port, host: '127.0.0.1', path, method, headers, agent: false }).end()
    const [response] = await once(call, 'response')
    const body = Buffer.concat(await response.toArray())
    return {
      status: response.statusCode as number,
      headers: response.headers as IncomingHttpHeaders,
      names: response.rawHeaders.filter((_: string, index: number) => index % 2 === 0) as string[],
      body
    }
  }

  test('headers in their order, bytes and length', async () => {
    const { status, names, headers, body } = await ask('GET', '/small')
    assert.equal(status, 200)
    assert.deepEqual(names.slice(0, 6), [
      ...['x-shared', 'cache-control', 'etag', 'last-modified'],
      ...['content-type', 'content-length']
    ])
    assert.equal(headers['last-modified'], 'Fri, 02 Jan 2026 03:04:05 GMT')
    assert.equal(String(body), 'Tørrvik 🚀')
    assert.equal(headers['content-length'], String(body.length))
  })

  test('HEAD has the head of GET and no body', async () => {
    const [get, head] = [await ask('GET', '/large'), await ask('HEAD', '/large')]
    assert.equal(head.body.length, 0)
    const { date: _, ...headers } = get.headers
    assert.partialDeepStrictEqual(head.headers, headers)
  })

  test('gzip for a client that accepts it, with its own validator', async () => {
    const [plain, packed] = [
      await ask('GET', '/large'),
      await ask('GET', '/large', { 'accept-encoding': 'br, gzip' })
    ]
    assert.equal(String(plain.body), LARGE)
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.equal(String(gunzipSync(packed.body)), LARGE)
    assert.equal(packed.headers.etag, plain.headers.etag?.replace(/"$/, '-gzip"'))
    const small = await ask('GET', '/small', { 'accept-encoding': 'gzip' })
    assert.equal(small.headers['content-encoding'], undefined)
  })

  test('304 with the shared headers only, for the validator of the coding', async () => {
    const { etag = '' } = (await ask('GET', '/large')).headers
    const again = await ask('GET', '/large', { 'if-none-match': `"x", W/${etag}` })
    assert.equal(again.status, 304)
    const names = ['x-shared', 'cache-control', 'etag', 'last-modified']
    assert.deepEqual(again.names.slice(0, 4), names)
    assert.equal(again.headers['content-type'], undefined)
    const packed = { 'if-none-match': etag, 'accept-encoding': 'gzip' }
    assert.equal((await ask('GET', '/large', packed)).status, 200)
    assert.equal((await ask('HEAD', '/large', { 'if-none-match': '*' })).status, 304)
    assert.equal((await ask('POST', '/large', { 'if-none-match': '*' })).status, 200)
  })

  test('If-Modified-Since is used only without If-None-Match', async () => {
    const since = 'Fri, 02 Jan 2026 03:04:05 GMT'
    assert.equal((await ask('GET', '/small', { 'if-modified-since': since })).status, 304)
    const earlier = since.replace(':05', ':04')
    assert.equal((await ask('GET', '/small', { 'if-modified-since': earlier })).status, 200)
    assert.equal((await ask('GET', '/small', { 'if-modified-since': 'never' })).status, 200)
    const both = { 'if-modified-since': since, 'if-none-match': '"x"' }
    assert.equal((await ask('GET', '/small', both)).status, 200)
  })

  test('a response without a validator is always sent', async () => {
    const { status, headers } = await ask('GET', '/changing', { 'if-none-match': '*' })
    assert.equal(status, 200)
    assert.equal(headers.etag, undefined)
  })
})

test('gzip is used if it is named and not rejected', () => {
  for (const header of ['gzip', 'br, gzip', 'gzip;q=0.5', 'x, gzip ; q=1']) {
    assert.ok(acceptsGzip(header), header)
  }
  for (const header of [undefined, '', '*', 'br', 'gzip;q=0', 'gzip; q=0.00, br']) {
    assert.ok(!acceptsGzip(header), header)
  }
})

test('the size in a cache counts the body twice, and the key', () => {
  assert.equal(preparedSize(prepare('x'.repeat(500)), 'k'.repeat(30)), 2 * 500 + 30 + 2048)
})
