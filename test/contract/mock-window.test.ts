/** The window below `/__nonet/`: journal, violations, documents, and who may look. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { type MockedApi, mock } from '../../src/host/mock.ts'
import { start } from '../../src/host/start.ts'
import { openapi } from '../../src/services/mock/openapi.ts'
import { openStream } from '../support/open-stream.ts'
import { sendPlain } from '../support/plain-http.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const GARDEN = join(import.meta.dirname, '../../data/mock/garden.yaml')

const PLANT = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, id: { type: 'integer' } }
}

const SECURED = {
  openapi: '3.1.0',
  info: { title: 'Secured', version: '1' },
  components: {
    securitySchemes: {
      head: { type: 'apiKey', in: 'header', name: 'X-Pass' },
      field: { type: 'apiKey', in: 'query', name: 'pass' }
    }
  },
  paths: {
    '/a': { get: { security: [{ head: [], field: [] }], responses: { 200: { description: '' } } } },
    '/b': {
      post: {
        operationId: 'addB',
        requestBody: { content: { 'application/json': { schema: PLANT }, 'image/png': {} } },
        responses: { 201: { description: '' } }
      }
    }
  }
}

function write(document: object, name = 'document.json'): string {
  const file = join(scratchFolder(), name)
  writeFileSync(file, JSON.stringify(document))
  return file
}

interface Body {
  bytes: number
  cut: boolean
  text?: string
  base64?: string
}

interface Entry {
  id: number
  method: string
  path: string
  query: string
  status: number
  operation: { operationId: string | null; path: string } | null
  example: string | null
  problem: string | null
  fault: string | null
  violations: { location: string[]; code: unknown }[]
  request: { headers: Record<string, string>; body: Body | null }
  response: { headers: Record<string, string>; body: Body | null }
}

interface Journal {
  recorded: number
  kept: number
  entries: Entry[]
}

async function readJournal(url: string, query = ''): Promise<Journal> {
  const answer = await fetch(`${url}/__nonet/journal${query}`)
  assert.equal(answer.status, 200)
  return (await answer.json()) as Journal
}

const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code

describe('the journal', () => {
  let api: MockedApi
  before(async () => {
    api = await mock(GARDEN)
    const json = { 'content-type': 'application/json' }
    await fetch(`${api.url}/plants/1`)
    await fetch(`${api.url}/plants?limit=99&after=1`)
    await fetch(`${api.url}/v1/plants/1`, { headers: { prefer: 'example=eaten' } })
    await fetch(`${api.url}/plants`, {
      method: 'POST',
      headers: json,
      body: '{"name":"Leek","bed":1}'
    })
    await fetch(`${api.url}/plants`, { method: 'POST', headers: json, body: '{"name":1}' })
    await fetch(`${api.url}/weeds`)
  })
  after(() => api.stop())

  test('has each exchange, the latest first, with headers, bodies and findings', async () => {
    const { recorded, kept, entries } = await readJournal(api.url)
    assert.deepEqual([recorded, kept], [6, 6])
    assert.deepEqual(
      entries.map(({ id, method, path, query, status, operation, example, problem }) => [
        ...[id, method, path, query, status],
        ...[operation?.operationId ?? null, example, problem]
      ]),
      [
        [6, 'GET', '/weeds', '', 404, null, null, 'NO_PATH_MATCHED_ERROR'],
        [5, 'POST', '/plants', '', 422, 'sowPlant', 'default', null],
        [4, 'POST', '/plants', '', 201, 'sowPlant', 'default', null],
        [3, 'GET', '/v1/plants/1', '', 200, 'getPlant', 'eaten', null],
        [2, 'GET', '/plants', 'limit=99&after=1', 422, 'listPlants', null, 'UNPROCESSABLE_ENTITY'],
        [1, 'GET', '/plants/1', '', 200, 'getPlant', 'growing', null]
      ]
    )
    const [, refused, sown] = entries
    assert.deepEqual(sown?.request.body, { bytes: 23, cut: false, text: '{"name":"Leek","bed":1}' })
    assert.equal(sown?.request.headers['content-type'], 'application/json')
    assert.equal(sown?.response.headers.location, '/plants/3')
    assert.match(sown?.response.body?.text ?? '', /"Chard"/)
    assert.deepEqual(sown?.violations, [])
    assert.deepEqual(refused?.violations[0]?.location, ['request', 'body'])
    assert.equal(refused?.violations[0]?.code, 'required')
  })

  const filters: [string, number[]][] = [
    ['?operation=sowPlant', [5, 4]],
    [`?operation=${encodeURIComponent('GET /plants/{id}')}`, [3, 1]],
    [`?operation=${encodeURIComponent('/plants')}`, [5, 4, 2]],
    ['?operation=none', [6]],
    ['?operation=nobody', []],
    ['?status=422', [5, 2]],
    ['?status=2xx', [4, 3, 1]],
    ['?status=4XX&operation=sowPlant', [5]],
    ['?violations=true', [6, 5, 2]],
    ['?violations=false', [4, 3, 1]],
    ['?after=4', [6, 5]],
    ['?limit=2', [6, 5]],
    ['?operation=&status=&violations=', [6, 5, 4, 3, 2, 1]]
  ]
  for (const [query, ids] of filters) {
    test(`${query} shows ${ids.join(', ') || 'nothing'}`, async () => {
      const { entries } = await readJournal(api.url, query)
      assert.deepEqual(
        entries.map(({ id }) => id),
        ids
      )
    })
  }

  for (const query of [
    'status=x',
    'status=6xx',
    'violations=maybe',
    'limit=0',
    'limit=1e3',
    'after=-1'
  ]) {
    test(`?${query} is refused`, async () => {
      const answer = await fetch(`${api.url}/__nonet/journal?${query}`)
      assert.equal(answer.status, 400)
      assert.equal(await codeOf(answer), 'INVALID_FILTER')
    })
  }

  test('one entry by its number; unknown ones are said to be', async () => {
    const entry = (await (await fetch(`${api.url}/__nonet/journal/3`)).json()) as Entry
    assert.deepEqual([entry.id, entry.example], [3, 'eaten'])
    for (const id of ['0', '7', 'x', '1e0', '99999999999999999999']) {
      const answer = await fetch(`${api.url}/__nonet/journal/${id}`)
      assert.equal(answer.status, 404, id)
      assert.equal(await codeOf(answer), 'ENTRY_NOT_FOUND')
    }
  })

  test('violations, each with its operation, and requests to nowhere', async () => {
    const { violations, strayRequests } = (await (
      await fetch(`${api.url}/__nonet/violations`)
    ).json()) as {
      violations: { status: number; entry: number; operation: { operationId: string } }[]
      strayRequests: { path: string; entry: number }[]
    }
    assert.deepEqual(
      [...new Set(violations.map(({ operation, status }) => `${operation.operationId} ${status}`))],
      ['listPlants 422', 'sowPlant 422']
    )
    assert.deepEqual(
      strayRequests.map(({ path }) => path),
      ['/weeds']
    )
    const found = [...violations, ...strayRequests].map(({ entry }) => entry)
    assert.deepEqual([...new Set(found)], [2, 5, 6])
    const headers = { accept: 'text/html' }
    const page = await (await fetch(`${api.url}/__nonet/violations`, { headers })).text()
    for (const entry of found) assert.ok(page.includes(`href="/__nonet/journal/${entry}"`))
  })

  test('rows come by themselves, as the filter says, and after a clearing numbers go on', async () => {
    using stream = await openStream(`${api.url}/__nonet/journal/events?status=404&after=6`)
    assert.equal((await stream.next())?.retry, '2000')
    await fetch(`${api.url}/beds`)
    await fetch(`${api.url}/thistles?a=<b>`)
    const { event, id, data = '' } = (await stream.next()) ?? {}
    assert.deepEqual([event, id], ['rows', '8'])
    assert.match(JSON.parse(data), /thistles\?a=%3Cb%3E/)
    assert.doesNotMatch(data, /beds/)
    assert.equal((await fetch(`${api.url}/__nonet/journal`, { method: 'DELETE' })).status, 204)
    assert.deepEqual(await readJournal(api.url).then(({ entries }) => entries), [])
    await fetch(`${api.url}/beds`)
    const { entries, recorded } = await readJournal(api.url)
    assert.deepEqual([entries.map(({ id }) => id), recorded], [[9], 1])
  })
})

describe('what the journal hides and cuts', () => {
  test('credentials: of HTTP, usual names, and those that the document names', async () => {
    await using api = await mock(write(SECURED))
    const secret = 'hush-hush'
    const headers = {
      authorization: `Bearer ${secret}`,
      cookie: `session=${secret}`,
      'x-pass': secret,
      'x-api-key': secret
    }
    await fetch(`${api.url}/a?pass=${secret}&%70ass=${secret}&q=shown&access_token=${secret}`, {
      headers
    })
    for (const accept of ['application/json', 'text/html']) {
      for (const path of ['journal', 'journal/1']) {
        const answer = await fetch(`${api.url}/__nonet/${path}`, { headers: { accept } })
        const text = await answer.text()
        assert.ok(!text.includes(secret), `${path} as ${accept}`)
        assert.ok(text.includes('shown'))
      }
    }
    const [entry] = (await readJournal(api.url)).entries
    assert.equal(entry?.query, 'pass=***&%70ass=***&q=shown&access_token=***')
    assert.equal(entry?.request.headers.authorization, 'Bearer ***')
    assert.equal(entry?.status, 200)
  })

  test('the fields of bodies are masked as the journal of scenarios does', async () => {
    await using api = await mock(write(SECURED))
    const headers = { 'content-type': 'application/json', 'x-session-token': 'hush-hush' }
    const body = '{"name":"a","nested":{"api_token":"hush-hush"}}'
    await fetch(`${api.url}/b?new_password=hush-hush`, { method: 'POST', headers, body })
    const form = new URLSearchParams({ name: 'a', secret: 'hush-hush' })
    await fetch(`${api.url}/b`, { method: 'POST', body: form })
    const text = await (await fetch(`${api.url}/__nonet/journal`)).text()
    assert.doesNotMatch(text, /hush/)
    const [, entry] = (await readJournal(api.url)).entries
    assert.equal(entry?.request.body?.text, '{"name":"a","nested":{"api_token":"***"}}')
    assert.equal(entry?.request.body?.bytes, body.length)
    const page = await fetch(`${api.url}/__nonet/journal/1`, { headers: { accept: 'text/html' } })
    assert.doesNotMatch(await page.text(), /hush/)
  })

  test('bodies: large ones are cut, bytes that are no text come as base64', async () => {
    await using api = await mock(write(SECURED))
    const post = (body: BodyInit, type: string) =>
      fetch(`${api.url}/b`, { method: 'POST', body, headers: { 'content-type': type } })
    const png = Buffer.from('89504e470d0a1a0a0000ff', 'hex')
    await post(png, 'image/png')
    await post(JSON.stringify({ name: 'ü'.repeat(2 ** 20) }), 'application/json')
    const [large, binary] = (await readJournal(api.url)).entries
    assert.deepEqual(binary?.request.body, {
      bytes: 11,
      cut: false,
      base64: png.toString('base64')
    })
    const body = large?.request.body
    assert.deepEqual([body?.bytes, body?.cut], [2 ** 21 + 11, true])
    assert.match(body?.text ?? '', /^\{"name":"ü+$/)
    assert.ok((body?.text?.length ?? 0) < 16_384)
  })
})

test('the journal shows what the client sent, whatever rules made of it', async () => {
  const step = { setHeader: { 'X-Was': 'b' } }
  const rule = { phase: 'request', do: [step, { rewritePath: '/b' }, { merge: { name: 'b' } }] }
  const transform = write({ rules: [{ ...rule, match: { path: '/a' } }] }, 'rules.json')
  await using api = await mock(write(SECURED), { transform: [transform], validateSecurity: false })
  const sent = { headers: { 'X-Was': 'a', 'content-type': 'application/json' }, body: '{"id":1}' }
  const { status } = await fetch(`${api.url}/a?q=1`, { method: 'POST', ...sent })
  assert.equal(status, 201)
  const [entry] = api.journal()
  assert.deepEqual([entry?.method, entry?.path, entry?.query], ['POST', '/a', 'q=1'])
  assert.equal(entry?.operation?.path, '/b')
  assert.equal(entry?.request.headers['x-was'], 'a')
  assert.equal(entry?.request.body?.text, sent.body)
})

test('the journal names what went wrong on purpose, by preference and by rule', async () => {
  const cut = { match: { operationId: 'listBeds' }, phase: 'request', do: [{ fault: 'empty' }] }
  await using api = await mock(GARDEN, { transform: [write({ rules: [cut] }, 'rules.json')] })
  const plant = `${api.url}/plants/1`
  for (const fault of ['reset', 'truncate']) {
    await assert.rejects(sendPlain(plant, { headers: { prefer: `fault=${fault}` } }), fault)
  }
  await assert.rejects(sendPlain(`${api.url}/beds`))
  await fetch(plant)
  const { entries } = await readJournal(api.url)
  assert.deepEqual(
    entries.map(({ fault, status }) => [fault, status]),
    [
      [null, 200],
      ['empty', 499],
      ['truncate', 200],
      ['reset', 200]
    ]
  )
  assert.match(entries[3]?.response.body?.text ?? '', /"Basil"/)
  assert.deepEqual((await readJournal(api.url, '?violations=true')).entries, [])
  const page = async (path: string) => {
    const answer = await fetch(`${api.url}/__nonet/${path}`, { headers: { accept: 'text/html' } })
    return answer.text()
  }
  assert.deepEqual((await page('journal')).match(/\w+, simulated/g), [
    'empty, simulated',
    'truncate, simulated',
    'reset, simulated'
  ])
  assert.match(await page('journal/1'), /reset<\/code>, simulated: the connection is reset/)
  assert.doesNotMatch(await page('journal/4'), /simulated/)
})

test('documents as they are served, and when they were read', async () => {
  const old = write({
    swagger: '2.0',
    produces: ['application/json'],
    info: { title: 'Old', version: '1' },
    paths: {
      '/o': { get: { responses: { 200: { description: '', schema: { type: 'string' } } } } }
    }
  })
  await using api = await mock([`garden=${GARDEN}`, `old=${old}`, GARDEN])
  const read = async (path: string) => fetch(`${api.url}/__nonet/${path}`)
  const { documents, ...reload } = (await (await read('documents')).json()) as {
    documents: Record<string, unknown>[]
    [key: string]: unknown
  }
  assert.deepEqual(
    documents.map(({ name, title, operations, json }) => [name, title, operations, json]),
    [
      ['garden', 'Kitchen garden', 6, '/__nonet/documents/garden.json'],
      ['old', 'Old', 1, '/__nonet/documents/old.json'],
      [null, 'Kitchen garden', 6, '/__nonet/documents/3.json']
    ]
  )
  assert.deepEqual(await (await read('reload')).json(), reload)
  assert.deepEqual([reload.reloads, reload.failure, reload.watched], [0, null, false])
  const upgraded = (await (await read('documents/old.json')).json()) as Record<string, never>
  assert.match(upgraded.openapi ?? '', /^3\.1/)
  const content = { 'application/json': { schema: { type: 'string' } } }
  assert.partialDeepStrictEqual(upgraded, {
    paths: { '/o': { get: { responses: { 200: { content } } } } }
  })
  const yaml = await read('documents/old.yaml')
  assert.equal(yaml.headers.get('content-type'), 'application/yaml')
  assert.deepEqual(parse(await yaml.text()), upgraded)
  assert.deepEqual(
    await (await read('document.json')).json(),
    await (await read('documents/garden.json')).json()
  )
  assert.deepEqual(parse(await (await read('document.yaml')).text()).info.title, 'Kitchen garden')
  assert.equal((await read('documents/3.yaml')).status, 200)
  for (const key of ['4.json', 'nope.yaml', '0.json', '__proto__.json', '-1.json']) {
    const answer = await read(`documents/${key}`)
    assert.equal(answer.status, 404, key)
    assert.equal(await codeOf(answer), 'DOCUMENT_NOT_FOUND')
  }
})

test('a broken save is told, and the last good document is shown', async () => {
  const file = write(SECURED)
  await using api = await mock(file, { reload: true })
  writeFileSync(file, '{')
  const read = async () =>
    (await (await fetch(`${api.url}/__nonet/reload`)).json()) as { failure: string | null }
  for (let tries = 0; (await read()).failure === null; tries++) {
    assert.ok(tries < 200, 'the failure was not told')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.match((await read()).failure ?? '', /document\.json/)
  for (const page of ['', 'documents']) {
    const answer = await fetch(`${api.url}/__nonet/${page}`, { headers: { accept: 'text/html' } })
    assert.match(await answer.text(), /The latest version is not served/)
  }
  assert.equal((await fetch(`${api.url}/__nonet/document.json`)).status, 200)
})

describe('who may look', () => {
  const PATHS = [
    ...['', 'operations', 'journal', 'journal/1', 'journal/events', 'violations', 'coverage'],
    ...['documents', 'document.json', 'reload', 'webhooks', 'state', 'assets/live-journal.js'],
    'nothing/like/this'
  ]

  test('nobody under a foreign host name, whether there is something or not', async () => {
    await using api = await mock(GARDEN)
    for (const path of PATHS) {
      const headers = { host: 'evil.example' }
      const { status, body } = await sendPlain(`${api.url}/__nonet/${path}`, { headers })
      assert.equal(status, 421, path)
      assert.match(String(body), /"code":"FOREIGN_HOST"/)
    }
  })

  test('changes are not taken from pages of other origins', async () => {
    await using api = await mock(GARDEN)
    await fetch(`${api.url}/beds`)
    const foreign = [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' }
    ]
    const changes: [string, string][] = [
      ['DELETE', 'journal'],
      ['POST', 'journal/clear'],
      ['DELETE', 'coverage'],
      ['POST', 'coverage/reset'],
      ['DELETE', 'state'],
      ['POST', 'state/reset'],
      ['POST', 'webhooks/any'],
      ['POST', 'nothing']
    ]
    for (const headers of foreign) {
      for (const [method, path] of changes) {
        const answer = await sendPlain(`${api.url}/__nonet/${path}`, { method, headers })
        assert.equal(answer.status, 403, `${method} ${path}`)
        assert.match(String(answer.body), /"code":"FOREIGN_ORIGIN"/)
      }
    }
    assert.equal((await readJournal(api.url)).kept, 1)
    assert.equal(api.coverage().calls, 1)
    const answer = await fetch(`${api.url}/__nonet/journal`)
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  })

  test('beyond loopback only who has the token; what is not there looks the same', async () => {
    await using api = await mock(GARDEN, { host: '0.0.0.0' })
    const url = `http://127.0.0.1:${new URL(api.url).port}`
    const answers = await Promise.all(
      PATHS.map(async (path) => {
        const answer = await fetch(`${url}/__nonet/${path}`)
        return `${answer.status} ${await answer.text()}`
      })
    )
    assert.equal(new Set(answers).size, 1)
    assert.match(answers[0] ?? '', /^401 .*"code":"TOKEN_MISSING"/)
    const page = await fetch(`${url}/__nonet/journal`, { headers: { accept: 'text/html' } })
    assert.equal(page.status, 401)
    assert.match(await page.text(), /<input name="token"/)
    assert.equal((await fetch(`${url}/__nonet/?token=wrong`)).status, 401)
    for (const probe of ['healthz', 'readyz']) {
      assert.equal((await fetch(`${url}/__nonet/${probe}`)).status, 200)
    }
    assert.equal((await fetch(`${url}/beds`)).status, 200)
  })

  test('a path that only looks like an open one needs the token, too', async () => {
    await using api = await mock(GARDEN, { host: '0.0.0.0' })
    const { port } = new URL(api.url)
    for (const path of ['documents/..\\healthz', 'documents/%2e%2e/healthz']) {
      const head = `GET /__nonet/${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`
      const pieces = [`${head}Connection: close\r\n\r\n`]
      const { statuses } = await sendRaw(`http://127.0.0.1:${port}`, pieces, 2000, 30_000)
      assert.deepEqual(statuses, [401], path)
    }
  })
})

describe('--no-admin', () => {
  const OWN = {
    openapi: '3.1.0',
    info: { title: 'Own', version: '1' },
    paths: {
      '/__nonet/journal': {
        get: {
          responses: { 200: { description: '', content: { 'text/plain': { example: 'mine' } } } }
        }
      },
      '/__nonetto/{a}': { get: { responses: { 204: { description: '' } } } }
    }
  }

  test('leaves the addresses to the document', async () => {
    await using api = await mock(write(OWN), { admin: false })
    assert.equal(await (await fetch(`${api.url}/__nonet/journal`)).text(), 'mine')
    const unknown = await fetch(`${api.url}/__nonet/healthz`)
    assert.equal(unknown.status, 404)
    assert.equal(await codeOf(unknown), 'NO_PATH_MATCHED_ERROR')
    assert.equal(api.coverage().covered, 1)
  })

  test('without it, an operation that cannot be reached is told', async () => {
    const warnings: string[] = []
    const listen = (warning: Error) => warnings.push(warning.message)
    process.on('warning', listen)
    await using api = await mock(write(OWN))
    await new Promise(setImmediate)
    process.off('warning', listen)
    const told = warnings.filter((text) => text.includes('cannot be reached'))
    assert.equal(told.length, 1)
    assert.match(told[0] ?? '', /GET \/__nonet\/journal cannot be reached.*--no-admin/)
    assert.equal((await fetch(`${api.url}/__nonetto/1`)).status, 204)
    const { findings } = (await (await fetch(`${api.url}/__nonet/reload`)).json()) as {
      findings: { text: string }[]
    }
    assert.equal(findings.filter(({ text }) => text.includes('cannot be reached')).length, 1)
  })
})

const TOKEN = 'the-admin-token-of-this-test'
const BEARER = { authorization: `Bearer ${TOKEN}` }

/** For requests that come through the proxy of another mock. */
function startBehindProxy(settings: object) {
  return start({
    services: ['mock'],
    console: false,
    adminToken: TOKEN,
    outboundAllow: ['127.0.0.1'],
    mock: { reload: false, ...settings }
  })
}

test('all of it is as its own document says, both directions held against it', async () => {
  const hook = {
    post: {
      requestBody: { content: { 'application/json': { schema: PLANT } } },
      responses: { 200: { description: '' } }
    }
  }
  await using nonet = await startBehindProxy({
    documents: [write({ ...SECURED, webhooks: { grown: hook } })]
  })
  const api = nonet.mock
  const document = write(openapi(api.url))
  await using judge = await mock(document, { upstream: api.url, admin: false, cors: false })
  await fetch(`${api.url}/a`)
  await fetch(`${api.url}/b`, { method: 'POST', body: '{"name":2}' })
  await fetch(`${api.url}/nowhere`)
  const call = { url: `${api.url}/b`, body: { name: 'a' } }
  const post = (body: string) => ({
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' }
  })
  const form = (fields: Record<string, string>) => ({
    method: 'POST',
    body: new URLSearchParams(fields)
  })
  const calls: [string, number, RequestInit?][] = [
    ['', 308],
    ['/', 200],
    ['/healthz', 200],
    ['/readyz', 200],
    ['/operations', 200],
    ['/journal', 200],
    ['/journal?status=4xx&limit=1', 200],
    ['/journal/1', 200],
    ['/journal/77', 404],
    ['/journal/1/edit', 200],
    ['/journal/77/edit', 404],
    ['/journal/2/send', 200, { method: 'POST' }],
    ['/journal/2/send', 303, { method: 'POST', headers: { accept: 'text/html' } }],
    ['/try?operation=addB', 200],
    ['/try?operation=addC', 404],
    ['/try', 200, form({ operation: 'addB', body: '{"name":"a"}' })],
    ['/try', 404, form({ operation: 'addC' })],
    ['/try', 422, form({ operation: 'addB', headers: 'x' })],
    ['/send', 200],
    ['/send', 200, post('{"target":"/a"}')],
    ['/send', 422, post('{"target":"a"}')],
    ['/violations', 200],
    ['/coverage', 200],
    ['/documents', 200],
    ['/reload', 200],
    ['/document.json', 200],
    ['/document.yaml', 200],
    ['/documents/1.json', 200],
    ['/documents/x.yaml', 404],
    ['/state', 404],
    ['/state?path=/b', 404],
    ['/webhooks', 200],
    ['/webhooks/grown', 200, post(JSON.stringify(call))],
    ['/webhooks/nope', 404, post(JSON.stringify(call))],
    ['/webhooks/grown', 422, post(JSON.stringify({ ...call, body: { name: 1 } }))],
    ['/webhooks/grown', 502, post(JSON.stringify({ url: 'http://127.0.0.1:1/' }))],
    ['/assets/live-journal.js', 200],
    ['/journal', 204, { method: 'DELETE', headers: { 'content-type': 'application/json' } }],
    ['/journal/clear', 204, { method: 'POST' }],
    ['/coverage', 204, { method: 'DELETE' }],
    ['/coverage/reset', 303, { method: 'POST', headers: { accept: 'text/html' } }],
    ['/state/records?path=/b', 404, post('{}')],
    ['/state/records?path=/b/1', 404, { ...post('{}'), method: 'PUT' }],
    ['/state/records?path=/b/1', 404, { method: 'DELETE' }],
    ['/state/add', 404, form({ path: '/b', record: '{}' })],
    ['/state/save', 404, form({ path: '/b/1', record: '{}' })],
    ['/state/delete', 404, form({ path: '/b/1' })],
    ['/state', 404, { method: 'DELETE' }],
    ['/state/reset', 404, { method: 'POST' }]
  ]
  for (const page of ['', 'journal', 'violations', 'coverage', 'documents', 'state', 'webhooks']) {
    calls.push([`/${page}`, 200, { headers: { accept: 'text/html' } }])
  }
  for (const [path, status, init] of calls) {
    const headers = { ...init?.headers, ...BEARER }
    const answer = await fetch(`${judge.url}/__nonet${path}`, {
      redirect: 'manual',
      ...init,
      headers
    })
    const said = `${init?.method ?? 'GET'} ${path}`
    assert.equal(answer.status, status, said)
    assert.equal(answer.headers.get('sl-violations'), null, said)
  }
  const called = judge.coverage().byOperation.filter(({ calls }) => calls === 0)
  // A stream has no end to be judged at.
  assert.deepEqual(
    called.map(({ operationId }) => operationId),
    ['followJournal']
  )
})

test('the state, too, is as the document of the service says', async () => {
  await using nonet = await startBehindProxy({ documents: [GARDEN], state: true })
  const api = nonet.mock
  await using judge = await mock(write(openapi(api.url)), { upstream: api.url, admin: false })
  const json = { 'content-type': 'application/json', prefer: 'session=a' }
  await fetch(`${api.url}/plants`, { method: 'POST', headers: json, body: '{"name":"x","bed":1}' })
  const calls: [string, string, number, string?][] = [
    ['GET', 'state', 200],
    ['GET', 'state?session=a', 200],
    ['GET', 'state?path=/plants&session=a', 200],
    ['GET', 'state?path=/nothing', 404],
    ['GET', 'state?path=/plants/1', 200],
    ['GET', 'state?path=/plants/99', 404],
    ['POST', 'state/records?path=/plants', 201, '{"name":"y","bed":2}'],
    ['POST', 'state/records?path=/plants', 422, '{"name":2}'],
    ['POST', 'state/records?path=/plants', 409, '{"id":1,"name":"z","bed":1}'],
    ['PUT', 'state/records?path=/plants/1', 200, '{"name":"y","bed":2}'],
    ['PUT', 'state/records?path=/plants/99', 404, '{"name":"y","bed":2}'],
    ['DELETE', 'state/records?path=/plants/1', 204],
    ['POST', 'state/reset?session=a', 200],
    ['DELETE', 'state', 200]
  ]
  for (const [method, path, status, body] of calls) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(`${judge.url}/__nonet/${path}`, {
      method,
      headers: { ...BEARER, ...type },
      ...(body === undefined ? {} : { body })
    })
    assert.equal(answer.status, status, path)
    assert.equal(answer.headers.get('sl-violations'), null, path)
  }
})
