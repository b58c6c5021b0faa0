/** In front of a real upstream: bytes untouched both ways, findings told, the mock in reserve. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type EngineOptions, upstreamAt } from '../../src/services/mock/engine/options.ts'
import { documentOf, violationsIn } from '../support/mock-rows.ts'
import { type MockServer, openMock } from '../support/mock-server.ts'
import { listen, type Upstream } from '../support/mock-upstream.ts'
import { sendPlain } from '../support/plain-http.ts'
import { sendRaw } from '../support/raw-socket.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function openUpstream(routes: Record<string, Handler>): Promise<Upstream> {
  const received: Upstream['received'] = []
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming
    const handler = routes[url.split('?')[0] ?? '']
    if (handler?.name.startsWith('raw')) return handler(incoming, response)
    const body = await bodyOf(incoming).catch(() => undefined)
    if (body === undefined) return
    received.push({ method, url, headers, body })
    if (handler === undefined) response.writeHead(404).end()
    else await handler(incoming, response)
  })
  return { ...(await listen(server)), received }
}

const PET = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const petContent = { 'application/json': { schema: PET, example: { id: 1 } } }
const ok = { '200': { description: '', content: petContent } }
const body = { required: true, content: { 'application/json': { schema: PET } } }
const binary = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }

const document = documentOf(
  {
    '/pets': { get: { responses: ok }, post: { requestBody: body, responses: ok } },
    '/wrong': { get: { responses: ok } },
    '/broken': { get: { responses: ok } },
    '/packed': { get: { responses: ok } },
    '/odd-status': { get: { responses: ok } },
    '/odd-success': { get: { responses: ok } },
    '/odd-type': { get: { responses: ok } },
    '/missing-header': {
      get: {
        responses: {
          '200': {
            description: '',
            headers: { 'X-Rate': { required: true, schema: { type: 'integer' } } }
          }
        }
      }
    },
    '/search': {
      get: {
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        responses: { '200': { description: '' } }
      }
    },
    '/unfinished': { get: { responses: ok }, post: { requestBody: body, responses: ok } },
    '/safe': { get: { security: [{ key: [] }], responses: { '200': { description: '' } } } },
    '/old': { get: { deprecated: true, responses: { '200': { description: '' } } } },
    '/bytes': {
      post: {
        requestBody: { content: binary },
        responses: { '200': { description: '', content: binary } }
      }
    },
    '/cookies': { get: { responses: { '200': { description: '' } } } },
    '/moved': { get: { responses: { '302': { description: '' } } } },
    '/events': {
      get: {
        responses: {
          '200': {
            description: '',
            content: { 'text/event-stream': { schema: { type: 'string' } } }
          }
        }
      }
    },
    '/large': { get: { responses: ok } },
    '/cut': { get: { responses: { '200': { description: '' } } } },
    '/cut-json': { get: { responses: ok } },
    '/slow': { get: { responses: ok } },
    '/head': { head: { responses: { '200': { description: '', content: petContent } } } }
  },
  {
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    servers: [{ url: 'https://api.example/v1' }]
  }
)

function json(value: unknown, status = 200): Handler {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
}
function plain(status: number, headers: Record<string, string | string[]> = {}): Handler {
  return (_request, response) => void response.writeHead(status, headers).end()
}

const LARGE = JSON.stringify({ id: 1, text: 'x'.repeat(3 * 1024 * 1024) })
const slow = Promise.withResolvers<void>()
let aborted: Promise<unknown> = Promise.resolve()

const routes: Record<string, Handler> = {
  '/pets': json({ id: 5 }),
  '/wrong': json({ id: 'five' }),
  '/broken': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":'),
  '/packed': (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(gzipSync('{"id":"packed"}')),
  '/odd-status': plain(418),
  '/odd-success': plain(202),
  '/odd-type': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/plain' }).end('5'),
  '/missing-header': plain(200),
  '/search': plain(200),
  '/unfinished': plain(501),
  '/safe': plain(200),
  '/old': plain(200),
  '/bytes': async (incoming, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    response.end(Buffer.concat([Buffer.from([0xff, 0xfe, 0]), await bodyOf(incoming)]))
  },
  '/cookies': plain(200, {
    'set-cookie': ['a=1; Path=/', 'b=2, with comma'],
    connection: 'x-private',
    'x-private': 'hop'
  }),
  '/moved': plain(302, { location: '/elsewhere' }),
  '/events': function rawEvents(_request, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: one\n\n')
    aborted = once(response, 'close')
  },
  '/large': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(LARGE),
  '/cut': function rawCut(_request, response) {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => response.socket?.resetAndDestroy())
  },
  '/cut-json': function rawCutJson(_request, response) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"id":', () => response.socket?.resetAndDestroy())
  },
  '/slow': function rawSlow(_request, response) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"id":')
    slow.promise.then(() => response.end('5}'))
  },
  '/head': plain(200, { 'content-type': 'application/json', 'content-length': '77' }),
  '/echo-path': plain(200),
  '/base/v1/pets': json({ id: 6 })
}

let upstream: Upstream
before(async () => {
  upstream = await openUpstream(routes)
})
after(() => upstream.close())

async function openProxy(options: Partial<EngineOptions> = {}, path = ''): Promise<MockServer> {
  return openMock(document, { upstream: upstreamAt(new URL(upstream.url + path)), ...options })
}

/** Severity and location of every finding that the client is told. */
function findings(answer: { headers: Record<string, unknown> }): string[] {
  const text = answer.headers['sl-violations']
  const all = JSON.parse(typeof text === 'string' ? text : '[]')
  return all.map(
    (each: { severity: string; location: string[] }) =>
      `${each.severity} ${each.location.join('.')}`
  )
}

describe('the validating proxy', () => {
  let mock: MockServer
  before(async () => {
    mock = await openProxy()
  })
  after(async () => {
    await mock.close()
    assert.deepEqual(mock.defects, [])
  })

  const rows: [proves: string, path: string, status: number, found: string[]][] = [
    ['a sound answer passes without a word', '/pets', 200, []],
    ['a body that breaks its schema passes and is told', '/wrong', 200, ['Error response.body.id']],
    ['a body that is no JSON passes and is told', '/broken', 200, ['Error response.body']],
    ['a packed body is judged unpacked', '/packed', 200, ['Error response.body.id']],
    ['an undocumented failure is a warning', '/odd-status', 418, ['Warning response']],
    ['an undocumented success is an error', '/odd-success', 202, ['Error response']],
    ['an undocumented type', '/odd-type', 200, ['Error response.body']],
    [
      'a required header that is not there',
      '/missing-header',
      200,
      ['Error response.header.x-rate']
    ],
    ['a fault of the request is told', '/search?limit=many', 200, ['Error request.query.limit']],
    ['a missing credential is told', '/safe', 200, ['Error request']],
    [
      'an unknown route is forwarded all the same',
      '/echo-path?a=b%20c&a=d',
      200,
      ['Warning request']
    ],
    ['an unknown route that the upstream lacks too', '/nowhere', 404, ['Warning request']],
    ["a redirect is the client's affair", '/moved', 302, []]
  ]
  for (const [proves, path, status, found] of rows) {
    test(proves, async () => {
      const answer = await sendPlain(mock.url + path)
      assert.equal(answer.status, status, answer.body.toString())
      assert.deepEqual(findings(answer), found)
    })
  }

  test('the path and the query arrive as they were sent, the name of the host does not', async () => {
    upstream.received.length = 0
    await sendPlain(`${mock.url}/echo-path?a=b%20c&a=d`, {
      headers: { 'x-mine': 'yes', te: 'trailers' }
    })
    const [received] = upstream.received
    assert.equal(received?.url, '/echo-path?a=b%20c&a=d')
    assert.equal(received?.headers.host, new URL(upstream.url).host)
    assert.equal(received?.headers['x-mine'], 'yes')
    assert.equal(received?.headers.te, undefined)
  })

  test('bytes are the same on both ways', async () => {
    const sent = randomBytes(100_000)
    upstream.received.length = 0
    const answer = await sendPlain(`${mock.url}/bytes`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: sent
    })
    assert.equal(answer.status, 200)
    assert.deepEqual(upstream.received[0]?.body, sent)
    assert.equal(answer.body.subarray(0, 3).toString('hex'), 'fffe00')
  })

  test('a preflight leaves the connection open', async () => {
    const answer = await sendPlain(`${mock.url}/pets`, {
      method: 'OPTIONS',
      headers: {
        connection: 'keep-alive',
        origin: 'http://client.example',
        'access-control-request-method': 'POST'
      }
    })
    assert.equal(answer.status, 204)
    assert.equal(answer.headers.connection, 'keep-alive')
  })

  test('the exchange holds the body and the response that was used', async () => {
    const headers = { 'content-type': 'application/json' }
    await sendPlain(`${mock.url}/pets`, { method: 'POST', headers, body: '{"id":1}' })
    const exchange = mock.exchanges.at(-1)
    assert.equal(Buffer.from(exchange?.incoming.body ?? []).toString(), '{"id":1}')
    assert.equal(exchange?.response?.code, '200')
    assert.equal(exchange?.forwarded, true)
  })

  test('a packed answer stays packed', async () => {
    const answer = await sendPlain(`${mock.url}/packed`)
    assert.equal(answer.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(answer.body).toString(), '{"id":"packed"}')
  })

  test('cookies stay apart, and what concerns one connection stays behind', async () => {
    const answer = await sendPlain(`${mock.url}/cookies`)
    assert.deepEqual(answer.headers['set-cookie'], ['a=1; Path=/', 'b=2, with comma'])
    assert.equal(answer.headers['x-private'], undefined)
  })

  test('GET with a body is forwarded', async () => {
    upstream.received.length = 0
    const answer = await sendPlain(`${mock.url}/pets`, {
      headers: { 'content-type': 'text/plain' },
      body: 'why not'
    })
    assert.equal(answer.status, 200)
    assert.equal(upstream.received[0]?.body.toString(), 'why not')
  })

  test('a location is passed on untouched', async () => {
    const answer = await sendPlain(`${mock.url}/moved`)
    assert.equal(answer.headers.location, '/elsewhere')
  })

  test('the answer to HEAD keeps the length of what it stands for', async () => {
    const answer = await sendPlain(`${mock.url}/head`, { method: 'HEAD' })
    assert.equal(answer.headers['content-length'], '77')
    assert.deepEqual(findings(answer), [])
  })

  test('HEAD of a documented GET is forwarded, and its missing body is no violation', async () => {
    upstream.received.length = 0
    const answer = await sendPlain(`${mock.url}/pets`, { method: 'HEAD' })
    assert.equal(answer.status, 200)
    assert.equal(upstream.received[0]?.method, 'HEAD')
    assert.deepEqual(findings(answer), [])
  })

  test('a packed upload is validated unpacked and forwarded packed', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    for (const [text, found] of [
      ['{"id":1}', []],
      ['{"id":"one"}', ['Error request.body.id']]
    ] as const) {
      upstream.received.length = 0
      const body = gzipSync(text)
      const answer = await sendPlain(`${mock.url}/pets`, { method: 'POST', headers, body })
      assert.deepEqual(upstream.received[0]?.body, body)
      assert.deepEqual(findings(answer), found)
    }
  })

  test('a deprecated operation says so', async () => {
    assert.equal((await sendPlain(`${mock.url}/old`)).headers.deprecation, 'true')
  })

  test('events arrive while the stream is open, and end with the client', async () => {
    const outgoing = request(`${mock.url}/events`).end()
    const [response] = await once(outgoing, 'response')
    const [chunk] = await once(response, 'data')
    assert.equal(chunk.toString(), 'data: one\n\n')
    outgoing.destroy()
    await aborted
  })

  test('an answer that the upstream cuts off is cut off here', async () => {
    await assert.rejects(sendPlain(`${mock.url}/cut`), /aborted|socket hang up|ECONNRESET/)
  })

  test('what the upstream does not implement is mocked', async () => {
    const answer = await sendPlain(`${mock.url}/unfinished`)
    assert.equal(answer.status, 200)
    assert.equal(answer.body.toString(), '{"id":1}')
    assert.equal(mock.exchanges.at(-1)?.forwarded, false)
  })

  test('a faulty request that is mocked gets the refusal of the mock', async () => {
    const answer = await sendPlain(`${mock.url}/unfinished`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"id":"x"}'
    })
    assert.equal(answer.status, 422)
    assert.match(answer.body.toString(), /"code":"UNPROCESSABLE_ENTITY"/)
  })
})

describe('the proxy with errors', () => {
  let mock: MockServer
  before(async () => {
    mock = await openProxy({ errors: true })
  })
  after(async () => {
    await mock.close()
    assert.deepEqual(mock.defects, [])
  })

  const rows: [
    proves: string,
    path: string,
    status: number,
    code: string | undefined,
    forwarded: number
  ][] = [
    ['a sound exchange passes', '/pets', 200, undefined, 1],
    ['a faulty answer becomes 500', '/wrong', 500, 'VIOLATIONS', 1],
    ['a faulty request is not forwarded', '/search?limit=many', 422, 'UNPROCESSABLE_ENTITY', 0],
    ['a request without credentials is not forwarded', '/safe', 401, 'UNAUTHORIZED', 0],
    ['an unknown path is not forwarded', '/nowhere', 404, 'NO_PATH_MATCHED_ERROR', 0],
    ['an undocumented failure passes', '/odd-status', 418, undefined, 1],
    ['what is not implemented is mocked', '/unfinished', 200, undefined, 1]
  ]
  for (const [proves, path, status, code, forwarded] of rows) {
    test(proves, async () => {
      upstream.received.length = 0
      const answer = await sendPlain(mock.url + path)
      assert.equal(answer.status, status, answer.body.toString())
      const told = code === undefined ? undefined : JSON.parse(answer.body.toString()).code
      assert.equal(told, code)
      assert.equal(upstream.received.length, forwarded)
    })
  }

  test('an unknown method is not forwarded', async () => {
    upstream.received.length = 0
    const answer = await sendPlain(`${mock.url}/pets`, { method: 'DELETE' })
    assert.equal(answer.status, 405)
    assert.equal(answer.headers.allow, 'GET, HEAD, POST')
    assert.equal(upstream.received.length, 0)
  })

  test('a body is judged before it is sent on, then sent on as it came', async () => {
    upstream.received.length = 0
    const send = (text: string) =>
      sendPlain(`${mock.url}/pets`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text
      })
    assert.equal((await send('{"id":"x"}')).status, 422)
    assert.equal((await send('{"id":')).status, 422)
    assert.equal(upstream.received.length, 0)
    assert.equal((await send('{ "id":\n1.0 }')).status, 200)
    assert.equal(upstream.received[0]?.body.toString(), '{ "id":\n1.0 }')
  })
})

test('an answer too large to be judged passes, and that is told', async () => {
  await using mock = await openProxy({ maxBodyBytes: 1024 * 1024 })
  const answer = await sendPlain(`${mock.url}/large`)
  assert.equal(answer.body.toString(), LARGE)
  assert.deepEqual(findings(answer), ['Warning response.body'])
})

test('an answer that breaks off before it was judged', async () => {
  await using mock = await openProxy()
  const answer = await sendPlain(`${mock.url}/cut-json`)
  assert.equal(answer.status, 502)
  assert.equal(JSON.parse(answer.body.toString()).code, 'UPSTREAM_UNREACHABLE')
  assert.deepEqual(mock.defects, [])
})

test('an answer that takes too long to be judged runs on unjudged', async () => {
  const upstreamOptions = upstreamAt(new URL(upstream.url), { maxHoldMs: 50 })
  await using mock = await openMock(document, { upstream: upstreamOptions })
  const outgoing = request(`${mock.url}/slow`).end()
  const [response] = await once(outgoing, 'response')
  assert.deepEqual(findings(response), ['Warning response.body'])
  slow.resolve()
  assert.equal((await bodyOf(response)).toString(), '{"id":5}')
})

for (const errors of [false, true]) {
  test(`a client that breaks off its upload is no defect, errors ${errors}`, async () => {
    await using mock = await openProxy({ errors })
    const outgoing = request(`${mock.url}/bytes`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'content-length': '1000000' }
    })
    outgoing.on('error', () => {})
    await new Promise<void>((resolve) => outgoing.write('some', () => resolve()))
    outgoing.destroy()
    assert.equal((await sendPlain(`${mock.url}/pets`)).status, 200)
    assert.deepEqual(mock.defects, [])
  })
}

test('without request validation only the credentials are looked at', async () => {
  await using mock = await openProxy({ validateRequest: false, errors: true })
  assert.equal((await sendPlain(`${mock.url}/search?limit=many`)).status, 200)
  assert.equal((await sendPlain(`${mock.url}/safe`)).status, 401)
})

test('without response validation answers are not judged', async () => {
  await using mock = await openProxy({ validateResponse: false })
  assert.deepEqual(findings(await sendPlain(`${mock.url}/wrong`)), [])
})

test('further statuses of the upstream can be mocked', async () => {
  await using mock = await openProxy({
    upstream: upstreamAt(new URL(upstream.url), { mockedStatuses: [418] })
  })
  assert.equal((await sendPlain(`${mock.url}/odd-status`)).body.toString(), '{"id":1}')
})

test('a base path that the upstream has already is not sent twice', async () => {
  await using mock = await openProxy({}, '/base/v1')
  for (const path of ['/pets', '/v1/pets']) {
    upstream.received.length = 0
    assert.equal((await sendPlain(mock.url + path)).body.toString(), '{"id":6}')
    assert.equal(upstream.received[0]?.url, '/base/v1/pets')
  }
})

test('an upstream that nobody serves', async () => {
  const gone = await openUpstream({})
  await gone.close()
  await using mock = await openMock(document, { upstream: upstreamAt(new URL(gone.url)) })
  const answer = await sendPlain(`${mock.url}/pets`)
  assert.equal(answer.status, 502)
  const { code, title, detail } = JSON.parse(answer.body.toString())
  assert.deepEqual(
    { code, title },
    { code: 'UPSTREAM_UNREACHABLE', title: 'Upstream not reachable' }
  )
  assert.match(detail, /ECONNREFUSED/)
  assert.deepEqual(mock.defects, [])
})

test('an upstream that never answers', async () => {
  const silent = await openUpstream({ '/pets': function rawSilence() {} })
  await using mock = await openMock(document, {
    upstream: upstreamAt(new URL(silent.url), { timeoutMs: 200 })
  })
  assert.equal((await sendPlain(`${mock.url}/pets`)).status, 502)
  await silent.close()
})

test('a client that leaves takes the call to the upstream with it', async () => {
  const left = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const slow = await openUpstream({
    '/pets': function rawSlow(_request, response) {
      arrived.resolve()
      response.once('close', left.resolve)
    }
  })
  await using mock = await openMock(document, { upstream: upstreamAt(new URL(slow.url)) })
  const outgoing = request(`${mock.url}/pets`).end()
  outgoing.on('error', () => {})
  await arrived.promise
  outgoing.destroy()
  await left.promise
  await slow.close()
  assert.deepEqual(mock.defects, [])
})

test('the upstream can be reached through an HTTP proxy', async () => {
  const tunnels: string[] = []
  const between = createServer()
  between.on('connect', (incoming, socket, head) => {
    tunnels.push(`${incoming.url} ${incoming.headers['proxy-authorization']}`)
    const [host, port] = String(incoming.url).split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  between.listen(0, '127.0.0.1')
  await once(between, 'listening')
  const { port } = between.address() as AddressInfo
  const proxy = `http://user:word@127.0.0.1:${port}`
  {
    await using mock = await openProxy({ upstream: upstreamAt(new URL(upstream.url), { proxy }) })
    assert.equal((await sendPlain(`${mock.url}/pets`)).body.toString(), '{"id":5}')
  }
  const credentials = Buffer.from('user:word').toString('base64')
  assert.deepEqual(tunnels, [`${new URL(upstream.url).host} Basic ${credentials}`])
  between.closeAllConnections()
  await new Promise((resolve) => between.close(resolve))
})

test('a browser sees the findings too', async () => {
  await using mock = await openProxy()
  const answer = await fetch(`${mock.url}/wrong`)
  assert.deepEqual(violationsIn(answer), [
    {
      location: ['response', 'body', 'id'],
      severity: 'Error',
      code: 'type',
      message: 'Response body property id must be integer'
    }
  ])
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
})

test('a request does not leave the base path of the upstream', async () => {
  const upstream = await openUpstream({})
  const url = new URL(`${upstream.url}/api/v1/`)
  const mock = await openMock(document, { upstream: upstreamAt(url) })
  try {
    const ask = (path: string) =>
      sendRaw(mock.url, [`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`], 30_000)
    const out = ['/../x', '/%2e%2e/x', '/%252e%252e/x', '/..%2fx', '/..\\x', '/..%5cx', '/..;a/x']
    for (const path of out) {
      const { statuses, text } = await ask(path)
      assert.deepEqual(statuses, [400], path)
      assert.match(
        text,
        /"detail":"The path leads out of \/api\/v1, the base path of the upstream; /
      )
    }
    assert.equal(upstream.received.length, 0)
    assert.deepEqual((await ask('/a/../x')).statuses, [404])
    assert.deepEqual(upstream.received[0]?.url, '/api/v1/a/../x')
  } finally {
    await mock.close()
    await upstream.close()
  }
})
