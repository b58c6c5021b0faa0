import assert from 'node:assert/strict'
import { createServer, IncomingMessage, request } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { after, before, test } from 'node:test'
import {
  type BaseUrlOptions,
  createBaseUrl,
  isInRanges,
  isKnownHost,
  parseRanges,
  serviceUrlFor
} from './base-url.ts'
import { UserError } from './errors.ts'

const NOTHING: BaseUrlOptions = { trustedProxies: [], allowedHosts: [] }

let port = 0
let prepared: (incoming: IncomingMessage) => string = () => ''
const server = createServer((incoming, response) => response.end(prepared(incoming)))
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
after(() => server.close())

async function baseFor(options: BaseUrlOptions, headers: Record<string, string>): Promise<string> {
  prepared = createBaseUrl(options)
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', headers, agent: false }, (response) => {
      response.setEncoding('utf8').on('data', resolve)
    })
      .on('error', reject)
      .end()
  })
}

async function check(
  options: Partial<BaseUrlOptions>,
  headers: Record<string, string>,
  expected: string
): Promise<void> {
  const actual = await baseFor({ ...NOTHING, ...options }, headers)
  assert.equal(actual, expected.replace('PORT', String(port)))
}

test('a known host is used, in lower case', async () => {
  await check({}, { host: 'LocalHost:81' }, 'http://localhost:81')
  await check({}, { host: 'swapi.localhost' }, 'http://swapi.localhost')
  await check({}, { host: '192.168.1.5:4001' }, 'http://192.168.1.5:4001')
  await check({}, { host: '[::1]:4001' }, 'http://[::1]:4001')
  await check(
    { allowedHosts: ['People.example'] },
    { host: 'people.EXAMPLE:8' },
    'http://people.example:8'
  )
})

test('an unknown or malformed host is replaced by the IP address of the socket', async () => {
  for (const host of [
    'evil.example',
    'localhost.evil.example',
    '"><script>',
    '[zz]:1',
    'a b',
    '127.0.0.1@evil.example',
    '127.0.0.1:99999'
  ]) {
    await check({}, { host }, 'http://127.0.0.1:PORT')
  }
})

test('the public URL takes precedence over all other rules', async () => {
  const publicUrl = 'https://people.example/'
  await check(
    { publicUrl, trustedProxies: ['127.0.0.1'] },
    { 'x-forwarded-host': 'other.example' },
    'https://people.example'
  )
})

test('forwarded headers are used from a trusted proxy only', async () => {
  const forwarded = {
    host: 'localhost',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'a.example'
  }
  const allowedHosts = ['a.example']
  await check({ trustedProxies: ['127.0.0.0/8'], allowedHosts }, forwarded, 'https://a.example')
  await check({ trustedProxies: ['10.0.0.0/8'], allowedHosts }, forwarded, 'http://localhost')
  await check({ allowedHosts }, forwarded, 'http://localhost')
})

test('a forwarded host that is not known is not used, also from a trusted proxy', async () => {
  const proxy = { trustedProxies: ['127.0.0.1'], allowedHosts: ['a.example'] }
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' }
  await check(proxy, { ...headers, host: 'a.example' }, 'https://a.example')
  await check(proxy, { ...headers, host: 'other.example' }, 'http://127.0.0.1:PORT')
  await check(proxy, { ...headers, host: 'localhost:81' }, 'https://localhost:81')
})

test('a trusted proxy may pass the host on and add only the scheme', async () => {
  const proxy = { trustedProxies: ['127.0.0.1'], allowedHosts: ['a.example'] }
  await check(proxy, { host: 'a.example', 'x-forwarded-proto': 'https' }, 'https://a.example')
  await check(
    proxy,
    { host: 'evil.example', 'x-forwarded-proto': 'https' },
    'http://127.0.0.1:PORT'
  )
  await check(proxy, { host: 'evil.example' }, 'http://127.0.0.1:PORT')
})

test('the first scheme, the last host, and a port that is not in the host are used', async () => {
  const proxy = { trustedProxies: ['127.0.0.1'], allowedHosts: ['a.example', 'b.example'] }
  await check(
    proxy,
    { 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'a.example, b.example' },
    'https://b.example'
  )
  await check(
    proxy,
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.example', 'x-forwarded-port': '8443' },
    'https://a.example:8443'
  )
  await check(
    proxy,
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.example', 'x-forwarded-port': '443' },
    'https://a.example'
  )
  await check(
    proxy,
    { 'x-forwarded-host': 'a.example', 'x-forwarded-port': '80' },
    'http://a.example'
  )
  await check(
    proxy,
    { 'x-forwarded-host': 'a.example:81', 'x-forwarded-port': '82' },
    'http://a.example:81'
  )
})

test('invalid forwarded headers of a trusted proxy are ignored', async () => {
  const proxy = { trustedProxies: ['127.0.0.1'] }
  await check(proxy, { host: 'localhost', 'x-forwarded-host': '"><script>' }, 'http://localhost')
  await check(proxy, { host: 'localhost', 'x-forwarded-proto': 'javascript' }, 'http://localhost')
  await check(proxy, { host: 'localhost', 'x-forwarded-port': '8x' }, 'http://localhost')
})

test('any number of host names gives correct URLs in limited memory', async () => {
  const baseUrl = createBaseUrl(NOTHING)
  const incoming = new IncomingMessage(new Socket())
  for (let i = 0; i < 500; i++) {
    incoming.headers.host = `n${i}.localhost`
    assert.equal(baseUrl(incoming), `http://n${i}.localhost`)
  }
})

test('ranges are IP addresses or CIDR blocks of either family', () => {
  const ranges = parseRanges(['10.0.0.0/8', '::1', '2001:db8::/32'])
  assert.ok(ranges)
  for (const ip of ['10.9.8.7', '::ffff:10.9.8.7', '::1', '2001:db8::5']) {
    assert.ok(isInRanges(ranges, ip), ip)
  }
  for (const ip of ['11.0.0.1', '::2', undefined]) assert.ok(!isInRanges(ranges, ip))
  assert.equal(parseRanges([]), undefined)
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/x', '::1/129', '']) {
    assert.throws(() => parseRanges([wrong]), UserError, wrong)
  }
})

test('an allowed host may include its port', () => {
  assert.ok(isKnownHost('a.example:81', ['a.example:81']))
  assert.ok(!isKnownHost('a.example:82', ['a.example:81']))
})

test('the URL of a service has the host name of the request to the console', () => {
  const cases = [
    ['192.0.2.7:4000', 'http://192.0.2.7:4003'],
    ['localhost', 'http://localhost:4003'],
    ['[::1]:4000', 'http://[::1]:4003']
  ] as const
  for (const [host, url] of cases) {
    assert.equal(serviceUrlFor({ headers: { host } }, 'http://127.0.0.1:4003/'), url)
  }
})
