/** Copies, flags and drafts after sending, on Dovecot. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ADMIN_TOKEN, sandboxes } from '../contract/mailbox-site.ts'
import { fieldOf, openSender, type Sender } from '../contract/mailbox-submit-site.ts'
import { DOVECOT_PASSWORD, type Dovecot, openDovecot } from '../support/dovecot.ts'
import { openSink, type SmtpSink } from '../support/smtp-sink.ts'

const token = ADMIN_TOKEN
const TO = { address: 'bob@example.test' }

sandboxes('submitting with Dovecot', {}, (sandbox) => {
  let dovecot: Dovecot
  let sink: SmtpSink
  let ada: Sender
  before(async () => {
    dovecot = await openDovecot()
    sink = await openSink()
    const auth = { user: 'ada', pass: DOVECOT_PASSWORD }
    const imap = { host: dovecot.host, port: dovecot.imapPort, secure: false, auth }
    ada = await openSender(sandbox(), sink, { imap, email: 'ada@example.test' })
  })
  after(async () => {
    await sink.close()
    await dovecot.close()
  })

  test('a reply is kept, its original is marked, a draft is gone after it was sent', async () => {
    const upload = (body: object) =>
      sandbox().json<{ id: string }>({
        method: 'POST',
        path: `/v1/account/${ada.id}/message`,
        token,
        body
      })
    const original = await upload({
      path: 'INBOX',
      from: { address: 'eve@example.test' },
      to: [{ address: 'ada@example.test' }],
      subject: 'Question',
      messageId: '<question@example.test>',
      text: 'Why?'
    })
    const reply = await ada.submit({
      reference: { message: original.id, inline: true },
      bcc: TO,
      text: 'Because'
    })
    const { progress } = await ada.submitted(reply.queueId)
    assert.equal(progress.warning, undefined)
    const [inbox] = await ada.list('INBOX')
    assert.ok(inbox?.flags.includes('\\Answered'))
    const [copy] = await ada.list('\\Sent')
    assert.deepEqual([copy?.subject, copy?.flags], ['Re: Question', ['\\Seen']])
    const stored = await ada.source(copy?.id ?? '')
    assert.equal(fieldOf(stored, 'Bcc'), TO.address)
    assert.match(stored, /> Why\?/)

    const draft = await upload({ path: '\\Drafts', flags: ['\\Draft'], to: [TO], subject: 'Draft' })
    const { queueId } = await sandbox().json<{ queueId: string }>({
      method: 'POST',
      path: `/v1/account/${ada.id}/message/${draft.id}/submit`,
      token,
      body: {}
    })
    await ada.submitted(queueId)
    assert.deepEqual(await ada.list('\\Drafts'), [])
    assert.equal((await ada.list('\\Sent')).length, 2)
  })
})
