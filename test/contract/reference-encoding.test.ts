import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type Nonet, start } from '../../src/host/start.ts'

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Not fetch: it decodes before anybody can look. */
function ask(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { headers, method }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: Buffer.concat(chunks) })
      })
    })
      .on('error', reject)
      .end()
  })
}

describe('reference: compressed answers', () => {
  let nonet: Nonet<'reference'>
  let list: string
  before(async () => {
    nonet = await start({ services: ['reference'] })
    list = `${nonet.reference.url}/api/people/`
  })
  after(() => nonet.stop())

  for (const accepted of ['gzip', 'gzip, deflate, br', 'br;q=1, gzip;q=0.5', 'GZIP, gzip']) {
    test(`Accept-Encoding: ${accepted} gets gzip of the same bytes`, async () => {
      const plain = await ask(list)
      const { status, headers, body } = await ask(list, { 'accept-encoding': accepted })
      assert.equal(status, 200)
      assert.equal(headers['content-encoding'], 'gzip')
      assert.equal(headers['content-length'], String(body.length))
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(headers.vary, 'Accept, Accept-Encoding')
      assert.deepEqual(gunzipSync(body), plain.body)
      assert.ok(body.length < plain.body.length / 2)
    })
  }

  for (const accepted of ['identity', 'br', 'gzip;q=0', 'gzip; q=0.000, br', '*']) {
    test(`Accept-Encoding: ${accepted} gets the plain bytes`, async () => {
      const { headers, body } = await ask(list, { 'accept-encoding': accepted })
      assert.equal(headers['content-encoding'], undefined)
      assert.equal(JSON.parse(body.toString()).results.length, 10)
    })
  }

  test('a small answer stays as it is', async () => {
    const { headers, body } = await ask(`${nonet.reference.url}/api/`, {
      'accept-encoding': 'gzip'
    })
    assert.equal(headers['content-encoding'], undefined)
    assert.ok(body.length < 1024)
  })

  test('each coding has a validator of its own', async () => {
    const gzip = { 'accept-encoding': 'gzip' }
    const compressed = String((await ask(list, gzip)).headers.etag)
    const plain = String((await ask(list)).headers.etag)
    assert.notEqual(compressed, plain)
    const matching = await ask(list, { ...gzip, 'if-none-match': compressed })
    assert.equal(matching.status, 304)
    assert.equal(matching.headers.etag, compressed)
    assert.equal((await ask(list, { ...gzip, 'if-none-match': plain })).status, 200)
    assert.equal((await ask(list, { 'if-none-match': compressed })).status, 200)
  })

  test('HEAD tells the length of the coding that GET would send', async () => {
    const gzip = { 'accept-encoding': 'gzip' }
    const got = await ask(list, gzip)
    const head = await ask(list, gzip, 'HEAD')
    assert.equal(head.headers['content-length'], got.headers['content-length'])
    assert.equal(head.headers['content-encoding'], 'gzip')
    assert.equal(head.body.length, 0)
  })
})

describe('reference: answers that lie ready', () => {
  let nonet: Nonet<'reference'>
  before(async () => {
    nonet = await start({ services: ['reference'], allowedHost: ['a.example', 'b.example'] })
  })
  after(() => nonet.stop())

  /** Twice, because the second answer takes the short way. */
  async function twice(path: string, headers: Record<string, string>, method = 'GET') {
    const first = await ask(nonet.reference.url + path, headers, method)
    const { date: _, ...firstHeaders } = first.headers
    const second = await ask(nonet.reference.url + path, headers, method)
    const { date: __, ...secondHeaders } = second.headers
    assert.deepEqual([second.status, secondHeaders], [first.status, firstHeaders])
    assert.deepEqual(second.body, first.body)
    return second
  }

  test('the same address gives each host its own links', async () => {
    for (const host of ['a.example', 'b.example', 'a.example']) {
      const { body } = await twice('/api/people/1/', { host })
      assert.equal(JSON.parse(body.toString()).url, `http://${host}/api/people/1/`)
    }
  })

  test('the same address gives each reader the form asked for', async () => {
    const forms = {
      'application/json': /^\{"name"/,
      'text/html': /^<!doctype html>/,
      'application/json;indent=2': /^\{\n {2}"name"/
    }
    for (const [accept, pattern] of Object.entries(forms)) {
      assert.match((await twice('/api/people/1/', { accept })).body.toString(), pattern)
    }
    assert.equal((await twice('/api/people/1/', { accept: 'image/png' })).status, 406)
  })

  test('parameters make another answer, failures stay failures, other methods stay refused', async () => {
    assert.match(
      (await twice('/api/people/1/?fields=name', {})).body.toString(),
      /^\{"name":"[^"]+"\}$/
    )
    assert.match(
      (await twice('/api/people/1/?format=wookiee', {})).body.toString(),
      /^\{"whrascwo"/
    )
    assert.equal((await twice('/api/people/0/', {})).status, 404)
    assert.equal((await twice('/api/people/1/', {}, 'POST')).status, 405)
    assert.equal((await twice('/api/people/1/', {}, 'HEAD')).body.length, 0)
    assert.equal((await twice('/api/people/1/', {}, 'OPTIONS')).status, 200)
  })
})
