/** Callbacks: what is sent where after an answer, and what is told about it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { documentOf } from '../support/mock-rows.ts'
import { type MockServer, openMock } from '../support/mock-server.ts'
import { openWebhook, type Webhook } from '../support/webhook.ts'

const event = {
  requestBody: {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['kind'],
          properties: { kind: { const: 'paid' }, id: { type: 'integer', readOnly: true } }
        }
      }
    }
  },
  parameters: [
    {
      name: 'X-Signature',
      in: 'header',
      required: true,
      schema: { type: 'string' },
      example: 'signed'
    },
    { name: 'X-Optional', in: 'header', schema: { type: 'string' } },
    { name: 'try', in: 'query', required: true, schema: { type: 'integer', minimum: 3 } },
    { name: 'session', in: 'cookie', schema: { type: 'string' }, example: 'abc' }
  ],
  responses: {
    '200': {
      description: '',
      content: { 'application/json': { schema: { type: 'object', required: ['seen'] } } }
    }
  }
}

/** The webhook's script goes by the whole path, so nothing may follow it. */
const bareEvent = { ...event, parameters: [] }

/** One operation per expression; the answer has a header and a body to speak of. */
function calling(expression: string, operation: object = event, more: object = {}) {
  return {
    post: {
      parameters: [{ name: 'shop', in: 'path', required: true, schema: { type: 'string' } }],
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
      responses: {
        '201': {
          description: '',
          headers: { Location: { schema: { type: 'string' }, example: '/orders/9' } },
          content: { 'application/json': { example: { order: { 'a/b': 9 } } } }
        },
        '422': { description: '', content: { 'application/json': { example: { error: 1 } } } }
      },
      callbacks: { paid: { [expression]: { post: operation } } },
      ...more
    }
  }
}

let webhook: Webhook
let mock: MockServer
before(async () => {
  webhook = await openWebhook({
    wrong: { body: '{}', headers: { 'content-type': 'application/json' } }
  })
  const at = webhook.url
  mock = await openMock(
    documentOf({
      '/{shop}/body': calling('{$request.body#/hook}'),
      '/{shop}/bare': calling('$request.body#/hook'),
      '/{shop}/query': calling('{$request.query.hook}'),
      '/{shop}/header': calling('{$request.header.X-Hook}'),
      '/{shop}/path': calling(`${at}{$request.path.shop}`),
      '/{shop}/method': calling(`${at}{$method}/{$statusCode}`),
      '/{shop}/url': calling(`${at}at?{$url}`),
      '/{shop}/answer': calling(
        `${at}answer{$response.header.location}/{$response.body#/order/a~1b}`
      ),
      '/{shop}/nothing': calling('{$request.body#/nowhere}'),
      '/{shop}/wrong': calling(`${at}wrong`, bareEvent),
      '/{shop}/plain': calling(`${at}plain`, { responses: { '200': { description: '' } } }),
      '/{shop}/file': calling('file:///etc/passwd')
    })
  )
})
after(async () => {
  await mock.close()
  await webhook.close()
  assert.deepEqual(mock.defects, [])
})

async function call(path: string, body: object = {}, headers: Record<string, string> = {}) {
  mock.callbacks.length = 0
  const answer = await fetch(`${mock.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body)
  })
  assert.equal(answer.status, 201, await answer.text())
  await mock.idle()
  return { received: webhook.take(), told: mock.callbacks[0] }
}

describe('addresses', () => {
  const rows: [
    name: string,
    path: string,
    expected: string,
    how: () => [object?, Record<string, string>?]
  ][] = [
    ['from the body', '/a/body', '/in-body?try=3', () => [{ hook: `${webhook.url}in-body` }]],
    ['from a bare expression', '/a/bare', '/bare?try=3', () => [{ hook: `${webhook.url}bare` }]],
    [
      'from a header',
      '/a/header',
      '/in-header?try=3',
      () => [{}, { 'x-hook': `${webhook.url}in-header` }]
    ],
    ['from the path', '/shop7/path', '/shop7?try=3', () => []],
    ['from method and status', '/a/method', '/POST/201?try=3', () => []],
    ['from header and body of the answer', '/a/answer', '/answer/orders/9/9?try=3', () => []]
  ]
  for (const [name, path, expected, how] of rows) {
    test(name, async () => {
      const { received } = await call(path, ...how())
      assert.deepEqual(
        received.map((one) => one.path),
        [expected]
      )
    })
  }

  test('from the query', async () => {
    const { received } = await call(`/a/query?hook=${encodeURIComponent(`${webhook.url}in-query`)}`)
    assert.equal(received[0]?.path, '/in-query?try=3')
  })

  test('with the address of the call itself', async () => {
    const { received } = await call('/a/url?x=1')
    assert.match(received[0]?.path ?? '', /^\/at\?http:\/\/127\.0\.0\.1:\d+\/a\/url\?x=1&try=3$/)
  })

  for (const path of ['/a/nothing', '/a/file']) {
    test(`${path} has none, and that is told`, async () => {
      const { received, told } = await call(path)
      assert.deepEqual(received, [])
      assert.equal(told?.failure, 'the expression does not produce an http URL')
    })
  }
})

test('headers, cookies and the body are sent', async () => {
  const { received } = await call('/a/answer')
  const [{ headers, body, method } = assert.fail()] = received
  assert.equal(method, 'POST')
  assert.equal(headers['x-signature'], 'signed')
  assert.equal(headers['x-optional'], undefined)
  assert.equal(headers.cookie, 'session=abc')
  assert.equal(headers['content-type'], 'application/json')
  assert.deepEqual(JSON.parse(body), { kind: 'paid' })
})

test('a callback without a body', async () => {
  const { received, told } = await call('/a/plain')
  assert.equal(received[0]?.body, '')
  assert.equal(received[0]?.headers['content-type'], undefined)
  assert.equal(told?.status, 200)
  assert.deepEqual(told?.diagnostics, [])
})

test('a reply that breaks the document is told', async () => {
  const { told } = await call('/a/wrong')
  assert.equal(told?.status, 200)
  assert.deepEqual(
    told?.diagnostics.map(({ code }) => code),
    ['required']
  )
  assert.equal(told?.operation.path, '/{shop}/wrong')
  assert.equal(told?.callback.key, 'paid')
})

test('the answer waits for no callback', async () => {
  await using quiet = await openWebhook({ silent: { silent: true } })
  await using own = await openMock(
    documentOf({ '/{shop}/x': calling(`${quiet.url}silent`, bareEvent) })
  )
  const answer = await fetch(`${own.url}/a/x`, { method: 'POST' })
  assert.equal(answer.status, 201)
  assert.deepEqual(own.callbacks, [])
  // Otherwise the callback would end by its timeout of ten seconds.
  await quiet.close()
  await own.idle()
  assert.deepEqual(
    own.callbacks.map(({ url }) => url),
    [`${quiet.url}silent`]
  )
})

test('a documented refusal is followed by callbacks, a problem is not', async () => {
  const strict = { required: true, content: { 'application/json': { schema: { type: 'object' } } } }
  const responses = { '200': { description: '' } }
  await using own = await openMock(
    documentOf({
      '/{shop}/refused': calling(`${webhook.url}refused`, event, { requestBody: strict }),
      '/{shop}/problem': calling(`${webhook.url}problem`, event, { requestBody: strict, responses })
    })
  )
  webhook.take()
  const refused = await fetch(`${own.url}/a/refused`, { method: 'POST' })
  const problem = await fetch(`${own.url}/a/problem`, { method: 'POST' })
  await own.idle()
  assert.deepEqual([refused.status, problem.status], [422, 422])
  assert.equal(problem.headers.get('content-type'), 'application/problem+json')
  assert.deepEqual(
    webhook.take().map(({ path }) => path),
    ['/refused?try=3']
  )
})

test('an address inside the house is refused unless the operator allows it', async () => {
  const document = documentOf({ '/{shop}/x': calling(`${webhook.url}guarded`) })
  webhook.take()
  await using guarded = await openMock(document, {}, { loopback: false })
  await fetch(`${guarded.url}/a/x`, { method: 'POST' })
  await guarded.idle()
  assert.equal(guarded.callbacks[0]?.failure, 'ADDRESS_REFUSED')
  await using allowed = await openMock(document, {}, { loopback: false, allow: ['127.0.0.1'] })
  await fetch(`${allowed.url}/a/x`, { method: 'POST' })
  await allowed.idle()
  assert.equal(allowed.callbacks[0]?.status, 200)
  assert.equal(webhook.take().length, 1)
})

test('the request decides too: not of another site, and not to loopback through a proxy', async () => {
  const callers = [
    [{ origin: 'https://elsewhere.example' }, /^the request was sent by a page of another site$/],
    [{ via: '1.1 proxy' }, /^the request came through a proxy, .*--outbound-allow/]
  ] as const
  for (const [headers, failure] of callers) {
    const { received, told } = await call('/a/path', {}, headers)
    assert.deepEqual(received, [])
    assert.match(told?.failure ?? '', failure)
    assert.equal(told?.refused, true)
  }
  const own = await call('/a/path', {}, { via: '1.1 nonet' })
  assert.equal(own.received.length, 1)
})

test('callbacks can be switched off', async () => {
  await using quiet = await openMock(documentOf({ '/{shop}/x': calling(`${webhook.url}off`) }), {
    callbacks: false
  })
  webhook.take()
  await fetch(`${quiet.url}/a/x`, { method: 'POST' })
  await quiet.idle()
  assert.deepEqual(webhook.take(), [])
})
