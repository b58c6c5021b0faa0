/** The adapters from their sources; test/clients plays the same table in the real runtimes. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createFetchHandler } from '../../src/services/forms/adapters/fetch.ts'
import { createFunction, type GcfResponse } from '../../src/services/forms/adapters/gcf.ts'
import { createHandler } from '../../src/services/forms/adapters/lambda.ts'
import { type Answer, compare, type Sent } from '../support/contract.ts'
import { openWebhook } from '../support/webhook.ts'
import {
  ALL_ROWS,
  CHARSET_ROWS,
  type FormRow,
  SHORT_TIMEOUT_MS,
  TIMEOUT_MS,
  TIMEOUT_ROWS,
  WEBHOOK_ANSWERS
} from './forms-table.ts'

const webhook = await openWebhook(WEBHOOK_ANSWERS)
after(() => webhook.close())

const ORIGIN = 'https://www.example.org'
const CONFIG = { webhook: webhook.url, timeoutMs: TIMEOUT_MS }
const HASTY_CONFIG = { ...CONFIG, timeoutMs: SHORT_TIMEOUT_MS }
const OPEN_CONFIG = { ...CONFIG, origins: [ORIGIN], acceptForms: true }

type Adapter = (config: typeof CONFIG) => (sent: Sent) => Promise<Answer>

const ADAPTERS: Readonly<Record<string, Adapter>> = {
  fetch(config) {
    const handle = createFetchHandler(config)
    return async ({ method = 'GET', path, headers = {}, body = null }) => {
      const request = new Request(`https://function.example${path}`, { method, headers, body })
      const response = await handle(request)
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
  },
  lambda(config) {
    const handle = createHandler(config)
    return async ({ method = 'GET', headers = {}, body }) => {
      const { statusCode, ...answer } = await handle({
        httpMethod: method,
        headers,
        body: body === undefined ? null : Buffer.from(body).toString('base64'),
        isBase64Encoded: true
      })
      return { status: statusCode, headers: new Headers(answer.headers), text: answer.body }
    }
  },
  gcf(config) {
    const handle = createFunction(config)
    return async ({ method = 'GET', headers = {}, body }) => {
      const { promise, resolve } = Promise.withResolvers<Answer>()
      const response: GcfResponse = {
        writeHead: (status, sent) => ({
          end: (text) => resolve({ status, headers: new Headers(sent), text })
        })
      }
      const rawBody = body === undefined ? {} : { rawBody: Buffer.from(body) }
      await handle({ method, headers, ...rawBody }, response)
      return promise
    }
  }
}

function play(rows: readonly FormRow[], send: (sent: Sent) => Promise<Answer>): void {
  for (const { proves, send: sent, expect, forwards = [] } of rows) {
    test(proves, async () => {
      webhook.take()
      await compare(await send(sent), expect)
      const posts = webhook.take().filter(({ method }) => method === 'POST')
      assert.deepEqual(
        posts.map(({ body }) => body),
        forwards
      )
    })
  }
}

for (const [name, adapt] of Object.entries(ADAPTERS)) {
  describe(`the ${name} adapter`, () => {
    play(ALL_ROWS, adapt(CONFIG))
    play(CHARSET_ROWS, adapt(CONFIG))
    play(TIMEOUT_ROWS, adapt(HASTY_CONFIG))

    test('hands over method, origin and content type', async () => {
      const open = adapt(OPEN_CONFIG)
      const asked = { origin: ORIGIN, 'access-control-request-method': 'POST' }
      const preflight = await open({ method: 'OPTIONS', path: '/', headers: asked })
      assert.equal(preflight.status, 204)
      assert.equal(preflight.headers.get('access-control-allow-origin'), ORIGIN)
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const body = 'email=a&fullName=b'
      assert.equal((await open({ method: 'POST', path: '/', headers, body })).status, 200)
    })
  })
}

test('the fetch adapter stops reading a body that is too large', async () => {
  let pulled = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++
      controller.enqueue(new Uint8Array(100))
    }
  })
  const handle = createFetchHandler({ ...CONFIG, maxBytes: 1000 })
  const init = { method: 'POST', body, duplex: 'half' }
  const response = await handle(new Request('https://function.example/', init))
  assert.equal(await response.text(), 'Error: Request body too large')
  assert.ok(pulled < 20, `${pulled} chunks`)
})

test('a body that breaks off, or was read before, is an exception like any other', async () => {
  const handle = createFetchHandler(CONFIG)
  const body = new ReadableStream({ start: (controller) => controller.error(new Error('gone')) })
  const init = { method: 'POST', body, duplex: 'half' }
  const answer = await handle(new Request('https://function.example/', init))
  assert.equal(answer.status, 500)
  assert.equal(await answer.text(), 'Error: gone')
  const used = new Request('https://function.example/', { method: 'POST', body: '{}' })
  await used.text()
  assert.equal((await handle(used)).status, 500)
})
