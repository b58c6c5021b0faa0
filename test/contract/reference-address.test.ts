import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { sendRaw } from '../support/raw-socket.ts'

/** `fetch` cannot choose its Host. */
function ask(base: string, path: string, headers: Record<string, string>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const call = request(base + path, { headers }, async (answer) => {
    answer.setEncoding('utf8')
    resolve((await answer.toArray()).join(''))
  })
  call.on('error', reject).end()
  return promise
}

async function urlOf(base: string, headers: Record<string, string>): Promise<string> {
  return JSON.parse(await ask(base, '/api/people/1/', headers)).url
}

describe('I-1, addresses in bodies', () => {
  let nonet: Nonet<'reference'>
  before(async () => {
    nonet = await start({ services: ['reference'] })
  })
  after(() => nonet.stop())

  test('links repeat the host the client used', async () => {
    const { url } = nonet.reference
    assert.equal(
      await urlOf(url, { host: 'localhost:4001' }),
      'http://localhost:4001/api/people/1/'
    )
    assert.equal(await urlOf(url, { host: 'my.localhost' }), 'http://my.localhost/api/people/1/')
    assert.equal(await urlOf(url, {}), `${url}/api/people/1/`)
  })

  test('next and image repeat it too', async () => {
    const list = await ask(nonet.reference.url, '/api/people/?page_size=1&include=image', {
      host: 'localhost:4001'
    })
    const { next, results } = JSON.parse(list)
    assert.equal(next, 'http://localhost:4001/api/people/?page_size=1&include=image&page=2')
    assert.equal(results[0].image, 'http://localhost:4001/api/people/1/image.svg')
  })

  test('a foreign host and an untrusted proxy are not believed', async () => {
    const { url } = nonet.reference
    assert.equal(await urlOf(url, { host: 'evil.example' }), `${url}/api/people/1/`)
    assert.equal(await urlOf(url, { 'x-forwarded-proto': 'https' }), `${url}/api/people/1/`)
  })

  test('many hosts in turn each get their own links', async () => {
    for (let round = 0; round < 2; round += 1) {
      for (let port = 5000; port < 5040; port += 1) {
        const host = `localhost:${port}`
        assert.equal(await urlOf(nonet.reference.url, { host }), `http://${host}/api/people/1/`)
      }
    }
  })
})

describe('I-1, absolute-form request targets', () => {
  let nonet: Nonet<'reference'>
  before(async () => {
    nonet = await start({ services: ['reference'] })
  })
  after(() => nonet.stop())

  async function answerTo(method: string, target: string): Promise<string> {
    const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close']
    const { text } = await sendRaw(
      nonet.reference.url,
      [`${lines.join('\r\n')}\r\n\r\n`],
      5000,
      30_000
    )
    return text.replace(/^Date: .*\r\n/m, '')
  }

  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/?format=wookiee'],
    ['GET', '/api/people/1/'],
    ['GET', '/api/people/?page_size=1&search=a'],
    ['HEAD', '/api/planets/'],
    ['OPTIONS', '/api/people/'],
    ['GET', '/api/nothing/'],
    ['POST', '/api/people/']
  ] as const) {
    test(`${method} ${path}`, async () => {
      for (const origin of ['http://example.com:80', 'HTTP://[::1]']) {
        assert.equal(await answerTo(method, origin + path), await answerTo(method, path))
      }
    })
  }

  test('a URL without a path names the root', async () => {
    assert.equal(await answerTo('GET', 'http://localhost'), await answerTo('GET', '/'))
    const wookiee = await answerTo('GET', 'http://localhost?format=wookiee')
    assert.equal(wookiee, await answerTo('GET', '/?format=wookiee'))
  })
})

describe('I-1 at a public address', () => {
  test('every link begins with it', async () => {
    await using nonet = await start({
      services: ['reference'],
      publicUrl: { reference: 'https://people.example' }
    })
    assert.equal(await urlOf(nonet.reference.url, {}), 'https://people.example/api/people/1/')
  })

  test('a trusted proxy is believed', async () => {
    const trusted = { trustedProxy: ['127.0.0.1'], allowedHost: ['people.example'] }
    await using nonet = await start({ services: ['reference'], ...trusted })
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'people.example' }
    const url = await urlOf(nonet.reference.url, headers)
    assert.equal(url, 'https://people.example/api/people/1/')
    const forged = { ...headers, 'x-forwarded-host': 'evil.example' }
    assert.doesNotMatch(await urlOf(nonet.reference.url, forged), /evil/)
  })
})
