import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { launchNonet } from '../support/launcher.ts'
import { withoutPause } from '../support/pauses.ts'

const SLOW_REQUESTS = 20
const LOAD_CONNECTIONS = 8

test('SIGTERM finishes running requests, refuses new ones, and ends with 0', async (t) => {
  const waiting: ServerResponse[] = []
  let arrived = () => {}
  const allArrived = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const webhook = createServer((_request, response) => {
    if (waiting.push(response) === SLOW_REQUESTS) arrived()
  })
  t.after(() => webhook.close())
  t.after(() => webhook.closeAllConnections())
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve))
  const { port } = webhook.address() as AddressInfo

  await using nonet = await launchNonet([
    ...['--ephemeral', '--quiet', `--forms-webhook=http://127.0.0.1:${port}/hook`]
  ])
  const { forms = '', reference = '' } = nonet.ready.services
  const body = '{"email":"ada@example.org","fullName":"Ada"}'
  const running = Array.from({ length: SLOW_REQUESTS }, async () => {
    const answer = await fetch(forms, { method: 'POST', body })
    return `${answer.status} ${await answer.text()}`
  })
  await allArrived
  const ended = nonet.end('SIGTERM')
  await refusesConnections(forms)
  await refusesConnections(reference)
  for (const response of waiting) response.end('{"status":"success"}')
  for (const answer of await Promise.all(running)) assert.equal(answer, '200 {"status":"success"}')
  assert.equal((await ended).code, 0)
})

/** A connection that is idle for this time may be closed while a request is on its way. */
const IDLE_GRACE_MS = 100

test('SIGTERM under keep-alive load cuts no answer short', () =>
  withoutPause(IDLE_GRACE_MS, async () => {
    await using nonet = await launchNonet(['reference', '--ephemeral', '--quiet'])
    const { port } = new URL(nonet.ready.services.reference ?? '')
    const clients = Array.from({ length: LOAD_CONNECTIONS }, () => keepAsking(Number(port)))
    await Promise.all(clients.map((client) => client.warm))
    const { code } = await nonet.end('SIGTERM')
    assert.equal(code, 0)
    for (const { result } of clients) {
      const { sent, answered } = await result
      assert.ok(answered > 100, `only ${answered} answers before the signal`)
      assert.equal(answered, sent)
    }
  }))

test('a second signal does not wait for a request that never ends', async (t) => {
  const webhook = createServer(() => {})
  t.after(() => webhook.close())
  t.after(() => webhook.closeAllConnections())
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve))
  const { port } = webhook.address() as AddressInfo
  await using nonet = await launchNonet([
    ...['forms', '--ephemeral', '--quiet', `--forms-webhook=http://127.0.0.1:${port}/`]
  ])
  const received = new Promise((resolve) => webhook.once('request', resolve))
  const lost = fetch(nonet.ready.services.forms ?? '', {
    method: 'POST',
    body: '{"email":"ada@example.org","fullName":"Ada"}'
  }).then(
    () => 'answered',
    () => 'cut'
  )
  await received
  const first = nonet.end('SIGTERM')
  await refusesConnections(nonet.ready.services.forms ?? '')
  // What comes sooner may be the same Ctrl+C, passed on by npm or a launcher.
  await wait(700)
  nonet.child.kill('SIGTERM')
  assert.equal((await first).code, 128 + 15)
  assert.equal(await lost, 'cut')
})

/** Resolves once the port no longer accepts; the test runner's time limit bounds it. */
async function refusesConnections(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  for (;;) {
    const refused = await new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), hostname)
      socket.once('connect', () => {
        socket.destroy()
        resolve(false)
      })
      socket.once('error', () => resolve(true))
    })
    if (refused) return
  }
}

/** One keep-alive connection that sends the next request when the last answer is complete. */
function keepAsking(port: number): {
  warm: Promise<void>
  result: Promise<{ sent: number; answered: number }>
} {
  const socket = connect(port, '127.0.0.1')
  let sent = 0
  let answered = 0
  let text = ''
  let warmed = () => {}
  const warm = new Promise<void>((resolve) => {
    warmed = resolve
  })
  function ask(): void {
    sent += 1
    socket.write('GET /api/people/1/ HTTP/1.1\r\nHost: localhost\r\n\r\n')
  }
  socket.once('connect', ask)
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN)
    if (end === -1 || text.length < end + 4 + length) return
    answered += 1
    const last = /^connection: close/im.test(text.slice(0, end))
    text = ''
    if (answered === 150) warmed()
    if (!last) ask()
  })
  const result = new Promise<{ sent: number; answered: number }>((resolve) => {
    socket.once('close', () => resolve({ sent, answered }))
  })
  return { warm, result }
}
