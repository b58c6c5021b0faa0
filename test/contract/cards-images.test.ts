import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import sharp from 'sharp'
import { RENDITION_WIDTHS } from '../../src/services/cards/present/image-url.ts'
import {
  download,
  found,
  gpsPhoto,
  jpeg,
  openBoard,
  type TestBoard,
  upload
} from '../support/cards-files.ts'
import { animate, SECRET } from '../support/planted-images.ts'
import { createRandom } from '../support/random.ts'
import { type CardsJson, type Site, sites } from './cards-site.ts'

/** Words that no random link contains. */
const LONG_MARKS = [SECRET, 'xmpmeta', '48.8584N']
const MARKS = [...LONG_MARKS, 'Exif', 'GPS']
const CACHE = 'public, max-age=31536000, immutable'

/** What a reader without a token, or with a key, sees of the attachments of a card. */
async function publicView(site: Site, card: string, token?: string): Promise<CardsJson[]> {
  return site.json(`/cards/${card}/attachments`, { token })
}

async function imageUrlOf(site: Site, card: string): Promise<string> {
  const [first] = await publicView(site, card)
  return first.url
}

async function sizeOf(bytes: Buffer) {
  const { format, width, height, pageHeight } = await sharp(bytes).metadata()
  return [format, width, pageHeight ?? height]
}

function change(site: Site, { token }: TestBoard, path: string, body: object) {
  return site.json(path, { method: 'PUT', token, body })
}

function withoutMarks(bytes: Buffer, url: string, marks = MARKS): void {
  for (const mark of marks) assert.equal(bytes.includes(mark, 0, 'latin1'), false, `${mark} ${url}`)
}

sites('I-9, public images', {}, (site) => {
  test('a photo with its location is public nowhere with it', async () => {
    const board = await openBoard(site())
    const { card, token } = board
    const photo = await gpsPhoto(1300, 900)
    for (const mark of [SECRET, 'Exif']) assert.ok(photo.includes(mark, 0, 'latin1'))
    const own = await upload(site(), board, photo)
    const [seen] = await publicView(site(), card)
    assert.match(seen.url, new RegExp(`^${site().url}/images/[0-9a-f]{64}\\.jpg$`))
    const renditions = RENDITION_WIDTHS.flatMap((width) =>
      ['', '&format=webp', '&format=png', '&format=auto', '&h=150&fit=cover'].map(
        (more) => `${seen.url}?w=${width}${more}`
      )
    )
    const previews = [...seen.previews, ...own.previews].map(({ url }: CardsJson) => url)
    const authorization = `Bearer ${token}`
    const urls = [seen.url, `${seen.url}?format=png`, ...previews, ...renditions]
    for (const url of urls) {
      const headers = url.startsWith(`${site().url}/1/`) ? { authorization } : undefined
      const { bytes } = await found(url, headers)
      assert.notDeepEqual(bytes, photo)
      withoutMarks(bytes, url)
    }
    const { shortLink } = await site().json(`/boards/${board.board}?fields=shortLink`)
    const lists = [
      `/1/cards/${card}?attachments=true`,
      `/1/boards/${board.board}?cards=all&card_attachments=true`,
      `/content/${board.board}/cards`,
      `/content/${board.board}/feed.xml`,
      `/b/${shortLink}.json`
    ]
    for (const path of lists) {
      const { bytes } = await found(site().url + path)
      withoutMarks(bytes, path, LONG_MARKS)
      const images = bytes.toString().match(/\/images\/[0-9a-f]{64}[^"<&\s]*/g) ?? []
      for (const image of new Set(images)) {
        withoutMarks((await found(site().url + image)).bytes, image)
      }
    }
    assert.deepEqual((await found(own.url, { authorization })).bytes, photo)
    assert.equal((await download(own.url)).status, 401)
    const hash = createHash('sha256').update(photo).digest('hex')
    for (const headers of [{}, { authorization }]) {
      assert.equal((await download(`${site().url}/images/${hash}.jpg`, headers)).status, 404)
    }
  })

  test('images can be cached for ever, shown by any site, and run nothing', async () => {
    const board = await openBoard(site())
    await upload(site(), board, await jpeg(800, 400))
    const url = await imageUrlOf(site(), board.card)
    for (const target of [url, `${url}?w=320`]) {
      const { headers, bytes } = await found(target)
      const header = (name: string) => headers.get(name)
      assert.equal(header('content-type'), 'image/jpeg')
      assert.equal(header('cache-control'), CACHE)
      assert.equal(header('x-content-type-options'), 'nosniff')
      assert.equal(header('content-security-policy'), "default-src 'none'; sandbox")
      assert.equal(header('cross-origin-resource-policy'), 'cross-origin')
      assert.equal(header('access-control-allow-origin'), '*')
      assert.equal(header('content-disposition'), null)
      const etag = header('etag') ?? ''
      const same = await download(target, { 'if-none-match': etag })
      assert.deepEqual([same.status, same.bytes.length], [304, 0])
      assert.equal(same.headers.get('cache-control'), CACHE)
      const head = await download(target, {}, 'HEAD')
      assert.deepEqual(
        [head.status, head.headers.get('content-length'), head.bytes.length],
        [200, String(bytes.length), 0]
      )
    }
    const { bytes: whole } = await found(url)
    const part = await download(url, { range: 'bytes=10-19' })
    assert.equal(part.status, 206)
    assert.deepEqual(part.bytes, whole.subarray(10, 20))
    assert.equal(part.headers.get('content-range'), `bytes 10-19/${whole.length}`)
    assert.equal((await download(url, { range: `bytes=${whole.length}-` })).status, 416)
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const denied = await download(url, {}, method)
      assert.deepEqual([denied.status, denied.headers.get('allow')], [405, 'GET, HEAD'])
    }
    const preflight = await download(url, { 'access-control-request-headers': 'a' }, 'OPTIONS')
    assert.equal(preflight.status, 204)
    const bare = url.replace('.jpg', '')
    assert.equal((await download(bare)).status, 200)
    const wrong = ['.png', '.html', '.jpg/a', '.JPG'].map((end) => bare + end)
    const others = ['', '/', '/x', `/${'0'.repeat(64)}.jpg`, '/..%2f..%2fa', `/${'A'.repeat(64)}`]
    for (const target of [...wrong, ...others.map((end) => `${site().url}/images${end}`)]) {
      const missing = await download(target)
      assert.equal(missing.status, 404, target)
      assert.match(missing.headers.get('cache-control') ?? '', /no-store/)
    }
    for (const query of ['w=321', 'w=99999', 'w=-1', 'h=7', 'fit=fill&w=320', 'format=svg']) {
      const denied = await download(`${url}?${query}`)
      assert.equal(denied.status, 400, query)
      assert.match(denied.bytes.toString(), / must be one of /)
    }
  })

  test('previews and renditions have the sizes that are announced, and none is enlarged', async () => {
    const random = createRandom(9)
    const png = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 4, background: '#30c02080' } })
        .png()
        .toBuffer()
    const cases: [string, Buffer, string][] = [
      ['wide.jpg', await jpeg(1250, 700), 'jpeg'],
      ['tall.png', await png(301, 1203), 'webp'],
      ['flat.png', await png(200, 30), 'webp'],
      ['tiny.jpg', await jpeg(20, 10), 'jpeg'],
      ['moving.gif', await animate(random, (one) => one.gif()), 'webp']
    ]
    const board = await openBoard(site())
    for (const [name, bytes, format] of cases) {
      const { id } = await upload(site(), board, bytes, { name })
      const shown = (await publicView(site(), board.card)).find((one) => one.id === id)
      for (const { url, width, height, scaled } of shown.previews) {
        const preview = await found(url)
        const [type, ...size] = await sizeOf(preview.bytes)
        assert.deepEqual(size, [width, height], `${name} ${url}`)
        if (scaled && url.includes('?')) assert.equal(type, format)
      }
      assert.equal(shown.previews.at(-1).bytes, (await found(shown.url)).bytes.length)
    }
  })

  test('auto sends the type that the client accepts', async () => {
    const board = await openBoard(site())
    await upload(site(), board, await jpeg(800, 400))
    const url = `${await imageUrlOf(site(), board.card)}?w=320&format=auto`
    const types = ['image/webp,*/*', '*/*', 'image/webp;q=0']
    const received = await Promise.all(types.map((accept) => found(url, { accept })))
    assert.deepEqual(
      received.map(({ headers }) => [headers.get('content-type'), headers.get('vary')]),
      [
        ['image/webp', 'Accept'],
        ['image/jpeg', 'Accept'],
        ['image/jpeg', 'Accept']
      ]
    )
    assert.deepEqual(await sizeOf(received[0]?.bytes ?? Buffer.alloc(0)), ['webp', 320, 160])
  })

  test('a card that is not published any more has no public image', async () => {
    const board = await openBoard(site())
    const { card, token, published, drafts } = board
    const added = await upload(site(), board, await jpeg(40, 30, '#123456'))
    const url = await imageUrlOf(site(), card)
    const [preview] = added.previews
    const steps: [path: string, hide: object, show: object][] = [
      [`/cards/${card}`, { idList: drafts }, { idList: published }],
      [`/cards/${card}`, { closed: true }, { closed: false }],
      [`/lists/${published}`, { closed: true }, { closed: false }],
      [`/boards/${board.board}`, { closed: true }, { closed: false }],
      [
        `/boards/${board.board}`,
        { 'prefs/permissionLevel': 'private' },
        { 'prefs/permissionLevel': 'public' }
      ]
    ]
    for (const [path, hide, show] of steps) {
      for (const target of [url, `${url}?w=150`, preview.url]) await found(target)
      await change(site(), board, path, hide)
      for (const target of [url, `${url}?w=150`, preview.url]) {
        assert.equal((await download(target)).status, 404, JSON.stringify(hide))
      }
      const own = await found(url, { authorization: `Bearer ${token}` })
      assert.equal(own.headers.get('cache-control'), 'private, no-cache')
      await found(`${url}?w=150&token=${token}`)
      await change(site(), board, path, show)
    }
    const other = await openBoard(site())
    assert.equal((await download(url, { authorization: `Bearer ${other.token}` })).status, 404)
    await site().json(`/cards/${card}/attachments/${added.id}`, { method: 'DELETE', token })
    assert.equal((await download(url)).status, 404)
  })

  test('a preview token shows images of drafts of its board or card', async () => {
    const board = await openBoard(site(), 'private')
    await change(site(), board, `/cards/${board.card}`, { idList: board.drafts })
    await upload(site(), board, await jpeg(40, 30, '#abcdef'))
    const [own] = await publicView(site(), board.card, board.token)
    const other = await openBoard(site(), 'private')
    const make = async ({ board: id, token }: TestBoard, body: object) => {
      const path = `/content/${id}/preview-tokens`
      const { text } = await site().ask(path, { method: 'POST', token, body })
      return JSON.parse(text).token
    }
    const { bytes } = await found(own.previews.at(-1).url, {
      authorization: `Bearer ${board.token}`
    })
    const hash = createHash('sha256').update(bytes).digest('hex')
    const url = `${site().url}/images/${hash}.jpg`
    assert.equal((await download(url)).status, 404)
    for (const body of [{}, { card: board.card }]) {
      const token = await make(board, body)
      const shown = await found(`${url}?w=150&token=${token}`)
      assert.equal(shown.headers.get('cache-control'), 'private, no-cache')
      await found(url, { authorization: `Bearer ${token}` })
      assert.equal((await download(`${url}?token=${token}x`)).status, 401)
      assert.equal((await download(`${own.url}?token=${token}`)).status, 401)
    }
    assert.equal((await download(`${url}?token=${await make(other, {})}`)).status, 404)
    const second = await site().json('/cards', {
      method: 'POST',
      token: board.token,
      body: { name: 'Another', idList: board.drafts }
    })
    const limited = await make(board, { card: second.id })
    assert.equal((await download(`${url}?token=${limited}`)).status, 404)
  })

  test('a publishable key makes the images of its board public until it is revoked', async () => {
    const board = await openBoard(site(), 'private')
    const first = await upload(site(), board, await jpeg(40, 30, '#654321'))
    const flags = { member: board.userName, board: board.board }
    const make = () => site().token({ scopes: ['published'], flags })
    const key = await make()
    const [seen] = await publicView(site(), board.card, key.secret)
    assert.match(seen.url, /\/images\//)
    await found(seen.url)
    await found(seen.previews[0].url)
    const keyed = await found(seen.url, { authorization: `Bearer ${key.secret}` })
    assert.equal(keyed.headers.get('cache-control'), 'private, no-cache')
    const other = await openBoard(site(), 'private')
    const foreign = await site().publishable(other.userName, other.board)
    assert.equal((await download(seen.url, { authorization: `Bearer ${foreign}` })).status, 404)
    await site().revoke(key.id)
    for (const target of [seen.url, `${seen.url}?w=150`]) {
      assert.equal((await download(target)).status, 404)
    }
    const second = await make()
    await found(seen.url)
    await change(site(), board, `/cards/${board.card}`, { idList: board.drafts })
    assert.equal((await download(seen.url)).status, 404)
    const bearer = { authorization: `Bearer ${second.secret}` }
    assert.equal((await download(seen.url, bearer)).status, 404)
    assert.equal((await download(first.url, bearer)).status, 401)
  })

  test('SVG is shown as pixels; it loads and runs nothing', async () => {
    const asked: (string | undefined)[] = []
    const server = createServer(({ url }, response) => {
      asked.push(url)
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const outside = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const drawing = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="60" height="40" onload="alert(1)"><script>alert(1)</script><rect width="60" height="40" fill="#c03020"/><image href="${outside}/a.png" xlink:href="file:///etc/passwd" width="9" height="9"/><foreignObject><body xmlns="http://www.w3.org/1999/xhtml">${SECRET}</body></foreignObject></svg>`
      const board = await openBoard(site())
      const own = await upload(site(), board, Buffer.from(drawing), { name: 'drawing.svg' })
      const url = await imageUrlOf(site(), board.card)
      assert.match(url, /\.png$/)
      const { bytes, headers } = await found(url)
      assert.equal(headers.get('content-type'), 'image/png')
      assert.deepEqual(await sizeOf(bytes), ['png', 60, 40])
      withoutMarks(bytes, url)
      const authorization = `Bearer ${board.token}`
      const original = await found(own.url, { authorization })
      assert.equal(original.bytes.toString(), drawing)
      assert.equal(original.headers.get('content-type'), 'application/octet-stream')
      assert.match(original.headers.get('content-disposition') ?? '', /^attachment;/)
      assert.deepEqual(asked, [])
    } finally {
      server.close()
    }
  })

  test('files of two types lose the second, and what is no image is no image', async () => {
    const board = await openBoard(site())
    const script = `<script>alert("${SECRET}")</script>`
    const polyglot = Buffer.concat([await gpsPhoto(60, 40), Buffer.from(script)])
    await upload(site(), board, polyglot, { name: 'a.html' })
    const url = await imageUrlOf(site(), board.card)
    const { bytes, headers } = await found(url)
    assert.equal(headers.get('content-type'), 'image/jpeg')
    withoutMarks(bytes, url)
    const photo = await jpeg(60, 40)
    const others: [string, Buffer][] = [
      ['page.png', Buffer.from(`<html>${script}</html>`)],
      ['cut.jpg', photo.subarray(0, photo.length / 2)],
      ['start.png', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(99)])],
      ['empty.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">')],
      ['empty.bin', Buffer.alloc(0)]
    ]
    for (const [name, content] of others) {
      const added = await upload(site(), board, content, { name })
      assert.deepEqual([added.previews, added.edgeColor], [[], null], name)
      const authorization = `Bearer ${board.token}`
      assert.deepEqual((await found(added.url, { authorization })).bytes, content)
      const shown = (await publicView(site(), board.card)).find(({ id }) => id === added.id)
      assert.equal(shown.url, added.url)
      assert.equal((await download(shown.url)).status, 401)
    }
  })
})
