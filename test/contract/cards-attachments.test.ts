import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import {
  download,
  fileForm,
  found,
  jpeg,
  openBoard,
  type TestBoard,
  upload
} from '../support/cards-files.ts'
import { type CardsJson, type Site, sites } from './cards-site.ts'

const MAX_FILE = 100_000
const OPTIONS = { cards: { maxFileBytes: MAX_FILE, maxAttachments: 4 } }
const UNKNOWN = '0123456789abcdef01234567'
const TEXT = Buffer.from('plain text')

/** An attachment that is a link, or the response. */
async function attach(site: Site, { card, token }: TestBoard, body: object) {
  return site.api(`/cards/${card}/attachments`, { method: 'POST', token, body })
}

function cardOf(site: Site, { card, token }: TestBoard): Promise<CardsJson> {
  return site.json(`/cards/${card}`, { token })
}

sites('I-9, attachments', OPTIONS, (site) => {
  test('an upload has the members that Trello sends, and its previews in their order', async () => {
    const board = await openBoard(site())
    const { card, token } = board
    const bytes = await jpeg(1500, 1000)
    const added = await upload(site(), board, bytes, { name: 'Brücke 1.jpg' })
    const { id, date, idMember, previews, ...rest } = added
    assert.match(id, /^[0-9a-f]{24}$/)
    assert.match(date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.match(idMember, /^[0-9a-f]{24}$/)
    const path = `${site().url}/1/cards/${card}/attachments/${id}`
    assert.match(rest.edgeColor, /^#(bf|c0|c1)(2f|30|31)(1f|20|21)$/)
    assert.deepEqual(
      { ...rest, edgeColor: '' },
      {
        bytes: bytes.length,
        edgeColor: '',
        isUpload: true,
        mimeType: '',
        name: 'Brücke 1.jpg',
        url: `${path}/download/Br%C3%BCcke%201.jpg`,
        pos: 16384,
        fileName: 'Brücke 1.jpg',
        isMalicious: false,
        limits: {}
      }
    )
    assert.deepEqual(
      previews.map((one: CardsJson) => [one.scaled, one.width, one.height]),
      [
        [false, 70, 50],
        [false, 250, 150],
        [true, 150, 100],
        [true, 300, 200],
        [true, 600, 400],
        [true, 1200, 800],
        [true, 1500, 1000]
      ]
    )
    for (const preview of previews) {
      assert.deepEqual(Object.keys(preview).toSorted(), [
        ...['_id', 'bytes', 'height', 'id', 'scaled', 'url', 'width']
      ])
      assert.equal(preview._id, preview.id)
      assert.equal(preview.url, `${path}/previews/${preview.id}/download/Br%C3%BCcke%201.jpg`)
    }
    const { limits: _, ...stored } = added
    assert.deepEqual(await site().json(`/cards/${card}/attachments/${id}`, { token }), stored)
    assert.deepEqual(await site().json(`/cards/${card}/attachments`, { token }), [stored])
    const short = await site().json(`/cards/${card}/attachments?fields=name,,nothing`, { token })
    assert.deepEqual(short, [{ id, name: 'Brücke 1.jpg' }])
  })

  test('the first image is the cover until a member chooses another', async () => {
    const board = await openBoard(site())
    const { card, token } = board
    const cover = async () => {
      const { idAttachmentCover, manualCoverAttachment } = await cardOf(site(), board)
      return [idAttachmentCover, manualCoverAttachment]
    }
    await upload(site(), board, TEXT, { name: 'a.txt', setCover: 'true' })
    assert.deepEqual(await cover(), [null, false])
    const skipped = await upload(site(), board, await jpeg(20, 10), { setCover: 'false' })
    assert.deepEqual(await cover(), [null, false])
    const first = await upload(site(), board, await jpeg(20, 10))
    assert.equal(first.pos, 3 * 16384)
    assert.deepEqual(await cover(), [first.id, false])
    const remove = async (id: string) =>
      site().json(`/cards/${card}/attachments/${id}`, { method: 'DELETE', token })
    assert.deepEqual(await remove(first.id), { limits: {} })
    assert.deepEqual(await cover(), [skipped.id, false])
    const chosen = await upload(site(), board, await jpeg(20, 10), { setCover: 'true' })
    assert.deepEqual(await cover(), [chosen.id, true])
    const listed = await site().json(`/cards/${card}/attachments?filter=cover`, { token })
    assert.deepEqual(
      listed.map(({ id }: CardsJson) => id),
      [chosen.id]
    )
    await remove(chosen.id)
    assert.deepEqual(await cover(), [null, false])
    const gone = await site().api(`/cards/${card}/attachments/${chosen.id}`, { token })
    assert.deepEqual([gone.status, gone.text], [404, 'The requested resource was not found.'])
  })

  test('forms have their parts in any order, with tokens in them or in the query', async () => {
    const { card, token } = await openBoard(site())
    const fields = { key: 'k', token, name: 'Named', mimeType: 'image/x-own' }
    const forms = [fileForm(TEXT, 'a.txt', fields), fileForm(TEXT, 'a.txt', {}, fields)]
    for (const body of forms) {
      const added = await site().json(`/card/${card}/Attachments/`, { method: 'POST', body })
      assert.deepEqual([added.name, added.mimeType, added.bytes], ['Named', 'image/x-own', 10])
    }
    const query = new URLSearchParams({ ...fields, name: 'In the query' })
    const body = fileForm(TEXT, 'a.txt')
    const added = await site().json(`/cards/${card}/attachments?${query}`, { method: 'POST', body })
    assert.deepEqual([added.name, added.fileName], ['In the query', 'a.txt'])
  })

  test('links stay links, and only of http and https', async () => {
    const board = await openBoard(site())
    const url = 'https://photos.example/a%20b.jpg?c=d'
    const { status, text } = await attach(site(), board, { url, setCover: true })
    assert.equal(status, 200, text)
    const { bytes, mimeType, isUpload, previews, name, fileName, edgeColor, ...link } =
      JSON.parse(text)
    assert.equal(link.url, url)
    assert.deepEqual(
      { bytes, mimeType, isUpload, previews, name, fileName, edgeColor },
      {
        bytes: null,
        mimeType: '',
        isUpload: false,
        previews: [],
        name: url,
        fileName: null,
        edgeColor: null
      }
    )
    assert.equal((await cardOf(site(), board)).idAttachmentCover, null)
    const wrong = [
      'javascript:alert(1)',
      'java\tscript:a',
      'data:text/html,a',
      '//a.example',
      'a b'
    ]
    for (const value of wrong) {
      const refused = await attach(site(), board, { url: value })
      assert.deepEqual([refused.status, refused.text], [400, 'invalid value for url'], value)
    }
    const path = `/1/cards/${board.card}/attachments/${link.id}/download/a`
    assert.equal((await site().ask(path, { token: board.token })).status, 404)
  })

  test('wrong input gets a sentence, and nothing is stored', async () => {
    const board = await openBoard(site())
    const { card, token } = board
    const post = (body: unknown) =>
      site().api(`/cards/${card}/attachments`, { method: 'POST', token, body })
    const long = 'x'.repeat(257)
    const cases: [unknown, number, string | RegExp][] = [
      [{}, 400, /^Send a file as a part named file/],
      [{ file: '[object File]' }, 400, /^Send a file/],
      [{ url: 'https://a.example', name: long }, 400, 'invalid value for name'],
      [{ url: 'https://a.example', mimeType: long }, 400, 'invalid value for mimeType'],
      [{ url: 'https://a.example', name: 'a\0' }, 400, 'invalid value for name'],
      [{ url: 'https://a.example', setCover: 'maybe' }, 400, 'invalid value for setCover'],
      [{ url: ['https://a.example'] }, 400, 'invalid value for url'],
      [fileForm(TEXT, 'a.txt', { name: long }), 400, 'invalid value for name'],
      [fileForm(TEXT, 'a.txt', { pos: 'middle' }), 400, 'invalid value for pos'],
      [fileForm(Buffer.alloc(MAX_FILE + 1), 'a.bin'), 413, /maximum is 100000 bytes/]
    ]
    for (const [body, status, sentence] of cases) {
      const refused = await post(body)
      assert.equal(refused.status, status, refused.text)
      if (typeof sentence === 'string') assert.equal(refused.text, sentence)
      else assert.match(refused.text, sentence)
      assert.equal(refused.headers.get('content-type'), 'text/plain; charset=utf-8')
    }
    assert.deepEqual(await site().json(`/cards/${card}/attachments`, { token }), [])
    for (let count = 0; count < 4; count++) await upload(site(), board, TEXT, { name: 'a.txt' })
    const full = await post(fileForm(TEXT, 'a.txt'))
    assert.deepEqual([full.status, full.text], [403, 'A card can have at most 4 attachments'])
  })

  test('name, position and description change, and nothing else', async () => {
    const board = await openBoard(site())
    const { card, token } = board
    const first = await upload(site(), board, TEXT, { name: 'a.txt' })
    const { limits: _, ...second } = await upload(site(), board, TEXT, { name: 'b.txt' })
    const path = `/cards/${card}/attachments/${second.id}`
    const put = (body: object) => site().api(path, { method: 'PUT', token, body })
    const changed = await put({
      name: 'New',
      pos: 'top',
      alt: 'Two towers',
      ...{ id: UNKNOWN, url: 'javascript:a', isUpload: false, bytes: 1, idMember: UNKNOWN }
    })
    assert.equal(changed.status, 200, changed.text)
    const expected = { ...second, name: 'New', pos: first.pos / 2, alt: 'Two towers' }
    assert.deepEqual(JSON.parse(changed.text), expected)
    assert.deepEqual(await site().json(path, { token }), expected)
    const listed = await site().json(`/cards/${card}/attachments?fields=name`, { token })
    assert.deepEqual(
      listed.map(({ name }: CardsJson) => name),
      ['New', 'a.txt']
    )
    for (const body of [{ name: ' ' }, { name: 'x'.repeat(257) }, { pos: -1 }]) {
      assert.equal((await put(body)).status, 400)
    }
    assert.equal((await put({ alt: '' })).status, 200)
    assert.equal('alt' in (await site().json(path, { token })), false)
  })

  test('others neither see nor change attachments, also through a card of their own', async () => {
    const [mine, theirs] = [await openBoard(site()), await openBoard(site(), 'private')]
    const added = await upload(site(), theirs, await jpeg(20, 10))
    const [preview] = added.previews
    const own = await upload(site(), mine, TEXT, { name: 'a.txt' })
    const { token } = mine
    const rest = ['', '/download/photo.jpg', `/previews/${preview.id}/download/photo.jpg`]
    for (const card of [mine.card, theirs.card]) {
      for (const end of rest) {
        const path = `/cards/${card}/attachments/${added.id}${end}`
        assert.equal((await site().api(path, { token })).status, 404, path)
      }
      for (const method of ['PUT', 'DELETE']) {
        const body = { name: 'Taken' }
        const path = `/cards/${card}/attachments/${added.id}`
        assert.equal((await site().api(path, { method, token, body })).status, 404)
      }
    }
    const post = { method: 'POST', token, body: fileForm(TEXT, 'a.txt') }
    assert.equal((await site().api(`/cards/${theirs.card}/attachments`, post)).status, 404)
    for (const id of ['x', `${own.id}0`]) {
      const wrong = await site().api(`/cards/${mine.card}/attachments/${id}`, { token })
      assert.deepEqual([wrong.status, wrong.text], [400, 'invalid id'])
    }
    const flags = { member: mine.userName }
    const { secret: reader } = await site().token({ scopes: ['read'], flags })
    const change = { method: 'PUT', token: reader, body: { name: 'a' } }
    const path = `/cards/${mine.card}/attachments/${own.id}`
    const denied = [await site().api(path, change), await site().api(path, { method: 'DELETE' })]
    for (const { status, text } of denied) {
      assert.deepEqual([status, text], [401, 'unauthorized permission requested'])
    }
    const after = await site().json(`/cards/${theirs.card}/attachments`, { token: theirs.token })
    assert.deepEqual(
      after.map(({ name }: CardsJson) => name),
      ['photo.jpg']
    )
    assert.equal((await site().json(path, { token })).name, 'a.txt')
  })

  test('files are downloaded as they were sent, with every form of a token', async () => {
    const board = await openBoard(site())
    const { token } = board
    const page = Buffer.from('<!doctype html><script>alert(document.domain)</script>')
    const { url, previews } = await upload(site(), board, page, {
      name: 'page.png',
      mimeType: 'text/html'
    })
    assert.deepEqual(previews, [])
    const withQuery = `${url}?key=a&token=${token}`
    const forms: [string, Record<string, string>][] = [
      [url, { authorization: `Bearer ${token}` }],
      [url, { authorization: `OAuth oauth_consumer_key="a", oauth_token="${token}"` }],
      [url, { authorization: `OAuth oauth_consumer_key=a,oauth_token=${token}` }],
      [withQuery, {}]
    ]
    for (const [target, headers] of forms) {
      const response = await found(target, headers)
      assert.deepEqual(response.bytes, page)
      const header = (name: string) => response.headers.get(name)
      assert.equal(header('content-type'), 'application/octet-stream')
      assert.match(header('content-disposition') ?? '', /^attachment; filename="page.png"/)
      assert.equal(header('content-security-policy'), "default-src 'none'; sandbox")
      assert.equal(header('x-content-type-options'), 'nosniff')
      assert.equal(header('cache-control'), 'private, no-cache')
    }
    const part = await download(withQuery, { range: 'bytes=2-8' })
    assert.deepEqual([part.status, part.bytes.toString()], [206, 'doctype'])
    const head = await download(withQuery, {}, 'HEAD')
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(page.length)])
    const key = await site().publishable(board.userName, board.board)
    for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
      const denied = await download(url, headers)
      assert.equal(denied.status, 401)
      assert.equal(denied.bytes.toString(), 'unauthorized permission requested')
    }
    const wrong = await download(url, { authorization: 'Bearer wrong' })
    assert.deepEqual([wrong.status, wrong.bytes.toString()], [401, 'invalid token'])
  })

  test('a signed URL downloads one file until it expires', async () => {
    const [board, other] = [await openBoard(site()), await openBoard(site())]
    const { card, token } = board
    const first = await upload(site(), board, TEXT, { name: 'ä b.txt' })
    const second = await upload(site(), board, TEXT, { name: 'c.txt' })
    const sign = (id: string, body: object, who: string | undefined = token) => {
      const path = `/content/${board.board}/attachments/${id}/signed-url`
      return site().ask(path, { method: 'POST', token: who, body })
    }
    const made = await sign(first.id, { expires: '2s' })
    assert.ok(made.status === 200 || made.status === 201, made.text)
    const { url, expires } = JSON.parse(made.text)
    assert.ok(url.startsWith(`${first.url}?expires=`), url)
    const { bytes, headers } = await found(url)
    assert.equal(bytes.toString(), 'plain text')
    assert.equal(headers.get('content-type'), 'application/octet-stream')
    assert.match(headers.get('content-disposition') ?? '', /^attachment;/)
    const [, end = '', signature = ''] = /expires=(\d+)&signature=(.*)$/.exec(url) ?? []
    const swap = signature.startsWith('A') ? 'B' : 'A'
    const wrong = [
      url.replace(`expires=${end}`, `expires=${Number(end) + 60}`),
      url.replace(`expires=${end}`, `expires=0${end}`),
      url.replace(`signature=${signature}`, `signature=${swap}${signature.slice(1)}`),
      url.replace(`signature=${signature}`, 'signature='),
      `${url}&signature=${signature}`,
      url.replace(first.id, second.id),
      url.replace(card, other.card),
      url.replace('%C3%A4%20b.txt', 'a.txt'),
      `${second.url}?${url.split('?')[1]}`,
      `${first.url}?signature=${signature}`
    ]
    for (const target of wrong) {
      const denied = await download(target)
      assert.equal(denied.status, 401, target)
      assert.equal(denied.bytes.toString(), 'unauthorized permission requested')
    }
    const key = await site().publishable(board.userName, board.board)
    const foreign = await sign(first.id, {}, other.token)
    assert.deepEqual([foreign.status, (await sign(first.id, {}, key)).status], [404, 401])
    for (const time of ['8d', '0s', 'soon', 5, '2001-01-01']) {
      assert.equal((await sign(first.id, { expires: time })).status, 400, String(time))
    }
    const link = JSON.parse((await attach(site(), board, { url: 'https://a.example' })).text)
    assert.equal((await sign(link.id, {})).status, 404)
    while (Date.now() < Date.parse(expires)) await setTimeout(100)
    assert.equal((await download(url)).status, 401)
  })

  test('a file name ends neither a header nor a folder', async () => {
    const { card, token } = await openBoard(site())
    const names = [
      '..%2f..%2fetc/passwd',
      'a\\"b.png',
      "x'; filename*=UTF-8''y.html",
      'r\u202egpj.exe'
    ]
    for (const sent of names) {
      const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${sent}"\r\nContent-Type: text/html\r\nX-Injected: 1\r\n\r\n`
      const added = await site().json(`/cards/${card}/attachments`, {
        method: 'POST',
        token,
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: `${head}text\r\n--x--\r\n`
      })
      assert.doesNotMatch(added.fileName, /[/\\"<>|:*?\p{Cc}\p{Cf}]/u)
      const { headers, bytes } = await found(added.url, { authorization: `Bearer ${token}` })
      assert.equal(bytes.toString(), 'text')
      const value = headers.get('content-disposition') ?? ''
      assert.match(value, /^attachment; filename="[\w .()-]*"; filename\*=UTF-8''[\w.!~%-]*$/)
      assert.equal(headers.get('x-injected'), null)
      assert.equal(decodeURIComponent(value.split("''")[1] ?? ''), added.fileName)
    }
  })

  test('a copy of a link is downloaded with the guards of all outgoing requests', async () => {
    const board = await openBoard(site())
    const image = await jpeg(30, 20)
    const server = createServer(({ url }, response) => {
      if (url === '/photo.jpg') response.end(image)
      else if (url === '/moved') response.writeHead(302, { location: '/photo.jpg' }).end()
      else if (url === '/loop') response.writeHead(302, { location: '/loop' }).end()
      else if (url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end()
      else if (url === '/large') response.end(Buffer.alloc(MAX_FILE + 1))
      else response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const copy = (url: string) => attach(site(), board, { url, copy: true })
      const added = JSON.parse((await copy(`${base}/moved`)).text)
      assert.deepEqual([added.isUpload, added.bytes, added.fileName], [true, image.length, 'moved'])
      assert.equal(added.previews.at(-1).width, 30)
      for (const path of ['/loop', '/file', '/missing']) {
        const refused = await copy(base + path)
        assert.equal(refused.status, 400, refused.text)
        assert.match(refused.text, /^The url could not be downloaded/)
      }
      assert.equal((await copy(`${base}/large`)).status, 413)
      for (const url of ['http://169.254.169.254/', 'http://[::ffff:10.0.0.1]/', 'http://a@b/']) {
        const refused = await copy(url)
        assert.equal(refused.status, 400)
        assert.match(refused.text, /ADDRESS_REFUSED/)
      }
      const forwarded = await site().api(`/cards/${board.card}/attachments`, {
        method: 'POST',
        token: board.token,
        headers: { 'x-forwarded-for': '203.0.113.9' },
        body: { url: `${base}/photo.jpg`, copy: true }
      })
      assert.match(forwarded.text, /ADDRESS_REFUSED/)
    } finally {
      server.close()
    }
  })
})
