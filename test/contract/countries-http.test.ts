import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { buildSchema } from 'graphql'
import { type Nonet, start } from '../../src/host/start.ts'
import { sendRaw } from '../support/raw-socket.ts'

const QUERY = '{ country(code: "BR") { name } }'
const ANSWER = '{"data":{"country":{"name":"Brazil"}}}'

describe('countries over HTTP', () => {
  let nonet: Nonet<'countries'>
  let base: string
  before(async () => {
    nonet = await start({ services: ['countries'] })
    base = nonet.countries.url
  })
  after(() => nonet.stop())

  function ask(body: object | string, headers: Record<string, string> = {}) {
    return fetch(base, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body)
    })
  }

  const byLink = (query: string) => `${base}/?query=${encodeURIComponent(query)}`

  test('a kept answer is the same answer', async () => {
    const answers = []
    for (let i = 0; i < 3; i++) {
      const response = await ask({ query: QUERY })
      const { date: _, ...headers } = Object.fromEntries(response.headers)
      answers.push({ status: response.status, headers, text: await response.text() })
    }
    assert.equal(answers[0]?.text, ANSWER)
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(answers[2], answers[0])
  })

  test('answers are kept apart by everything that decides them', async () => {
    const named =
      'query A { country(code: "BR") { name } } query B { country(code: "DE") { name } }'
    const typed = 'query ($c: ID!) { country(code: $c) { name } }'
    for (let i = 0; i < 2; i++) {
      for (const [operationName, name] of [
        ['A', 'Brazil'],
        ['B', 'Germany']
      ]) {
        const response = await ask({ query: named, operationName })
        assert.deepEqual(await response.json(), { data: { country: { name } } })
      }
      for (const [c, name] of [
        ['BR', 'Brazil'],
        ['DE', 'Germany']
      ]) {
        const response = await ask({ query: typed, variables: { c } })
        assert.deepEqual(await response.json(), { data: { country: { name } } })
      }
      for (const accept of ['application/json', 'application/graphql-response+json']) {
        const response = await ask({ query: QUERY }, { accept })
        assert.equal(response.headers.get('content-type'), `${accept}; charset=utf-8`)
      }
      assert.equal((await ask({ query: QUERY }, { 'content-type': 'text/plain' })).status, 415)
    }
  })

  test('GET has a validator, and 304 has no body', async () => {
    const first = await fetch(byLink(QUERY))
    const etag = first.headers.get('etag') ?? ''
    assert.equal(first.headers.get('vary'), 'Accept, Accept-Encoding')
    const again = await fetch(byLink(QUERY), { headers: { 'if-none-match': `W/${etag}, "x"` } })
    assert.equal(again.status, 304)
    assert.equal(await again.text(), '')
    assert.equal(again.headers.get('etag'), etag)
    const other = await fetch(byLink(QUERY), { headers: { 'if-none-match': '"x"' } })
    assert.equal(await other.text(), ANSWER)
  })

  for (const [method, path] of [
    ['GET', `/?query=${encodeURIComponent(QUERY)}`],
    ['GET', `/graphql?query=${encodeURIComponent(QUERY)}`],
    ['HEAD', `/?query=${encodeURIComponent(QUERY)}`],
    ['POST', '/graphql'],
    ['OPTIONS', '/'],
    ['GET', '/countries/BR.json'],
    ['GET', '/countries.csv?a'],
    ['GET', '/schema.graphql'],
    ['GET', '/playground/nothing.js'],
    ['GET', '/nothing']
  ] as const) {
    test(`an absolute-form target: ${method} ${decodeURIComponent(path)}`, async () => {
      const body = method === 'POST' ? JSON.stringify({ query: QUERY }) : ''
      const rest = [
        'Host: localhost',
        'Connection: close',
        ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`])
      ]
      const answerTo = async (target: string) => {
        const lines = [`${method} ${target} HTTP/1.1`, ...rest]
        const { text } = await sendRaw(base, [`${lines.join('\r\n')}\r\n\r\n${body}`], 5000, 30_000)
        return text.replace(/^Date: .*\r\n/m, '')
      }
      const usual = await answerTo(path)
      assert.match(usual, /^HTTP\/1\.1 (200|204|404) /)
      assert.equal(await answerTo(`http://example.com:80${path}`), usual)
      assert.equal(await answerTo(`HTTP://[::1]${path}`), usual)
      if (path.startsWith('/?')) assert.equal(await answerTo(`http://x${path.slice(1)}`), usual)
    })
  }

  test('POST is never answered with 304', async () => {
    const first = await ask({ query: QUERY })
    const etag = first.headers.get('etag') ?? ''
    assert.match(etag, /^"[\w-]{27}"$/)
    const again = await ask({ query: QUERY }, { 'if-none-match': etag })
    assert.equal(again.status, 200)
    assert.equal(await again.text(), ANSWER)
  })

  test('errors are not kept by others', async () => {
    const response = await fetch(byLink('{ nope }'))
    assert.equal(response.headers.get('cache-control'), 'no-store')
  })

  test('large answers are compressed for those who take it', async () => {
    const body = JSON.stringify({ query: '{ countries { code name native } }' })
    const head = `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    const plain = await sendRaw(base, [`${head}\r\n${body}`], 2000, 30_000)
    const packed = await sendRaw(
      base,
      [`${head}Accept-Encoding: gzip\r\n\r\n${body}`],
      2000,
      30_000
    )
    const bodyOf = (text: string) => Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1')
    assert.match(packed.text, /^content-encoding: gzip\r$/m)
    assert.ok(bodyOf(packed.text).length < bodyOf(plain.text).length / 2)
    assert.deepEqual(gunzipSync(bodyOf(packed.text)), bodyOf(plain.text))
    const refused = await sendRaw(
      base,
      [`${head}Accept-Encoding: gzip;q=0\r\n\r\n${body}`],
      2000,
      30_000
    )
    assert.doesNotMatch(refused.text, /content-encoding/)
  })

  test('a body in pieces, and one after another on the same connection', async () => {
    const body = JSON.stringify({ query: QUERY })
    const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    const { text } = await sendRaw(
      base,
      [head, body.slice(0, 9), body.slice(9), head, body, head, body],
      1500,
      30_000
    )
    assert.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, 3)
    assert.equal(text.split(ANSWER).length, 4)
  })

  test('a client that goes away in the middle of a body leaves nothing behind', async () => {
    for (let i = 0; i < 20; i++) {
      await sendRaw(
        base,
        [
          'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"que'
        ],
        20
      )
    }
    assert.equal(await (await ask({ query: QUERY })).text(), ANSWER)
  })

  test('HEAD has the headers of GET', async () => {
    const head = await fetch(byLink(QUERY), { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('content-length'), String(ANSWER.length))
    assert.equal(await head.text(), '')
    const page = await fetch(base, { method: 'HEAD', headers: { accept: 'text/html' } })
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  })

  for (const path of ['/%zz', '/countries/%E0%A4%A']) {
    test(`${path} is refused in our own words`, async () => {
      const response = await fetch(base + path)
      assert.equal(response.status, 400)
      assert.deepEqual(await response.json(), {
        errors: [{ message: 'The URL is not valid', extensions: { code: 'MALFORMED_REQUEST' } }]
      })
    })
  }

  test('what the table of errors says of variables, operations, Accept and headers', async () => {
    const query = 'query A($c: ID!) { country(code: $c) { name } }'
    for (const variables of [{}, { c: {} }]) {
      const response = await ask({ query, variables })
      assert.equal(response.status, 400)
      assert.equal((await response.json()).errors[0].extensions, undefined)
    }
    const unnamed = await ask({ query, operationName: 'B' })
    assert.equal(unnamed.status, 400)
    const [{ extensions }] = (await unnamed.json()).errors
    assert.equal(extensions.code, 'OPERATION_RESOLUTION_FAILURE')
    assert.equal((await ask({ query: QUERY }, { accept: 'image/png' })).status, 406)
    const long = await fetch(base, { headers: { 'x-long': 'x'.repeat(20_000) } })
    assert.equal(long.status, 431)
    assert.equal((await long.json()).errors[0].extensions.code, 'HEADERS_TOO_LARGE')
  })

  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'nope.js']) {
    test(`/playground/${name} is not there`, async () => {
      const response = await fetch(`${base}/playground/${name}`)
      assert.equal(response.status, 404)
      assert.equal((await response.json()).errors[0].extensions.code, 'ROUTE_NOT_FOUND')
    })
  }

  describe('persisted queries', () => {
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    const extensions = (sha256Hash: string, version = 1) => ({
      persistedQuery: { version, sha256Hash }
    })
    const query = '{ country(code: "FR") { name } }'
    const found = { data: { country: { name: 'France' } } }

    test('unknown, registered, known, by POST and by GET', async () => {
      const link = `${base}/?extensions=${encodeURIComponent(JSON.stringify(extensions(hash(query))))}`
      for (const missing of [
        await ask({ extensions: extensions(hash(query)) }),
        await fetch(link)
      ]) {
        assert.equal(missing.status, 200)
        const [error] = (await missing.json()).errors
        assert.equal(error.message, 'PersistedQueryNotFound')
        assert.equal(error.extensions.code, 'PERSISTED_QUERY_NOT_FOUND')
      }
      const registered = await ask({ query, extensions: extensions(hash(query)) })
      assert.deepEqual(await registered.json(), found)
      assert.deepEqual(await (await ask({ extensions: extensions(hash(query)) })).json(), found)
      const linked = await fetch(link)
      assert.equal(linked.headers.get('cache-control'), 'public, max-age=3600')
      assert.deepEqual(await linked.json(), found)
    })

    test('a hash of something else', async () => {
      const response = await ask({ query, extensions: extensions(hash('x')) })
      assert.equal((await response.json()).errors[0].extensions.code, 'PERSISTED_QUERY_MISMATCH')
    })

    test('another version', async () => {
      const response = await ask({ query, extensions: extensions(hash(query), 2) })
      assert.equal(
        (await response.json()).errors[0].extensions.code,
        'PERSISTED_QUERY_NOT_SUPPORTED'
      )
    })
  })

  describe('files', () => {
    test('the schema is what is served', async () => {
      const response = await fetch(`${base}/schema.graphql`)
      assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
      const schema = buildSchema(await response.text())
      const result = await (await ask({ query: '{ __schema { types { name } } }' })).json()
      assert.deepEqual(
        result.data.__schema.types.map(({ name }: { name: string }) => name).sort(),
        Object.keys(schema.getTypeMap()).sort()
      )
    })

    test('all countries, and one, as JSON', async () => {
      const all = await (await fetch(`${base}/countries.json`)).json()
      assert.equal(all.length, 250)
      for (const name of ['BR', 'br', 'BRA', '076', 'BR.json', 'bra.json']) {
        const one = await (await fetch(`${base}/countries/${name}`)).json()
        assert.deepEqual(
          one,
          all.find(({ code }: { code: string }) => code === 'BR')
        )
      }
      assert.equal(all[0].languages[0].native, 'Català')
    })

    test('an unknown one is 404', async () => {
      const response = await fetch(`${base}/countries/QQ.json`)
      assert.equal(response.status, 404)
      assert.deepEqual(await response.json(), {
        errors: [{ message: 'Country QQ not found', extensions: { code: 'COUNTRY_NOT_FOUND' } }]
      })
    })

    test('as CSV, with a quoted name', async () => {
      const response = await fetch(`${base}/countries.csv`)
      assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
      const lines = (await response.text()).split('\r\n')
      assert.equal(lines.length, 252)
      assert.match(lines[0] ?? '', /^code,alpha3,numeric,name,native,/)
      assert.ok(lines.some((line) => line.includes('"Bonaire, Sint Eustatius and Saba"')))
    })

    test('they have validators', async () => {
      const first = await fetch(`${base}/countries.json`)
      const etag = first.headers.get('etag') ?? ''
      const again = await fetch(`${base}/countries.json`, { headers: { 'if-none-match': etag } })
      assert.equal(again.status, 304)
    })
  })
})

test('without room for answers everything is answered all the same', async () => {
  await using nonet = await start({ services: ['countries'], countries: { cacheBytes: 0 } })
  for (let i = 0; i < 3; i++) {
    const response = await fetch(`${nonet.countries.url}/?query=${encodeURIComponent(QUERY)}`)
    assert.equal(await response.text(), ANSWER)
  }
})

describe('corrections of the operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-overlay-'))
  const overlay = join(folder, 'corrections.json')
  after(() => rmSync(folder, { recursive: true }))

  async function startWith(content: unknown) {
    writeFileSync(overlay, typeof content === 'string' ? content : JSON.stringify(content))
    return start({ services: ['countries'], countries: { overlay } })
  }

  test('they count, and the rest stays', async () => {
    await using nonet = await startWith({
      countries: [
        { code: 'nr', field: 'name', value: 'Naoero', reason: 'renamed' },
        { code: 'NR', field: 'languages', value: ['en', 'tlh'] },
        { code: 'NR', field: 'currencies', value: ['AUD', 'ISK'] },
        { code: 'NR', field: 'capital', value: null }
      ],
      languages: [
        {
          code: 'tlh',
          field: 'whole',
          value: { name: 'Klingon', native: 'tlhIngan Hol', rtl: false }
        },
        { code: 'en', field: 'native', value: 'English!' }
      ]
    })
    const query = `{ country(code: "NR") { name capital currency languages { name native } }
      language(code: "tlh") { countries { code } } countries { code } }`
    const response = await fetch(`${nonet.countries.url}/?query=${encodeURIComponent(query)}`)
    const { data } = await response.json()
    assert.deepEqual(data.country, {
      name: 'Naoero',
      capital: null,
      currency: 'AUD,ISK',
      languages: [
        { name: 'English', native: 'English!' },
        { name: 'Klingon', native: 'tlhIngan Hol' }
      ]
    })
    assert.deepEqual(data.language.countries, [{ code: 'NR' }])
    assert.equal(data.countries.length, 250)
  })

  test('a zone by its present name, another continent, a name that stays findable', async () => {
    await using nonet = await startWith({
      countries: [
        { code: 'UA', field: 'timezones', value: ['Europe/Kyiv', 'Asia/Kolkata'] },
        { code: 'TR', field: 'continent', value: 'EU' },
        { code: 'EG', field: 'continent', value: 'AS' },
        { code: 'NR', field: 'name', value: 'Naoero' }
      ]
    })
    const query = `{ ua: country(code: "UA") { timezones { name } }
      tr: country(code: "TR") { continent { code } continents { code } }
      eg: country(code: "EG") { continents { code } }
      nr: country(code: "NR") { name aliases } }`
    const response = await fetch(`${nonet.countries.url}/?query=${encodeURIComponent(query)}`)
    assert.deepEqual((await response.json()).data, {
      ua: { timezones: [{ name: 'Europe/Kyiv' }, { name: 'Asia/Kolkata' }] },
      tr: { continent: { code: 'EU' }, continents: [{ code: 'EU' }, { code: 'AS' }] },
      eg: { continents: [{ code: 'AS' }, { code: 'AF' }] },
      nr: { name: 'Naoero', aliases: ['Nauru'] }
    })
  })

  for (const [content, message] of [
    ['{', /^Cannot read corrections from .*corrections\.json: /],
    [[], /expected an object with countries and languages$/],
    [{ cities: [] }, /unknown key cities$/],
    [{ countries: {} }, /countries and languages must be arrays$/],
    [{ countries: [{ code: 'BR', value: 'x' }] }, /each entry must have code, field and value: /],
    [{ countries: [{ code: 'QQ', field: 'name', value: 'x' }] }, /unknown country QQ$/],
    [
      { countries: [{ code: 'BR', field: 'area', value: 1 }] },
      /BR: unknown field area; known fields: name, /
    ],
    [{ countries: [{ code: 'BR', field: 'name', value: '' }] }, /BR: name must be a string$/],
    [
      { countries: [{ code: 'BR', field: 'currencies', value: ['Real'] }] },
      /BR: currencies must be an array of ISO 4217 codes$/
    ],
    [
      { countries: [{ code: 'BR', field: 'languages', value: ['xx'] }] },
      /BR: languages must be an array of known language codes$/
    ],
    [
      { countries: [{ code: 'BR', field: 'continent', value: 'XX' }] },
      /BR: continent must be a continent code$/
    ],
    [
      { countries: [{ code: 'BR', field: 'constructor', value: 'x' }] },
      /BR: unknown field constructor; known fields: name, /
    ],
    [
      { countries: [{ code: 'BR', field: 'continent', value: 'constructor' }] },
      /BR: continent must be a continent code$/
    ],
    [
      { countries: [{ code: 'BR', field: 'timezones', value: ['+05:00'] }] },
      /BR: timezones must be an array of IANA time zones$/
    ],
    [
      { countries: [{ code: 'BR', field: 'timezones', value: ['America/Nowhere'] }] },
      /BR: timezones must be an array of IANA time zones$/
    ],
    [
      { languages: [{ code: 'tlh', field: 'whole', value: { name: 'Klingon' } }] },
      /tlh: a language must have name, native and rtl \(true or false\)$/
    ]
  ] as const) {
    test(`a start with ${JSON.stringify(content)} says what is wrong`, async () => {
      await assert.rejects(startWith(content), ({ message: text }: Error) => message.test(text))
    })
  }

  test('a file that is not there', async () => {
    const missing = join(folder, 'none.json')
    await assert.rejects(
      start({ services: ['countries'], countries: { overlay: missing } }),
      /^UserError: Cannot read corrections from .*none\.json: ENOENT/
    )
  })

  test('our own corrections have the same form', async () => {
    const own = readFileSync(join(import.meta.dirname, '../../data/countries/overlay.json'), 'utf8')
    const rows = JSON.parse(own).countries.filter(
      ({ field }: { field: string }) => field !== 'alpha3'
    )
    await using nonet = await startWith({ countries: rows })
    assert.ok(nonet.countries.url)
  })
})
