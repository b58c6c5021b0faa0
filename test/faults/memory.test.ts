/** Clients that send or read so that the server would need much memory for them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Launched, launchNonet } from '../support/launcher.ts'
import { limitedHeap, openRaw, residentMegabytes } from '../support/limited-process.ts'
import { sendRaw } from '../support/raw-socket.ts'

const DEADLINE_MS = 60_000
const KIB = 1024
const SAMPLES = 15

describe('memory', { skip: process.platform !== 'linux' && 'reads /proc' }, () => {
  let nonet: Launched
  before(async () => {
    // Without these bounds V8 delays collecting objects that are no longer used, which then count too.
    const env = { NODE_OPTIONS: limitedHeap(64) }
    nonet = await launchNonet(['boxes', '--ephemeral', '--quiet'], { env })
  })
  after(() => nonet.end())

  test('bodies in one-byte chunks take about as much as their bytes', async () => {
    const url = new URL(nonet.ready.services.boxes ?? '')
    const before = residentMegabytes(nonet.ready.pid)
    const clients = [1, 2].map(async () => {
      const socket = connect(Number(url.port), url.hostname)
      socket.write('POST /small HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
      socket.write('1\r\n{\r\n')
      const chunks = Buffer.from('1\r\n \r\n'.repeat(64 * KIB))
      for (let n = 0; n < 4; n++) await new Promise((written) => socket.write(chunks, written))
      return socket
    })
    const sockets = await Promise.all(clients)
    for (const socket of sockets) {
      socket.write('1\r\n}\r\n0\r\n\r\n')
      const [answer] = await once(socket, 'data')
      assert.match(String(answer), /^HTTP\/1\.1 200 /)
      socket.destroy()
    }
    // Half a megabyte of pieces: kept one by one they take 200.
    const { peak } = residentMegabytes(nonet.ready.pid)
    assert.ok(peak - before.now < 150, `${Math.round(peak - before.now)} MB`)
  })

  test('120 clients that do not read a list take less than 100 MB', async () => {
    const url = nonet.ready.services.boxes ?? ''
    const records = Array.from({ length: 500 }, (_, n) => ({ n, text: 'x'.repeat(8000) }))
    for (let sent = 0; sent < 2; sent++) {
      const method = 'POST'
      const body = JSON.stringify(records)
      assert.equal((await fetch(`${url}/large`, { method, body })).status, 200)
    }
    const whole = await fetch(`${url}/large?limit=1000`)
    assert.equal(whole.headers.get('content-length'), null)
    assert.equal(((await whole.json()) as unknown[]).length, 1000)
    const request = 'GET /large?limit=1000 HTTP/1.1\r\nHost: a\r\n\r\n'
    const before = residentMegabytes(nonet.ready.pid)
    const clients = Array.from({ length: 120 }, () => openRaw(url, request))
    // A client that has read the start of its response stops reading.
    const started = clients.map(({ socket }) => once(socket, 'data').then(() => socket.pause()))
    await Promise.all(started)
    let now = before.now
    for (let sample = 0; sample < SAMPLES; sample++) {
      const { statuses } = await sendRaw(url, [CLOSING], DEADLINE_MS)
      assert.deepEqual(statuses, [200])
      now = Math.max(now, residentMegabytes(nonet.ready.pid).now)
      await wait(100)
    }
    for (const { socket } of clients) socket.destroy()
    assert.ok(now - before.now < 100, `${Math.round(now - before.now)} MB`)
    assert.doesNotMatch(nonet.stderr(), /unavailable/)
  })
})

const CLOSING = 'GET /small?limit=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
