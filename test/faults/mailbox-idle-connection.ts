/** A connection to a mail server that is not needed any more, and one that the server ends. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createImapClient } from '../../src/services/mailbox/connections/imap-client.ts'
import { createSharedClient } from '../../src/services/mailbox/connections/shared-client.ts'
import { type ImapServer, openImapServer } from '../support/imap-server.ts'

function open({ port }: ImapServer) {
  return async () => {
    const client = await createImapClient({
      server: { host: '127.0.0.1', port, secure: false },
      endpoint: { host: '127.0.0.1' },
      signIn: { user: 'a', pass: 'right' },
      clientVersion: '1'
    })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
}

test('an idle connection is ended with LOGOUT, and the next use opens another', async () => {
  await using server = await openImapServer()
  const { promise: isIdle, resolve: onIdle } = Promise.withResolvers<void>()
  const onLost = () => assert.fail('the connection was not lost')
  const shared = createSharedClient({ open: open(server), onLost, onIdle, idleMs: 50 })
  const [first, same] = await Promise.all([shared.get(), shared.get()])
  assert.equal(first, same)
  shared.release()
  const closed = once(first, 'close')
  await isIdle
  await closed
  assert.equal(shared.current(), undefined)
  assert.equal(server.countOf('LOGOUT'), 1)
  assert.notEqual(await shared.get(), first)
  assert.equal(server.countOf('LOGIN'), 2)
  await shared.end()
})

test('a connection that is used again in time stays open', async () => {
  await using server = await openImapServer()
  const onIdle = () => assert.fail('the connection was in use')
  const shared = createSharedClient({ open: open(server), onLost() {}, onIdle, idleMs: 50 })
  const first = await shared.get()
  shared.release()
  assert.equal(await shared.get(), first)
  // Three times `idleMs`: that nothing is closed has no event to wait for.
  await new Promise((resolve) => setTimeout(resolve, 150))
  assert.equal(shared.current(), first)
  shared.close()
  assert.equal(shared.current(), undefined)
})

test('a connection that the server ends is reported with its age; one that we close is not', async () => {
  await using server = await openImapServer()
  const lost: number[] = []
  const shared = createSharedClient({
    open: open(server),
    onLost: (openMs) => lost.push(openMs),
    onIdle() {}
  })
  const first = await shared.get()
  server.behave(({ socket }) => {
    socket.destroy()
    return ''
  })
  await assert.rejects(() => first.list())
  assert.equal(lost.length, 1)
  server.behave(undefined)
  await shared.get()
  shared.close()
  await shared.end()
  assert.equal(lost.length, 1)
})
