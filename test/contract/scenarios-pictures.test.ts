import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { type Nonet, start } from '../../src/host/start.ts'
import { contract } from '../support/contract.ts'

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'access-control-allow-origin': '*'
}

contract('pictures of people', { service: 'scenarios' }, [
  {
    proves: 'the name that clients know leads to an SVG with initials',
    send: { path: '/img/faces/4-image.jpg' },
    expect: {
      status: 200,
      type: 'image/svg+xml',
      headers: HEADERS,
      text: /^<svg [^>]*width="128" height="128"[^>]*role="img">\n<title>Eve Holt<\/title>[\s\S]*>EH<\/text>\n<\/svg>\n$/
    }
  },
  {
    proves: 'the SVG has a name of its own',
    send: { path: '/img/faces/12-image.svg' },
    expect: { status: 200, type: 'image/svg+xml', text: />RH<\/text>/ }
  },
  {
    proves: 'there is a PNG for clients that draw no SVG',
    send: { path: '/img/faces/2-image.png' },
    expect: { status: 200, type: 'image/png', headers: HEADERS }
  },
  {
    proves: 'synthetic people have one too',
    send: { path: '/img/faces/247-image.jpg' },
    expect: { status: 200, type: 'image/svg+xml' }
  },
  ...['0-image.jpg', '10001-image.jpg', '4-image.gif', 'x', '4-image.jpg/x', '../faces'].map(
    (name) => ({
      proves: `nobody is called ${name}`,
      send: { path: `/img/faces/${name}` },
      expect: { status: 404, json: {}, headers: { 'access-control-allow-origin': '*' } }
    })
  ),
  {
    proves: 'a picture cannot be written',
    send: { method: 'POST', path: '/img/faces/4-image.jpg' },
    expect: { status: 405, json: { error: 'Method not allowed' } }
  }
])

describe('pictures', () => {
  let nonet: Nonet<'scenarios'>
  before(async () => {
    nonet = await start({ services: ['scenarios'] })
  })
  after(() => nonet.stop())

  const get = (path: string, headers = {}) => fetch(nonet.scenarios.url + path, { headers })

  test('the PNG is a whole one of 128 × 128, mirrored, and differs from person to person', async () => {
    const pictures = await Promise.all(
      [1, 2].map(async (id) =>
        Buffer.from(await (await get(`/img/faces/${id}-image.png`)).arrayBuffer())
      )
    )
    for (const png of pictures) {
      assert.equal(png.toString('latin1', 1, 4), 'PNG')
      assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [128, 128])
      const at = png.indexOf('IDAT')
      const pixels = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
      assert.equal(pixels.length, 128 * 17)
      const bit = (x: number, y: number) =>
        ((pixels[y * 17 + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
      for (let y = 0; y < 128; y += 12) {
        for (let x = 4; x < 64; x += 12) assert.equal(bit(x, y), bit(127 - x, y), `${x} ${y}`)
      }
    }
    assert.notDeepEqual(pictures[0], pictures[1])
  })

  test('a known picture is not sent again', async () => {
    const first = await get('/img/faces/4-image.jpg')
    const etag = first.headers.get('etag') ?? ''
    const again = await get('/img/faces/4-image.jpg', { 'if-none-match': etag })
    assert.equal(again.status, 304)
  })

  test('somebody of a workspace is drawn with the name of today, whatever it contains', async () => {
    const write = (path: string, method: string, body: object) =>
      fetch(`${nonet.scenarios.url}/w/faces/api${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body)
      })
    const created = await write('/users', 'POST', { first_name: '<b>&\u0001', last_name: '"👩‍🚀"' })
    const { id } = (await created.json()) as { id: string }
    const picture = await get(`/w/faces/img/faces/${id}-image.jpg`)
    const svg = await picture.text()
    assert.match(svg, /<title>&lt;b&gt;&amp; &quot;👩‍🚀&quot;<\/title>/)
    assert.match(svg, />&lt;&quot;<\/text>/)
    assert.equal(picture.headers.get('cache-control'), 'private, no-cache')
    await write(`/users/${id}`, 'PUT', { first_name: 'Ada', last_name: 'Lovelace' })
    assert.match(await (await get(`/w/faces/img/faces/${id}-image.jpg`)).text(), />AL<\/text>/)
    await write(`/users/${id}`, 'DELETE', {})
    assert.equal((await get(`/w/faces/img/faces/${id}-image.jpg`)).status, 404)
  })

  test('the address in a list leads to the picture', async () => {
    const { data } = (await (await get('/api/users/7')).json()) as { data: { avatar: string } }
    assert.match(data.avatar, /\/img\/faces\/7-image\.jpg$/)
    assert.equal((await fetch(data.avatar)).status, 200)
  })
})
