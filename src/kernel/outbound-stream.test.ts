import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { createOutbound, OutboundError, type StreamedRequest } from './outbound.ts'

const BYTES = randomBytes(3_000_000)
const GET: StreamedRequest = { method: 'GET', idleTimeoutMs: 10_000, maxBytes: 10_000_000 }
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Resolves to what became of the last request that a server received. */
let received = Promise.withResolvers<string>()

async function receive(request: IncomingMessage): Promise<string> {
  const bytes = await buffer(request).catch(() => undefined)
  return bytes === undefined ? 'cut' : digest(bytes)
}

const responses: Record<string, RequestListener> = {
  '/store': async (request, response) => {
    const hash = await receive(request)
    received.resolve(hash)
    const { 'content-length': length = '', 'transfer-encoding': coding = 'none' } = request.headers
    response.writeHead(201, { 'x-got': `${length} ${coding}` }).end(hash)
  },
  '/large': (_request, response) => void response.end(BYTES),
  '/cut': (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('some', () => response.socket?.resetAndDestroy())
  },
  '/cut-upload': (request) => {
    request.once('data', () => request.socket.resetAndDestroy())
  },
  '/stalls': (_request, response) => void response.writeHead(200).write('some'),
  '/silent': () => {},
  '/headers': (_request, response) => {
    response.writeHead(200, { 'x-long': 'x'.repeat(40_000) }).end()
  }
}

const server = createServer((request, response) =>
  responses[request.url ?? '']?.(request, response)
)
const outbound = createOutbound({ loopback: true, allow: [] })
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
after(async () => {
  server.closeAllConnections()
  server.close()
  await outbound.close()
})

function send(path: string, request: Partial<StreamedRequest> = {}) {
  received = Promise.withResolvers()
  const { port } = server.address() as AddressInfo
  return outbound.send(`http://127.0.0.1:${port}${path}`, { ...GET, ...request })
}

function failsWith(code: string) {
  return (error: unknown) => {
    assert.ok(error instanceof OutboundError, String(error))
    assert.equal(error.code, code)
    return true
  }
}

const inPieces = (bytes: Buffer) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000)
    })()
  )

test('a body is sent as bytes or as a stream of a known length', async () => {
  const bodies = [BYTES, { length: BYTES.length, open: () => inPieces(BYTES) }]
  for (const body of bodies) {
    const response = await send('/store', { method: 'PUT', body })
    assert.equal(response.status, 201)
    assert.equal(response.headers.get('x-got'), '3000000 none')
    assert.equal(String(await buffer(response.body)), digest(BYTES))
  }
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/store`
  const call = { method: 'POST', body: BYTES, timeoutMs: 10_000, maxBytes: 100 }
  assert.equal(await (await outbound.fetch(url, call)).text(), digest(BYTES))
})

test('a response is read as it arrives, and may be given up', async () => {
  const response = await send('/large')
  assert.equal(digest(await buffer(response.body)), digest(BYTES))
  const unread = await send('/large')
  unread.body.destroy()
  const half = await send('/large')
  for await (const _ of half.body) break
  assert.ok(half.body.destroyed)
})

test('a response that is too large ends with an error, not with a part', async () => {
  const response = await send('/large', { maxBytes: BYTES.length - 1 })
  await assert.rejects(buffer(response.body), failsWith('TOO_LARGE'))
  const exact = await send('/large', { maxBytes: BYTES.length })
  assert.equal((await buffer(exact.body)).length, BYTES.length)
  await assert.rejects(send('/headers'), failsWith('UND_ERR_HEADERS_OVERFLOW'))
})

test('a connection that is cut is an error of the response', async () => {
  const response = await send('/cut')
  await assert.rejects(buffer(response.body), failsWith('ECONNRESET'))
  const body = { length: BYTES.length, open: () => inPieces(BYTES) }
  await assert.rejects(send('/cut-upload', { method: 'PUT', body }), OutboundError)
})

test('a source that fails or has another length is an error on both sides', async () => {
  const failing = () =>
    Readable.from(
      (async function* () {
        yield BYTES.subarray(0, 50_000)
        throw Object.assign(new Error('disk'), { code: 'EIO' })
      })()
    )
  const short = () => Readable.from([BYTES.subarray(0, 50_000)])
  for (const [open, code] of [
    [failing, 'EIO'],
    [short, 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']
  ] as const) {
    const sent = send('/store', { method: 'PUT', body: { length: 100_000, open } })
    await assert.rejects(sent, failsWith(code))
    assert.equal(await received.promise, 'cut')
  }
})

test('a server that stops for too long is a time-out', async () => {
  const idle = { idleTimeoutMs: 200 }
  await assert.rejects(send('/silent', idle), failsWith('TIMEOUT'))
  const response = await send('/stalls', { idleTimeoutMs: 1_000 })
  await assert.rejects(buffer(response.body), failsWith('TIMEOUT'))
  // It never reads the body.
  const endless = () =>
    Readable.from(
      (function* () {
        for (;;) yield BYTES
      })()
    )
  const body = { length: Number.MAX_SAFE_INTEGER, open: endless }
  await assert.rejects(send('/silent', { ...idle, method: 'PUT', body }), failsWith('TIMEOUT'))
})

test('the same URLs are blocked as in fetch', async () => {
  const strict = createOutbound({ loopback: false, allow: [] })
  for (const url of ['http://127.0.0.1:1/', 'http://10.0.0.1/', 'file:///etc/passwd', 'nothing']) {
    await assert.rejects(strict.send(url, GET), failsWith('ADDRESS_REFUSED'), url)
  }
  const resolving = createOutbound({
    loopback: false,
    allow: [],
    resolve: async () => ['10.0.0.1']
  })
  await assert.rejects(resolving.send('http://name.example/', GET), failsWith('ADDRESS_REFUSED'))
  await strict.close()
  await resolving.close()
})
