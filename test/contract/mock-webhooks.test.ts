/** Webhooks of a document, sent when somebody asks. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type MockedApi, mock } from '../../src/host/mock.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { openWebhook, type Webhook } from '../support/webhook.ts'

const EVENT = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { enum: ['grown', 'eaten'] }, note: { type: 'string' } }
}

const content = (more: object) => ({ 'application/json': more })

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Garden', version: '1' },
  paths: { '/a': { get: { responses: { 200: { description: '' } } } } },
  webhooks: {
    grown: {
      post: {
        operationId: 'tellGrown',
        summary: 'Something has grown',
        parameters: [
          { name: 'X-Event', in: 'header', required: true, schema: { const: 'plant' } },
          { name: 'try', in: 'query', required: true, schema: { type: 'integer', minimum: 3 } }
        ],
        requestBody: {
          required: true,
          content: content({
            schema: EVENT,
            examples: { basil: { value: { kind: 'grown' } }, leek: { value: { kind: 'eaten' } } }
          })
        },
        responses: {
          200: { description: '', content: content({ schema: { required: ['seen'] } }) },
          410: { description: '' }
        }
      }
    },
    made: {
      post: {
        requestBody: { content: content({ schema: EVENT }) },
        responses: { default: { description: '' } }
      }
    },
    shared: { $ref: '#/components/pathItems/Shared' },
    'with/slash é': { put: { responses: { 204: { description: '' } } } },
    two: {
      get: { responses: { 204: { description: '' } } },
      post: { responses: { 204: { description: '' } } }
    }
  },
  components: {
    pathItems: { Shared: { delete: { responses: { 204: { description: '' } } } } }
  }
}

function write(document: object): string {
  const file = join(scratchFolder(), 'document.json')
  writeFileSync(file, JSON.stringify(document))
  return file
}

interface Outcome {
  sent: { url: string; method: string; headers: Record<string, string>; body?: string }
  reply: { status: number; body: string }
  violations: { location: string[]; message: string }[]
  code?: string
  detail?: string
  validation?: { message: string }[]
}

async function call(api: MockedApi, name: string, body: unknown, init: RequestInit = {}) {
  const answer = await fetch(`${api.url}/__nonet/webhooks/${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init
  })
  return { status: answer.status, body: (await answer.json()) as Outcome }
}

describe('webhooks', () => {
  let api: MockedApi
  let receiver: Webhook
  before(async () => {
    receiver = await openWebhook({
      'sees?try=3': { headers: { 'content-type': 'application/json' }, body: '{"seen":1}' },
      'blind?try=3': { headers: { 'content-type': 'application/json' }, body: '{}' },
      'gone?try=3': { status: 410, body: '' },
      'odd?try=3': { status: 418, body: 'tea', headers: { 'content-type': 'text/plain' } },
      'cut?try=3': { reset: true },
      plain: { status: 204, body: '' }
    })
    api = await mock(write(DOCUMENT))
  })
  after(async () => {
    await api.stop()
    await receiver.close()
  })

  test('are listed', async () => {
    const { webhooks } = (await (await fetch(`${api.url}/__nonet/webhooks`)).json()) as {
      webhooks: Record<string, unknown>[]
    }
    assert.deepEqual(
      webhooks.map(({ name, method }) => `${method} ${name}`),
      ['POST grown', 'POST made', 'DELETE shared', 'PUT with/slash é', 'GET two', 'POST two']
    )
    assert.partialDeepStrictEqual(webhooks[0], {
      operationId: 'tellGrown',
      summary: 'Something has grown',
      examples: ['basil', 'leek'],
      statuses: ['200', '410']
    })
  })

  test('the first example goes out with the parameters, and the answer is judged', async () => {
    const { status, body } = await call(api, 'grown', { url: `${receiver.url}sees` })
    assert.equal(status, 200)
    const [received] = receiver.take()
    assert.deepEqual([received?.method, received?.path], ['POST', '/sees?try=3'])
    assert.equal(received?.headers['x-event'], 'plant')
    assert.equal(received?.headers['content-type'], 'application/json')
    assert.equal(received?.body, '{"kind":"grown"}')
    assert.deepEqual([body.reply.status, body.reply.body], [200, '{"seen":1}'])
    assert.equal(body.sent.body, received?.body)
    assert.deepEqual(body.violations, [])
  })

  const bodies: [string, object, string][] = [
    ['a named example', { example: 'leek' }, '{"kind":"eaten"}'],
    ['a body of the caller', { body: { kind: 'grown', note: 'x' } }, '{"kind":"grown","note":"x"}'],
    ['a wrong body on demand', { body: { kind: 'dug' }, validate: false }, '{"kind":"dug"}']
  ]
  for (const [what, members, sent] of bodies) {
    test(`${what} is sent`, async () => {
      const { status } = await call(api, 'grown', { url: `${receiver.url}sees`, ...members })
      assert.equal(status, 200)
      assert.equal(receiver.take()[0]?.body, sent)
    })
  }

  test('without an example a body is made, and it is valid', async () => {
    const { body } = await call(api, 'made', { url: receiver.url })
    assert.match(receiver.take()[0]?.body ?? '', /"kind":"(grown|eaten)"/)
    assert.deepEqual(body.violations, [])
  })

  test('headers of the caller are stronger than those of the document', async () => {
    const headers = { 'X-Event': 'plant', 'X-More': 'grüß', authorization: 'Bearer a' }
    await call(api, 'grown', { url: `${receiver.url}sees`, headers })
    const [received] = receiver.take()
    assert.equal(received?.headers['x-more'], 'gr%C3%BC%C3%9F')
    assert.equal(received?.headers.authorization, 'Bearer a')
  })

  const replies: [string, number, RegExp[]][] = [
    ['sees', 200, []],
    ['blind', 200, [/seen/]],
    ['gone', 410, []],
    ['odd', 418, [/Status 418 is not documented/]]
  ]
  for (const [path, status, messages] of replies) {
    test(`the answer of ${path}: ${messages.length} violations`, async () => {
      const { body } = await call(api, 'grown', { url: receiver.url + path })
      assert.equal(body.reply.status, status)
      assert.equal(body.violations.length, messages.length)
      for (const [index, pattern] of messages.entries()) {
        assert.match(body.violations[index]?.message ?? '', pattern)
        assert.equal(body.violations[index]?.location[0], 'response')
      }
      receiver.take()
    })
  }

  test('names are whatever the document says; a path item may be shared', async () => {
    for (const [name, method] of [
      ['with/slash é', 'PUT'],
      ['shared', 'DELETE']
    ] as const) {
      assert.equal((await call(api, name, { url: `${receiver.url}plain` })).status, 200)
      assert.equal(receiver.take()[0]?.method, method)
    }
    const chosen = await call(api, 'two', { url: `${receiver.url}plain`, method: 'post' })
    assert.equal(chosen.body.sent.method, 'POST')
    receiver.take()
  })

  const refused: [string, string, unknown, number, string, RegExp][] = [
    [
      'an unknown name',
      'nope',
      { url: 'http://a.example' },
      404,
      'WEBHOOK_NOT_FOUND',
      /grown, made/
    ],
    [
      'a prototype',
      '__proto__',
      { url: 'http://a.example' },
      404,
      'WEBHOOK_NOT_FOUND',
      /__proto__/
    ],
    ['no address', 'grown', {}, 422, 'INVALID_WEBHOOK_CALL', /url must be the http or https URL/],
    ['another scheme', 'grown', { url: 'file:///etc/passwd' }, 422, 'INVALID_WEBHOOK_CALL', /http/],
    ['a list', 'grown', [], 422, 'INVALID_WEBHOOK_CALL', /JSON object/],
    ['an unknown member', 'grown', { url: 'http://a', to: 1 }, 422, 'INVALID_WEBHOOK_CALL', /to/],
    [
      'an unknown example',
      'grown',
      { url: 'http://a.example', example: 'kale' },
      422,
      'INVALID_WEBHOOK_CALL',
      /Unknown example kale/
    ],
    [
      'a header that frames the message',
      'grown',
      { url: 'http://a.example', headers: { 'Content-Length': '1' } },
      422,
      'INVALID_WEBHOOK_CALL',
      /Content-Length/
    ],
    [
      'a body that breaks the document',
      'grown',
      { url: 'http://a.example', body: { kind: 'dug' } },
      422,
      'INVALID_WEBHOOK_CALL',
      /validate: false/
    ],
    ['two at once', 'two', { url: 'http://a.example' }, 422, 'INVALID_WEBHOOK_CALL', /method/],
    [
      'a method it has not',
      'two',
      { url: 'http://a', method: 'PUT' },
      422,
      'INVALID_WEBHOOK_CALL',
      /two/
    ],
    ['no JSON', 'grown', '{', 400, 'MALFORMED_REQUEST', /./],
    [
      'a private address',
      'grown',
      { url: 'http://10.0.0.1/' },
      502,
      'WEBHOOK_NOT_DELIVERED',
      /--allow-callbacks/
    ],
    [
      'the address of a cloud',
      'grown',
      { url: 'http://169.254.169.254/latest' },
      502,
      'WEBHOOK_NOT_DELIVERED',
      /ADDRESS_REFUSED/
    ],
    [
      'nobody there',
      'grown',
      { url: 'http://127.0.0.1:1/' },
      502,
      'WEBHOOK_NOT_DELIVERED',
      /ECONNREFUSED/
    ]
  ]
  for (const [what, name, sent, status, code, detail] of refused) {
    test(`${what}: ${status} ${code}`, async () => {
      const answer = await call(api, name, sent)
      assert.deepEqual([answer.status, answer.body.code], [status, code])
      assert.match(answer.body.detail ?? '', detail)
      assert.deepEqual(receiver.take(), [])
    })
  }

  test('JSON under the type of a form is told as such', async () => {
    const answer = await fetch(`${api.url}/__nonet/webhooks/grown`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: JSON.stringify({ url: receiver.url })
    })
    assert.equal(answer.status, 422)
    assert.match(await answer.text(), /JSON requires the header Content-Type: application\/json/)
  })

  test('what is wrong with a body is listed', async () => {
    const { body } = await call(api, 'grown', { url: receiver.url, body: {} })
    assert.match(body.validation?.[0]?.message ?? '', /kind/)
  })

  test('a receiver that breaks off is told as such', async () => {
    const { status, body } = await call(api, 'grown', { url: `${receiver.url}cut` })
    assert.equal(status, 502)
    assert.match(body.detail ?? '', /not delivered/)
    receiver.take()
  })
})

test('x-webhooks of older versions; documents without any', async () => {
  await using receiver = await openWebhook()
  const paths = DOCUMENT.paths
  const three = write({
    openapi: '3.0.3',
    info: { title: 'Three', version: '1' },
    paths,
    'x-webhooks': {
      old: {
        post: {
          requestBody: {
            content: content({ schema: { type: 'string', nullable: true, enum: [null] } })
          },
          responses: { 200: { description: '' } }
        }
      }
    }
  })
  const two = write({
    swagger: '2.0',
    info: { title: 'Two', version: '1' },
    paths: {},
    'x-webhooks': {
      older: {
        post: {
          parameters: [{ name: 'body', in: 'body', schema: { type: 'object', example: { a: 1 } } }],
          responses: { 200: { description: '' } }
        }
      }
    }
  })
  await using api = await mock([`three=${three}`, `two=${two}`, `again=${three}`])
  assert.equal((await call(api, 'older', { url: receiver.url })).status, 200)
  assert.equal(receiver.take()[0]?.body, '{"a":1}')
  const twice = await call(api, 'old', { url: receiver.url })
  assert.match(twice.body.detail ?? '', /is ambiguous/)
  assert.equal((await call(api, 'old', { url: receiver.url, document: 'again' })).status, 200)
  await using bare = await mock(write({ openapi: '3.0.3', paths }))
  const { webhooks } = (await (await fetch(`${bare.url}/__nonet/webhooks`)).json()) as {
    webhooks: unknown[]
  }
  assert.deepEqual(webhooks, [])
  assert.match(
    (await call(bare, 'a', { url: receiver.url })).body.detail ?? '',
    /known webhooks: none/
  )
})

test('private addresses are called when it is allowed', async () => {
  for (const allowCallbacks of [false, true]) {
    await using api = await mock(write(DOCUMENT), { allowCallbacks })
    const { status, body } = await call(api, 'made', { url: 'http://127.0.0.1:1@169.254.1.1:9/' })
    assert.equal(status, 502)
    const { detail = '' } = (await call(api, 'made', { url: 'http://0.0.0.1:9/' })).body
    assert.match(body.detail ?? '', /not delivered/)
    assert.equal(/ADDRESS_REFUSED/.test(detail), !allowCallbacks, detail)
  }
})
