/** Accounts of the REST API on Dovecot: tried, registered, changed, while it stops and starts. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Nonet, start } from '../../src/host/start.ts'
import { sandboxOf } from '../contract/mailbox-site.ts'
import { DOVECOT_PASSWORD, type Dovecot, openDovecot } from '../support/dovecot.ts'

let dovecot: Dovecot
let nonet: Nonet<'mailbox'>
before(async () => {
  dovecot = await openDovecot()
  nonet = await start({ services: ['mailbox'] })
})
after(async () => {
  await nonet.stop()
  await dovecot.close()
})

const imapOf = (pass: string) => ({
  host: dovecot.host,
  port: dovecot.imapPort,
  auth: { user: 'ada', pass }
})

async function untilState(id: string, wanted: string) {
  const { json } = sandboxOf(nonet)
  for (let tried = 0; tried < 200; tried++) {
    const account = await json({ path: `/v1/account/${id}` })
    if (account.state === wanted) return account
    await wait(50)
  }
  return assert.fail(`${id} is never ${wanted}`)
}

test('verifyAccount signs in and lists the mailboxes', async () => {
  const { json } = sandboxOf(nonet)
  const verify = (imap: object) =>
    json<{ imap: object; mailboxes?: { specialUse?: string }[] }>({
      method: 'POST',
      path: '/v1/verifyAccount',
      body: { imap, mailboxes: true }
    })
  const { imap, mailboxes = [] } = await verify(imapOf(DOVECOT_PASSWORD))
  assert.deepEqual(imap, { success: true })
  const uses = mailboxes.flatMap(({ specialUse }) => specialUse ?? [])
  for (const use of ['\\Inbox', '\\Sent', '\\Trash']) assert.ok(uses.includes(use), use)
  const rejected = await verify(imapOf('wrong'))
  assert.deepEqual(Object.keys(rejected), ['imap'])
  assert.partialDeepStrictEqual(rejected.imap, { success: false, code: 'AUTHENTICATIONFAILED' })
})

test('an account connects, tells its quota, and reconnects with another password', async () => {
  const { json } = sandboxOf(nonet)
  const body = { account: 'ada', name: 'Ada', imap: imapOf('wrong') }
  await json({ method: 'POST', path: '/v1/account', body })
  await untilState('ada', 'authenticationError')
  const change = { imap: { partial: true, auth: { pass: DOVECOT_PASSWORD } } }
  await json({ method: 'PUT', path: '/v1/account/ada', body: change })
  const shown = await untilState('ada', 'connected')
  assert.equal(shown.lastError, null)
  // This Dovecot has no quota.
  assert.equal((await json({ path: '/v1/account/ada?quota=true' })).quota, false)
  await json({ method: 'PUT', path: '/v1/account/ada/reconnect', body: { reconnect: true } })
  await untilState('ada', 'connected')
  await json({ method: 'DELETE', path: '/v1/account/ada' })
  await json({ path: '/v1/account/ada' }, 404)
})
