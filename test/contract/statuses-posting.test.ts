import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request as openRequest } from 'node:http'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { MATRIX } from './statuses-matrix.ts'
import { imageForm, PIXEL, pixel, post, type Site, seen, sites } from './statuses-site.ts'

interface OwnRecord {
  id: string
  url: string
  text: string
  visibility: string
  restorable_until: string | null
  media: { id: string; url: string; alt: string | null }[]
  entities: { type: string; start: number; end: number; href: string | null }[]
  in_reply_to: { id: string; url: string | null; known: boolean } | null
  lang: string | null
  sensitive: boolean
}

/** The account of the posts and a token for it. */
async function openAccount(site: Site, userName: string): Promise<{ id: string; secret: string }> {
  const id = await site.account({ id: `9${Date.now()}`, userName })
  const { secret } = await site.token({ flags: { account: userName } })
  return { id, secret }
}

async function create(site: Site, secret: string, body: unknown): Promise<OwnRecord> {
  const { status, text } = await site.own(secret, { method: 'POST', body })
  assert.equal(status, 201, text)
  return JSON.parse(text)
}

async function isUsed({ console }: Site, id: string): Promise<boolean> {
  const response = await fetch(`${console}/statuses/tokens`)
  const { tokens } = (await response.json()) as { tokens: { id: string; usedAt: string | null }[] }
  return tokens.some((token) => token.id === id && token.usedAt !== null)
}

const json = (text: string): OwnRecord => JSON.parse(text)
const JSON_TYPE = { accept: 'application/json' }

sites('I-7, posting', {}, (site) => {
  let owner: Awaited<ReturnType<typeof openAccount>>

  test('a post is at its canonical URL, with its entities, as soon as it is acknowledged', async () => {
    owner = await openAccount(site(), 'poster')
    const text = '🎉 Hello @ada, see https://example.com/a_(b) #été'
    const body = { text, lang: 'en', sensitive: false }
    const { status, headers, text: sent } = await site().own(owner.secret, { method: 'POST', body })
    assert.equal(status, 201, sent)
    const record = json(sent)
    assert.equal(headers.get('location'), `/poster/status/${record.id}`)
    assert.equal(record.url, site().url + headers.get('location'))
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('vary'), 'Authorization')
    assert.equal(record.visibility, 'public')
    assert.deepEqual(
      record.entities.map(({ type, start, end }) => [type, start, end]),
      [
        ['mention', 8, 12],
        ['url', 18, 43],
        ['hashtag', 44, 48]
      ]
    )
    const page = await site().ask(`/poster/status/${record.id}`)
    assert.equal(page.status, 200)
    assert.match(page.text, /href="https:\/\/example\.com\/a_\(b\)"/)
    const shown = json((await site().ask(`/poster/status/${record.id}`, JSON_TYPE)).text)
    assert.deepEqual(shown.entities, record.entities)
    assert.match((await site().ask('/search?q=hello')).text, new RegExp(record.id))
  })

  test('images lose their metadata, keep their order and have descriptions', async () => {
    const form = imageForm({ text: '', sensitive: 'true' }, [PIXEL, 'A pixel'], [PIXEL, ''])
    const record = await create(site(), owner.secret, form)
    assert.deepEqual(
      record.media.map(({ alt }) => alt),
      ['A pixel', null]
    )
    assert.equal(record.sensitive, true)
    const { pathname } = new URL(record.media[0]?.url ?? '')
    assert.equal((await site().ask(pathname)).status, 200)
    const changed = await site().own(owner.secret, {
      method: 'PATCH',
      path: `/api/statuses/${record.id}`,
      body: { media: [{ id: record.media[0]?.id, alt: 'Mended text' }], sensitive: false }
    })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(json(changed.text).media[0]?.alt, 'Mended text')
    const page = await site().ask(`/poster/status/${record.id}`)
    assert.match(page.text, /alt="Mended text"/)
    assert.match((await site().ask('/search?q=mended')).text, new RegExp(record.id))
  })

  test('forms without files are accepted as curl sends them', async () => {
    const parent = await create(site(), owner.secret, new URLSearchParams({ text: 'One & two' }))
    assert.equal(parent.text, 'One & two')
    const fields = { text: 'Three\r\nfour ', in_reply_to: parent.id, lang: '' }
    const reply = await create(site(), owner.secret, new URLSearchParams(fields))
    assert.equal(reply.text, 'Three\nfour')
    assert.deepEqual([reply.in_reply_to?.id, reply.in_reply_to?.known], [parent.id, true])
    const thread = await site().ask(`/poster/status/${parent.id}`)
    assert.match(thread.text, new RegExp(reply.id))
  })

  test('a hidden post is in no list for others; its owner can list, show and publish it', async () => {
    const record = await create(site(), owner.secret, { text: 'quixotic', visibility: 'hidden' })
    const path = `/api/statuses/${record.id}`
    assert.equal((await site().ask(`/poster/status/${record.id}`)).status, 404)
    const { statuses } = JSON.parse((await site().own(owner.secret, {})).text)
    assert.equal(statuses[0].id, record.id)
    assert.equal(json((await site().own(owner.secret, { path })).text).visibility, 'hidden')
    const publish = { method: 'PATCH', path, body: { visibility: 'public' } }
    assert.equal(json((await site().own(owner.secret, publish)).text).visibility, 'public')
    assert.equal((await site().ask(`/poster/status/${record.id}`)).status, 200)
  })

  test('a deleted post leaves every representation at once and comes back unchanged', async () => {
    const { ask, own } = site()
    const { secret } = owner
    const image = [pixel(7), 'zebra'] as [Uint8Array, string]
    const record = await create(site(), secret, imageForm({ text: 'zanzibar' }, image))
    const { id } = record
    const { pathname: media } = new URL(record.media[0]?.url ?? '')
    const month = new Date().toISOString().slice(0, 7).replace('-', '/')
    const byId = [media]
    const lists = [`/poster/archive/${month}`, '/search?q=zanzibar', '/search?q=zebra']
    for (const check of Object.values(MATRIX)) {
      if (check.kind === 'id') byId.push(check.path('poster', id))
      else lists.push(...check.paths.map((path) => path.replace(/^\/ada\b/i, '/poster')))
    }
    /** The statuses, and whether the lists have the post. */
    const read = async () => {
      const found: Record<string, unknown> = {}
      for (const headers of [{ accept: 'text/html' }, JSON_TYPE]) {
        for (const path of [...byId, ...lists]) {
          const { status, text } = await ask(path, headers)
          const isListed = text.includes(`/${id}`)
          found[`${headers.accept} ${path}`] = byId.includes(path) ? status : isListed
        }
      }
      return found
    }
    // Prepared responses are sent from now on.
    await read()
    const before = await read()
    assert.ok(Object.values(before).every((one) => one !== 404))
    const listing = Object.entries(before).flatMap(([path, one]) => (one === true ? [path] : []))
    const expected = ['feed.xml', 'feed.json', 'q=zanzibar', 'q=zebra', 'sitemap', month]
    for (const part of expected) assert.ok(listing.join().includes(part), part)
    const path = `/api/statuses/${id}`
    for (const hide of [
      { method: 'PATCH', path, body: { visibility: 'hidden' } },
      { method: 'DELETE', path }
    ]) {
      assert.equal((await own(secret, hide)).status, 200)
      for (const [where, one] of Object.entries(await read())) {
        assert.ok(one === 404 || one === false, where)
      }
      const unknown = await ask('/poster/status/4')
      assert.deepEqual(seen(await ask(`/poster/status/${id}`)), seen(unknown))
      assert.equal((await own(secret, { path })).status, 200, 'its owner still sees it')
      const restore = { method: 'PATCH', path, body: { visibility: 'public' } }
      assert.deepEqual(json((await own(secret, restore)).text), record)
      assert.deepEqual(await read(), before)
    }
  })

  test('an import repeats nothing that the owner changed', async () => {
    const { posts, file, own } = site()
    const photo = await file(PIXEL)
    const medium = { type: 'photo', file: photo, width: 1, height: 1, sourceKey: 'a' } as const
    const imported = (id: string, text: string) =>
      post(id, { text, lang: 'de', media: [{ ...medium, alt: 'Of the archive' }] })
    const ids = ['700', '701', '702']
    await posts(owner.id, ...ids.map((id) => imported(id, 'First')))
    const change = { media: [{ id: photo.hash, alt: 'Of the owner' }], lang: 'en', sensitive: true }
    for (const [id, method, body] of [
      ['700', 'PATCH', change],
      ['701', 'PATCH', { visibility: 'hidden', media: [{ id: photo.hash, alt: null }] }],
      ['702', 'DELETE', undefined]
    ] as const) {
      const { status, text } = await own(owner.secret, {
        method,
        path: `/api/statuses/${id}`,
        body
      })
      assert.equal(status, 200, text)
    }
    const results = await posts(owner.id, ...ids.map((id) => imported(id, 'Second')))
    assert.deepEqual(results, ['updated', 'updated', 'unchanged'])
    const read = async (id: string) =>
      json((await own(owner.secret, { path: `/api/statuses/${id}` })).text)
    const [first, second, third] = [await read('700'), await read('701'), await read('702')]
    assert.deepEqual(
      [first.text, first.media[0]?.alt, first.lang, first.sensitive, first.visibility],
      ['Second', 'Of the owner', 'en', true, 'public']
    )
    assert.deepEqual(
      [second.text, second.media[0]?.alt, second.visibility],
      ['Second', null, 'hidden']
    )
    assert.deepEqual([third.text, third.visibility], ['First', 'deleted'])
    assert.equal((await site().ask('/poster/status/702')).status, 404)
  })

  test('an Idempotency-Key posts once, also with images, and not with other content', async () => {
    const headers = { 'idempotency-key': 'first' }
    const send = (text: string, alt: string) =>
      site().own(owner.secret, { method: 'POST', headers, body: imageForm({ text }, [PIXEL, alt]) })
    const first = await send('Once', 'A')
    assert.equal(first.status, 201, first.text)
    assert.equal(first.headers.get('idempotent-replayed'), null)
    const second = await send('Once', 'A')
    assert.deepEqual(
      [second.status, second.text, second.headers.get('location')],
      [201, first.text, first.headers.get('location')]
    )
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    for (const other of [await send('Twice', 'A'), await send('Once', 'B')]) {
      assert.deepEqual([other.status, JSON.parse(other.text).code], [422, 'IDEMPOTENCY_KEY_REUSED'])
    }
    const wrong = await site().own(owner.secret, {
      ...{ method: 'POST', body: { text: 'x' } },
      headers: { 'idempotency-key': 'k'.repeat(256) }
    })
    assert.deepEqual([wrong.status, JSON.parse(wrong.text).code], [400, 'IDEMPOTENCY_KEY_INVALID'])
  })

  test('a token that is revoked while its request is sent changes nothing', async () => {
    const { own, token, revoke, url } = site()
    const { id } = await create(site(), owner.secret, { text: 'Stays public' })
    for (const [method, path, body] of [
      ['POST', '/api/statuses', { text: 'Too late' }],
      ['PATCH', `/api/statuses/${id}`, { visibility: 'hidden' }]
    ] as const) {
      const late = await token({ flags: { account: 'poster' } })
      const bytes = Buffer.from(JSON.stringify(body))
      const request = openRequest(url + path, {
        method,
        headers: {
          authorization: `Bearer ${late.secret}`,
          'content-type': 'application/json',
          'content-length': bytes.length
        }
      })
      const answered = once(request, 'response')
      request.write(bytes.subarray(0, 3))
      // The token was accepted when it was used.
      while (!(await isUsed(site(), late.id))) await setTimeout(10)
      await revoke(late.id)
      request.end(bytes.subarray(3))
      const [response]: IncomingMessage[] = await answered
      response?.resume()
      assert.equal(response?.statusCode, 401, method)
    }
    const { statuses } = JSON.parse((await own(owner.secret, {})).text)
    assert.deepEqual([statuses[0].id, statuses[0].visibility], [id, 'public'])
  })

  test('lists have pages, and each post is on one of them', async () => {
    const ids: string[] = []
    let path = '/api/statuses?limit=3'
    for (;;) {
      const { statuses, before } = JSON.parse((await site().own(owner.secret, { path })).text)
      ids.push(...statuses.map(({ id }: OwnRecord) => id))
      if (before === null) break
      path = `/api/statuses?limit=3&before=${before}`
    }
    const all = JSON.parse(
      (await site().own(owner.secret, { path: '/api/statuses?limit=100' })).text
    )
    assert.deepEqual(
      ids,
      all.statuses.map(({ id }: OwnRecord) => id)
    )
    assert.ok(ids.length > 6 && new Set(ids).size === ids.length)
    assert.ok(!ids.includes('702'))
    const deleted = await site().own(owner.secret, { path: '/api/statuses?visibility=deleted' })
    assert.deepEqual(
      JSON.parse(deleted.text).statuses.map(({ id }: OwnRecord) => id),
      ['702']
    )
  })

  test('what is wrong is rejected with its reason, and nothing is stored', async () => {
    const { secret } = owner
    const listed = async () => (await site().own(secret, { path: '/api/statuses?limit=100' })).text
    const before = await listed()
    const POST = { method: 'POST' }
    const PATCH = { method: 'PATCH', path: '/api/statuses/700' }
    const form = 'application/x-www-form-urlencoded'
    const five = imageForm(
      { text: 'x' },
      ...Array.from({ length: 5 }, () => [PIXEL, ''] as [Uint8Array, string])
    )
    const moreAlts = imageForm({ text: 'x' })
    moreAlts.append('alt', 'a')
    const wrongFile = imageForm({ text: 'x' })
    wrongFile.append('photo', new Blob([new Uint8Array(PIXEL)]), 'a.png')
    const cases: [code: string, status: number, request: object][] = [
      ['TEXT_MISSING', 400, { ...POST, body: { text: ' \n' } }],
      ['TEXT_MISSING', 400, { ...POST, body: {} }],
      ['TEXT_TOO_LONG', 400, { ...POST, body: { text: '🎉'.repeat(4_001) } }],
      ['TEXT_INVALID', 400, { ...POST, body: { text: 'a\u0000b' } }],
      [
        'TEXT_INVALID',
        400,
        { ...POST, body: '{"text":"\\ud800"}', headers: { 'content-type': 'application/json' } }
      ],
      ['LANG_INVALID', 400, { ...POST, body: { text: 'a', lang: '<b>' } }],
      ['FIELD_UNKNOWN', 400, { ...POST, body: { text: 'a', texts: 'b' } }],
      [
        'FIELD_UNKNOWN',
        400,
        {
          ...POST,
          body: '{"text":"a","__proto__":{}}',
          headers: { 'content-type': 'application/json' }
        }
      ],
      ['FIELD_UNKNOWN', 400, { ...POST, body: wrongFile }],
      ['FIELD_INVALID', 400, { ...POST, body: { text: 1 } }],
      ['FIELD_INVALID', 400, { ...POST, body: { text: 'a', visibility: 'deleted' } }],
      ['FIELD_INVALID', 400, { ...POST, body: { text: 'a', sensitive: 'yes' } }],
      ['FIELD_INVALID', 400, { ...POST, body: 'text=a&text=b', headers: { 'content-type': form } }],
      ['FIELD_INVALID', 400, { ...POST, body: moreAlts }],
      [
        'BODY_INVALID',
        400,
        { ...POST, body: '[]', headers: { 'content-type': 'application/json' } }
      ],
      [
        'BODY_INVALID',
        400,
        { ...POST, body: '{', headers: { 'content-type': 'application/json' } }
      ],
      ['BODY_INVALID', 400, { ...POST, body: five }],
      ['ALT_TOO_LONG', 400, { ...POST, body: imageForm({}, [PIXEL, 'a'.repeat(1_501)]) }],
      ['BODY_TOO_LARGE', 413, { ...POST, body: { text: 'a'.repeat(200_000) } }],
      [
        'TYPE_NOT_SUPPORTED',
        415,
        { ...POST, body: 'a', headers: { 'content-type': 'text/plain' } }
      ],
      [
        'TYPE_NOT_SUPPORTED',
        415,
        { ...POST, body: 'a', headers: { 'content-type': 'multipart/form-data' } }
      ],
      [
        'TYPE_NOT_SUPPORTED',
        415,
        { ...POST, body: { text: 'a' }, headers: { 'content-encoding': 'gzip' } }
      ],
      ['FILE_REFUSED', 422, { ...POST, body: imageForm({}, [Buffer.from('<svg/>'), '']) }],
      ['FILE_REFUSED', 422, { ...POST, body: imageForm({}, [PIXEL.slice(0, 40), '']) }],
      ['REPLY_UNKNOWN', 422, { ...POST, body: { text: 'a', in_reply_to: '4' } }],
      ['REPLY_UNKNOWN', 422, { ...POST, body: { text: 'a', in_reply_to: '702' } }],
      ['REPLY_UNKNOWN', 422, { ...POST, body: { text: 'a', in_reply_to: 'x' } }],
      ['MEDIUM_UNKNOWN', 422, { ...PATCH, body: { media: [{ id: 'x', alt: '' }] } }],
      ['FIELD_INVALID', 400, { ...PATCH, body: { media: [{ id: 'x' }] } }],
      ['FIELD_INVALID', 400, { ...PATCH, body: { visibility: 'deleted' } }],
      ['FIELD_UNKNOWN', 400, { ...PATCH, body: { text: 'other' } }],
      ['TYPE_NOT_SUPPORTED', 415, { ...PATCH, body: 'a', headers: { 'content-type': form } }],
      ['FIELD_INVALID', 400, { path: '/api/statuses?limit=0' }],
      ['FIELD_INVALID', 400, { path: '/api/statuses?before=x' }],
      ['FIELD_INVALID', 400, { path: '/api/statuses?visibility=all' }],
      ['FIELD_UNKNOWN', 400, { path: '/api/statuses?offset=1' }]
    ]
    for (const [code, status, request] of cases) {
      const { text, ...answer } = await site().own(secret, request)
      assert.deepEqual([answer.status, JSON.parse(text).code], [status, code], text)
      assert.equal(answer.headers.get('vary'), 'Authorization')
    }
    assert.equal(await listed(), before)
  })

  test('preflights, HEAD and other methods', async () => {
    const { own, ask } = site()
    const all = 'GET, HEAD, POST, OPTIONS'
    const one = 'GET, HEAD, PATCH, DELETE, OPTIONS'
    for (const [path, allow] of [
      ['/api/statuses', all],
      ['/api/statuses/', all],
      ['/api/statuses/20', one]
    ] as const) {
      const preflight = await ask(
        path,
        { origin: 'https://a.example', 'access-control-request-headers': 'authorization' },
        'OPTIONS'
      )
      assert.equal(preflight.status, 204)
      assert.equal(preflight.headers.get('access-control-allow-methods'), allow)
      assert.equal(preflight.headers.get('access-control-allow-headers'), 'authorization')
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
      for (const method of ['PUT', 'PROPFIND', 'QUERY']) {
        const wrong = await own(owner.secret, { method, path })
        assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, allow])
      }
    }
    for (const path of ['/', '/ada/status/20', '/api/tweet/20', '/api/statuses/20/x', '/api']) {
      for (const method of ['POST', 'PATCH', 'DELETE', 'OPTIONS', 'PUT']) {
        const wrong = await own(owner.secret, { method, path })
        assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD'], path)
      }
    }
    for (const path of ['/api/statuses', '/api/statuses/700', '/api/statuses/4']) {
      const got = await own(owner.secret, { path })
      const head = await own(owner.secret, { method: 'HEAD', path })
      assert.deepEqual(seen(head), { ...seen(got), text: '' })
    }
  })

  test('posts in the sample account survive its removal', async () => {
    const { account, own, token, ask, posts } = site()
    await account({ id: '5', userName: 'sampled', source: 'sample' })
    await posts('5', post('800', { source: 'sample' }))
    const { secret } = await token({ flags: { account: 'sampled' } })
    const record = await create(site(), secret, { text: 'Written here' })
    await account({ id: '6', userName: 'imported' })
    assert.equal((await ask('/sampled/status/800')).status, 404)
    assert.equal((await ask(`/sampled/status/${record.id}`)).status, 200)
    assert.equal((await own(secret, { path: `/api/statuses/${record.id}` })).status, 200)
  })
})
