/** A large mailbox on Dovecot. */
import { test } from 'node:test'
import { ImapFlow } from 'imapflow'
import { DOVECOT_PASSWORD, openDovecot } from '../support/dovecot.ts'
import { EFFORT } from '../support/effort.ts'
import { watchLargeMailbox } from '../support/large-mailbox.ts'

const MESSAGES = EFFORT > 1 ? 100_000 : 10_000

test(`${MESSAGES} messages on Dovecot are read within 30 s, in turns of at most 50 ms`, {
  timeout: 600_000
}, async (t) => {
  await using dovecot = await openDovecot()
  const accessOf = (user: string) => ({
    host: dovecot.host,
    port: dovecot.imapPort,
    secure: false,
    auth: { user, pass: DOVECOT_PASSWORD }
  })
  await using client = new ImapFlow({ ...accessOf('large'), logger: false })
  await client.connect()
  await client.append('INBOX', 'From: A <a@example.test>\r\nSubject: Old\r\n\r\nHello\r\n')
  await client.mailboxOpen('INBOX')
  for (let count = 1; count < MESSAGES; count *= 2) {
    await client.messageCopy(`1:${Math.min(count, MESSAGES - count)}`, 'INBOX', { uid: true })
  }
  t.diagnostic(await watchLargeMailbox({ large: accessOf('large'), small: accessOf('small') }))
})
