/** The function as nonet serves it: every method, every path, every kind of body. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, METHODS, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { configure, fromObject } from '../../src/host/configuration.ts'
import { openHost } from '../../src/host/host.ts'
import { type Nonet, start } from '../../src/host/start.ts'
import { openWebhook } from '../support/webhook.ts'

const FORM = '{"email":"jane@example.org","fullName":"Jane Doe"}'
const SUCCESS = '{"status":"success"}'
/** Long enough that no request times out on a busy machine. */
const TIMEOUT_MS = 60_000
const SHORT_TIMEOUT_MS = 300

const webhook = await openWebhook({
  fails: { status: 500, body: '{"person":"jane"}' },
  resets: { reset: true }
})
let nonet: Nonet<'forms'>
before(async () => {
  nonet = await start({
    services: ['forms'],
    forms: { webhook: webhook.url, timeoutMs: TIMEOUT_MS, maxBytes: 1000 }
  })
})
after(() => Promise.all([nonet.stop(), webhook.close()]))

interface Sent {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string
}

/** Not fetch: it sends no body with GET and chooses headers of its own. */
async function send({ method = 'POST', path = '/', headers = {}, body }: Sent) {
  const { hostname, port } = new URL(nonet.forms.url)
  const outgoing = request({ hostname, port, method, path, headers, agent: false })
  outgoing.end(body)
  const [response] = await once(outgoing, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, headers: response.headers, text }
}

/** Writes bytes as they are and gives what came back until the server hung up. */
async function sendRaw(bytes: string, url = nonet.forms.url): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

describe('any method', () => {
  const methods = METHODS.filter((method) => method !== 'CONNECT')
  for (const method of methods) {
    test(`${method} with a body forwards it`, async () => {
      webhook.take()
      const { status, text } = await send({
        method,
        headers: { 'content-length': String(FORM.length) },
        body: FORM
      })
      assert.deepEqual({ status, text }, { status: 200, text: method === 'HEAD' ? '' : SUCCESS })
      assert.deepEqual(
        webhook.take().map(({ body }) => body),
        [FORM]
      )
    })
  }

  test('GET without a body is the first row', async () => {
    const { status, text } = await send({ method: 'GET' })
    assert.deepEqual({ status, text }, { status: 500, text: 'Name and email are required.' })
  })
})

describe('any path', () => {
  const paths = ['/.netlify/functions/zapierSend', '/%', '/%zz?%zz', '/a/../b//c', '/?email=a', '*']
  for (const path of [...paths, `/${'x'.repeat(8000)}`, 'http://elsewhere.example/x']) {
    test(path.slice(0, 40), async () => {
      webhook.take()
      const { status, text } = await send({ path, body: FORM })
      assert.deepEqual({ status, text }, { status: 200, text: SUCCESS })
      assert.equal(webhook.take().length, 1)
    })
  }
})

describe('any content type', () => {
  const types = [undefined, '', ';;;', 'nonsense', 'text/plain', 'application/json; charset=utf-8']
  for (const type of [...types, 'multipart/form-data', 'application/x-www-form-urlencoded']) {
    test(String(type), async () => {
      const headers = type === undefined ? {} : { 'content-type': type }
      const { status, text } = await send({ headers, body: FORM })
      assert.deepEqual({ status, text }, { status: 200, text: SUCCESS })
    })
  }
})

describe('bodies', () => {
  test('chunked ones are put together', async () => {
    const chunks = [FORM.slice(0, 20), FORM.slice(20)]
      .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
      .join('')
    const answer = await sendRaw(
      `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`
    )
    assert.match(answer, /^HTTP\/1\.1 200 OK/)
    assert.ok(answer.endsWith(SUCCESS))
  })

  test('a chunk after a full limit still counts', async () => {
    const full = `{"email":"a","fullName":"${'x'.repeat(1000 - 27)}"}`
    const answer = await sendRaw(
      `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `${full.length.toString(16)}\r\n${full}\r\n1\r\n \r\n0\r\n\r\n`
    )
    assert.equal(full.length, 1000)
    assert.ok(answer.endsWith('Error: Request body too large'))
  })

  test('one that is announced over the limit is answered unread, and the connection closed', async () => {
    const { status, text, headers } = await send({
      headers: { connection: 'keep-alive' },
      body: `{"email":"${'x'.repeat(1000)}"}`
    })
    assert.deepEqual({ status, text }, { status: 500, text: 'Error: Request body too large' })
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    assert.equal(headers.connection, 'close')
  })

  test('one without end is cut: answered, and the connection closed', async () => {
    const chunk = `${(65536).toString(16)}\r\n${'x'.repeat(65536)}\r\n`
    const answer = await sendRaw(
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}`
    )
    assert.match(answer, /^HTTP\/1\.1 500 /)
    assert.match(answer, /\r\nconnection: close\r\n/i)
    assert.ok(answer.endsWith('Error: Request body too large'))
  })

  test('one that does not come in time is given up', async () => {
    await using hasty = await start({
      services: ['forms'],
      forms: { webhook: webhook.url, timeoutMs: SHORT_TIMEOUT_MS }
    })
    const answer = await sendRaw(
      'POST / HTTP/1.1\r\nHost: a\r\nOrigin: http://localhost\r\nContent-Length: 100\r\n\r\n{"email":',
      hasty.forms.url
    )
    assert.match(answer, /^HTTP\/1\.1 500 /)
    assert.match(answer, /\r\nconnection: close\r\n/i)
    assert.match(answer, /\r\naccess-control-allow-origin: http:\/\/localhost\r\n/i)
    assert.ok(answer.endsWith(`Error: Request body timed out after ${SHORT_TIMEOUT_MS} ms`))
  })

  test('one broken off disturbs nobody', async () => {
    webhook.take()
    const { hostname, port } = new URL(nonet.forms.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n${FORM}`)
    socket.resetAndDestroy()
    await once(socket, 'close')
    assert.equal((await send({ body: FORM })).status, 200)
    assert.equal(webhook.take().length, 1)
  })

  test('malformed HTTP is plain text too', async () => {
    const answer = await sendRaw('NONSENSE\r\n\r\n')
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /\r\ncontent-type: text\/plain; charset=utf-8\r\n/)
    assert.match(answer, /\r\nx-content-type-options: nosniff\r\n/)
  })
})

test('a webhook that is not there is named by its code only', async () => {
  await using alone = await start({
    services: ['forms'],
    forms: { webhook: 'http://127.63.25.26:2525/hooks/secret' }
  })
  const response = await fetch(alone.forms.url, { method: 'POST', body: FORM })
  assert.equal(response.status, 500)
  assert.equal(await response.text(), 'Error: Webhook unreachable (ECONNREFUSED)')
})

test('no more than twenty calls run at a time, and all are answered', async (t) => {
  const limit = 20
  const calls = 50
  const held: ServerResponse[] = []
  const full = Promise.withResolvers<void>()
  const slow = createServer((_incoming, response) => {
    if (held.push(response) >= limit) full.resolve()
  }).listen(0, '127.0.0.1')
  t.after(() => slow.close())
  t.after(() => slow.closeAllConnections())
  await once(slow, 'listening')
  const { port } = slow.address() as AddressInfo
  await using busy = await start({
    services: ['forms'],
    forms: { webhook: `http://127.0.0.1:${port}/` }
  })
  const answers = Array.from({ length: calls }, async () => {
    const response = await fetch(busy.forms.url, { method: 'POST', body: FORM })
    return response.text()
  })
  await full.promise
  // A further call that is let through would come within this time.
  await wait(200)
  assert.equal(held.length, limit)
  slow.on('request', (_incoming, response) => response.end('"done"'))
  for (const response of held) response.end('"done"')
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['"done"']))
})

test('name, e-mail and webhook address reach no log', async () => {
  const lines: string[] = []
  const configuration = configure(
    { portBase: 0, ephemeral: true },
    fromObject(
      { services: ['forms'], forms: { webhook: `${webhook.url}hooks/s3cret`, timeoutMs: 300 } },
      'the test'
    )
  )
  const host = await openHost(configuration, {
    requestLog: (line) => lines.push(JSON.stringify(line)),
    warn: (text) => lines.push(text),
    onUnexpectedError: (_service, error) => lines.push(String(error.stack))
  })
  const url = host.services[0]?.url ?? ''
  for (const email of ['jane', 'fails@example.org', 'resets@example.org']) {
    const body = `{"email":"${email}","fullName":"Jane Doe"}`
    await fetch(url, { method: 'POST', body })
    await fetch(url, { method: 'POST', body: body.slice(1) })
  }
  await host.stop()
  assert.equal(lines.length, 6)
  for (const line of lines) assert.doesNotMatch(line, /jane|doe|example|s3cret|hooks/i)
})
