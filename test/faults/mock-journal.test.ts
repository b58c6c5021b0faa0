/** The journal and coverage under floods: memory is bounded, and nothing breaks out of a page. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type MockedApi, mock } from '../../src/host/mock.ts'
import { openExchange } from '../../src/services/mock/engine/exchange.ts'
import { createJournal, MAX_BYTES, MAX_ENTRIES } from '../../src/services/mock/journal/journal.ts'
import { EFFORT, scaled } from '../support/effort.ts'
import { sendPlain } from '../support/plain-http.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const MEGABYTE = 2 ** 20
/** As many as are kept, ten times. */
const EXCHANGES = 10_000 * EFFORT
/** Half of them to nowhere. */
const REQUESTS = scaled(4_000, 10_000)

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'A', version: '1' },
  paths: {
    '/a/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: { description: '', content: { 'text/plain': { example: 'hi' } } } } }
    },
    '/b': {
      post: {
        requestBody: { content: { '*/*': {} } },
        responses: { 204: { description: '' } }
      }
    }
  }
}

function open(): Promise<MockedApi> {
  const file = join(scratchFolder(), 'a.json')
  writeFileSync(file, JSON.stringify(DOCUMENT))
  return mock(file)
}

/** One connection, everything written at once; resolves when as many answers came. */
function flood(url: string, count: number, path: (index: number) => string): Promise<void> {
  const { port, host } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    let seen = 0
    let rest = ''
    socket.on('data', (chunk) => {
      const text = rest + chunk.toString('latin1')
      seen += text.split('HTTP/1.1 ').length - 1
      rest = text.endsWith('\n') ? '' : text.slice(text.lastIndexOf('\n') + 1)
      seen -= rest.includes('HTTP/1.1 ') ? 1 : 0
      if (seen >= count) {
        socket.destroy()
        resolve()
      }
    })
    socket.once('error', reject)
    socket.once('connect', async () => {
      for (let index = 0; index < count; index++) {
        const went = socket.write(`GET ${path(index)} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
        if (!went) await new Promise((drained) => socket.once('drain', drained))
      }
    })
  })
}

describe('memory is bounded', () => {
  test(`after ${REQUESTS} requests, half of them to nowhere, each with its own path`, async () => {
    await using api = await open()
    await flood(api.url, 3000, (index) => `/a/${index}?q=${index}`)
    collect()
    const before = process.memoryUsage().heapUsed
    await flood(api.url, REQUESTS, (index) =>
      index % 2 ? `/a/${index}?q=${index}` : `/no/${index}`
    )
    collect()
    const grown = process.memoryUsage().heapUsed - before
    assert.ok(grown < 40 * MEGABYTE, `the heap grew by ${grown} bytes`)
    const { recorded, kept, bytes } = (await (
      await fetch(`${api.url}/__nonet/journal?limit=1`)
    ).json()) as Record<string, number>
    assert.deepEqual([recorded, kept], [3000 + REQUESTS, MAX_ENTRIES])
    assert.ok((bytes ?? 0) <= MAX_BYTES)
    const { calls, strays, strayRequests } = api.coverage()
    assert.deepEqual(
      [calls, strays, strayRequests.length],
      [3000 + REQUESTS / 2, REQUESTS / 2, 1000]
    )
  })

  test(`after ${EXCHANGES} exchanges with large bodies, headers and findings`, () => {
    const journal = createJournal()
    const large = new Uint8Array(MEGABYTE)
    const diagnostics = Array.from({ length: 1000 }, () => ({
      location: ['request'],
      severity: 'Error' as const,
      message: 'm'
    }))
    for (let index = 0; index < EXCHANGES; index++) {
      const exchange = openExchange({
        ...{ method: 'POST', path: `/${index}`, query: '', body: new Uint8Array(large.buffer) },
        headers: { 'x-large': 'y'.repeat(index % 4000) }
      })
      exchange.diagnostics = diagnostics
      journal.record(exchange)
      const { bytes, kept } = journal.counts()
      assert.ok(bytes <= MAX_BYTES && kept <= MAX_ENTRIES)
    }
    const entries = [...journal.list()]
    assert.equal(entries.length, journal.counts().kept)
    assert.deepEqual(
      entries.map(({ id }) => id),
      entries.map((_, index) => EXCHANGES - index)
    )
    const held = new Set(
      entries.map(({ requestBody: body }) =>
        typeof body === 'object' ? body.buffer : Buffer.from(body ?? '')
      )
    )
    const bytes = [...held].reduce((sum, { byteLength }) => sum + byteLength, 0)
    assert.ok(bytes <= MAX_BYTES, `${bytes} bytes of bodies are held`)
    journal.clear()
    assert.deepEqual([...journal.list()], [])
    assert.deepEqual(journal.counts(), { recorded: 0, kept: 0, bytes: 0, last: EXCHANGES })
  })

  test('what was read or told of stays as it was, whatever is written over it', () => {
    const journal = createJournal()
    const told: { path: string }[] = []
    journal.watch((entry) => told.push(entry))
    const record = (path: string) => {
      const headers = { host: 'a', 'x-path': path }
      journal.record(openExchange({ method: 'GET', path, query: '', headers, body: undefined }))
    }
    record('/first')
    const found = journal.find(1)
    const [listed] = journal.list()
    for (let index = 0; index < MAX_ENTRIES; index++) record(`/${index}`)
    for (const entry of [found, listed]) {
      assert.equal(entry?.path, '/first')
      assert.equal(entry?.requestHeaders['x-path'], '/first')
    }
    assert.equal(told[0]?.path, '/first')
    assert.equal(journal.find(1), undefined)
    assert.equal([...journal.list()].at(-1)?.path, '/0')
  })

  test('headers that are equal but for their order keep it', () => {
    const journal = createJournal()
    const record = (headers: Record<string, string>) =>
      journal.record(
        openExchange({ method: 'GET', path: '/', query: '', headers, body: undefined })
      )
    record({ host: 'a', 'x-a': '1' })
    record({ 'x-a': '1', host: 'a' })
    record({ host: 'a' })
    assert.deepEqual(
      [...journal.list()].map(({ requestHeaders }) => Object.keys(requestHeaders)),
      [['host'], ['x-a', 'host'], ['host', 'x-a']]
    )
  })

  test('bodies of 10 MB are let go of', async () => {
    await using api = await open()
    const body = Buffer.alloc(10 * 1000 * 1000, 'x')
    const post = () => sendPlain(`${api.url}/b`, { method: 'POST', body })
    // The memory of buffers is freed beside the program; the next collection waits for that.
    const measure = () => {
      collect()
      collect()
      return process.memoryUsage().arrayBuffers
    }
    await post()
    const before = measure()
    for (let round = 0; round < 8; round++) assert.equal((await post()).status, 204)
    const grown = measure() - before
    assert.ok(grown < 20 * MEGABYTE, `grown by ${grown}`)
    const { entries, bytes } = (await (await fetch(`${api.url}/__nonet/journal`)).json()) as {
      entries: { request: { body: { bytes: number; cut: boolean; text: string } } }[]
      bytes: number
    }
    assert.ok(bytes < 9 * 20_000, `${bytes} bytes are counted`)
    const shown = entries[0]?.request.body
    assert.deepEqual([shown?.bytes, shown?.cut, shown?.text.length], [10_000_000, true, 16_384])
    const page = await fetch(`${api.url}/__nonet/journal/1`, { headers: { accept: 'text/html' } })
    assert.ok((await page.text()).length < 100_000)
  })
})

describe('nothing breaks out of a page', () => {
  const HOSTILE = `</pre></td><script>alert(1)</script><img src=x onerror=alert(1)>"'&\u2028`

  test('paths, queries, headers and bodies of any bytes', async () => {
    await using api = await open()
    const header = Buffer.from(HOSTILE).toString('latin1')
    await sendPlain(`${api.url}/b?a="><script>alert(1)</script>`.replaceAll(' ', '+'), {
      method: 'POST',
      headers: { 'x-a': header, 'content-type': `text/html;a="<script>"` },
      body: HOSTILE
    })
    const all = Uint8Array.from({ length: 256 }, (_, index) => index)
    await sendPlain(`${api.url}/b`, { method: 'POST', body: all })
    await sendPlain(`${api.url}/b`, { method: 'POST', body: Buffer.from([0xef, 0xbb, 0xbf, 0xc3]) })
    await sendPlain(`${api.url}/%00%ff%3Cscript%3E/../..//`, {})
    await sendPlain(`${api.url}/a/<script>`, {})
    const paths = ['', 'journal', 'violations', 'coverage', 'documents', 'webhooks', 'state']
    for (const path of [...paths, ...[1, 2, 3, 4, 5].map((id) => `journal/${id}`)]) {
      const answer = await fetch(`${api.url}/__nonet/${path}`, { headers: { accept: 'text/html' } })
      const [, main] = (await answer.text()).split('<main')
      assert.equal(answer.status, 200, path)
      assert.doesNotMatch(main ?? '<script', /<script|<img/, path)
      assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      const json = await fetch(`${api.url}/__nonet/${path}`)
      assert.match(json.headers.get('content-type') ?? '', /^application\/(problem\+)?json/, path)
      await json.json()
    }
  })
})
