/** Mail servers whose connections do not last. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../support/delivery-receiver.ts'
import { EFFORT } from '../support/effort.ts'
import { openEventReceiver } from '../support/event-receiver.ts'
import { openRelay } from '../support/tcp-relay.ts'
import { launchDaemon, launchMailServer, untilInitialized } from '../support/watching-daemon.ts'

const LIFE_MS = 1000
/** Five while there is no connection, five while there is one, and so on. */
const MESSAGES = EFFORT > 1 ? 20 : 10
const MIN_CONNECTIONS = EFFORT > 1 ? 5 : 4
const PATIENCE_MS = 60_000

describe('a mail server that cuts connections', { timeout: 300_000 }, () => {
  test('every connection is cut after a second: all mail is reported once, and pauses between connections grow', async (t) => {
    await using server = await launchMailServer()
    await using receiver = await openEventReceiver()
    using relay = await openRelay(server.imapPort)
    relay.cutAfter(LIFE_MS)
    await using daemon = await launchDaemon(['--ephemeral'])
    await daemon.sendTo(receiver)
    const { address, imap } = await server.add('ada')
    await daemon.add('ada', { ...imap, port: relay.port })
    await untilInitialized(receiver, ['ada'], PATIENCE_MS)
    using sender = await server.openSender()
    const subjects = Array.from({ length: MESSAGES }, (_, number) => `m${number}`)
    for (const [number, subject] of subjects.entries()) {
      const isConnected = number % 10 >= 5
      if (number % 5 === 0) {
        const what = isConnected ? 'a connection' : 'the end of a connection'
        await until(() => relay.count() > 0 === isConnected, what, PATIENCE_MS)
      }
      await sender.send(address, subject)
    }
    const reported = () => receiver.named('messageNew').map(({ body }) => body.data.subject)
    await until(() => reported().length >= MESSAGES, 'all messages', PATIENCE_MS)
    const before = relay.opened.length
    const wanted = Math.max(MIN_CONNECTIONS, before + 1)
    await until(() => relay.opened.length >= wanted, 'more connections', PATIENCE_MS)
    receiver.assertSingle()
    assert.deepEqual(reported(), subjects)
    // The first lost connection is replaced at once, the next after 2 s, then 3 s, and so on.
    const pauses = relay.opened.slice(1).map((time, index) => time - (relay.opened[index] ?? 0))
    const short = pauses.filter((pause) => pause < LIFE_MS + 1900)
    assert.ok(short.length <= 1, `pauses of ${pauses.map(Math.round)} ms`)

    relay.cutAfter(undefined)
    await sender.send(address, 'later')
    await until(() => reported().includes('later'), 'mail after the cuts', PATIENCE_MS)
    const isConnected = async () => {
      const { state } = await daemon.call<{ state: string }>('GET', '/v1/account/ada')
      return state === 'connected'
    }
    await until(isConnected, 'the state of a connected account', PATIENCE_MS)
    assert.equal(daemon.nonet.stderr(), '')
    t.diagnostic(`${relay.opened.length} connections, pauses of ${pauses.map(Math.round)} ms`)
  })
})
