/** A mail server that stops and starts again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { start } from '../../src/host/start.ts'
import { DOVECOT_PASSWORD, openDovecot } from '../support/dovecot.ts'
import { openRelay } from '../support/tcp-relay.ts'

test('an account connects again after Dovecot was stopped and started', async () => {
  const nonet = await start({ services: ['mailbox'] })
  const { url } = nonet.mailbox
  using relay = await openRelay()
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    return { status: response.status, body: await response.json() }
  }
  const list = () => send('GET', '/v1/account/real/mailboxes')
  try {
    const first = await openDovecot()
    relay.lead(first.imapPort)
    const auth = { user: 'someone', pass: DOVECOT_PASSWORD }
    const imap = { host: '127.0.0.1', port: relay.port, auth }
    await send('POST', '/v1/account', { account: 'real', name: 'Real', imap })
    assert.equal((await list()).status, 200)
    await first.close()
    // Dovecot does not end its sessions when it stops.
    relay.lead(undefined)
    // It is disconnected until the next attempt has failed.
    let stopped = await list()
    for (let tried = 0; stopped.body.state === 'disconnected' && tried < 50; tried++) {
      assert.equal(stopped.status, 503, JSON.stringify(stopped.body))
      await wait(200)
      stopped = await list()
    }
    assert.equal(stopped.status, 503, JSON.stringify(stopped.body))
    assert.equal(stopped.body.state, 'connectError')
    await using second = await openDovecot()
    relay.lead(second.imapPort)
    // The next attempt is made after two seconds, without an order of the client.
    let again = await list()
    for (let tried = 0; again.status !== 200 && tried < 50; tried++) {
      assert.equal(again.status, 503, JSON.stringify(again.body))
      await wait(200)
      again = await list()
    }
    assert.equal(again.status, 200, JSON.stringify(again.body))
    let { body } = await send('GET', '/v1/account/real')
    // What watches it connects by itself and compares its mailboxes first.
    for (let tried = 0; body.state !== 'connected' && tried < 50; tried++) {
      await wait(200)
      body = (await send('GET', '/v1/account/real')).body
    }
    assert.deepEqual([body.state, body.lastError], ['connected', null])
  } finally {
    await nonet.stop()
  }
})
