/** Messages that are queued and sent, to a server of the tests and to the sandbox. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openSink, type SinkRules, type SmtpSink, smtpReply } from '../support/smtp-sink.ts'
import { ADMIN_TOKEN, sandboxes } from './mailbox-site.ts'
import {
  fieldOf,
  openSender,
  type Queued,
  type QueueEntry,
  type Sender
} from './mailbox-submit-site.ts'

const token = ADMIN_TOKEN
const TO = { name: 'Bob', address: 'bob@example.test' }

sandboxes('submitting messages', {}, (sandbox) => {
  let sink: SmtpSink
  let rules: SinkRules = {}
  let ada: Sender
  before(async () => {
    sink = await openSink({
      onMail: (from) => rules.onMail?.(from),
      onRcpt: (to) => rules.onRcpt?.(to),
      onMessage: (message) => rules.onMessage?.(message)
    })
    ada = await openSender(sandbox(), sink)
  })
  after(() => sink.close())

  const sent = (messageId: string) => sink.messages.filter(({ raw }) => raw.includes(messageId))

  test('a message is sent without Bcc and stored with it in the mailbox of sent mail', async () => {
    const { response, queueId, messageId, sendAt } = await ada.submit({
      to: TO,
      cc: [{ address: 'cleo@example.test' }],
      bcc: { address: 'dan@example.test' },
      replyTo: { address: 'team@example.test' },
      subject: 'Grüße',
      html: '<p>Hello <b>Bob</b></p><p>See <a href="https://example.test/x">this</a></p>',
      previewText: 'A <first> look',
      headers: { 'X-Order': '17' },
      attachments: [
        { filename: 'ä.txt', content: Buffer.from('attached').toString('base64') },
        { filename: 'dot.png', contentType: 'image/png', cid: 'dot', content: 'AAAA' }
      ]
    })
    assert.equal(response, 'Queued for delivery')
    assert.match(queueId, /^[0-9a-f]{19}$/)
    assert.ok(Math.abs(Date.parse(sendAt) - Date.now()) < 60_000)
    const entry = await ada.submitted(queueId)
    assert.match(entry.progress.response ?? '', /^250 /)
    assert.equal(entry.attemptsMade, 1)
    assert.equal(entry.progress.warning, undefined)

    const [message, another] = sent(messageId)
    assert.ok(message !== undefined && another === undefined)
    assert.deepEqual(message.to, [TO.address, 'cleo@example.test', 'dan@example.test'])
    assert.equal(message.from, ada.mailboxes.address)
    const { raw } = message
    assert.equal(fieldOf(raw, 'Bcc'), undefined)
    assert.equal(raw.includes('dan@example.test'), false)
    assert.equal(fieldOf(raw, 'X-Order'), '17')
    assert.equal(fieldOf(raw, 'From'), `Ada <${ada.mailboxes.address}>`)
    assert.equal(fieldOf(raw, 'Reply-To'), 'team@example.test')
    assert.match(raw, /Hello Bob\r\n\r\nSee this \[https:\/\/example.test\/x\]/)
    assert.match(raw.replaceAll('=\r\n', ''), /A &lt;first&gt; look<\/div>/)

    const [copy] = await ada.list('\\Sent')
    assert.equal(copy?.subject, 'Grüße')
    assert.deepEqual(copy?.flags, ['\\Seen'])
    const stored = await ada.source(copy?.id ?? '')
    assert.equal(fieldOf(stored, 'Bcc'), 'dan@example.test')
    assert.equal(stored.replace(/^Bcc: .*\r\n/m, ''), raw)
  })

  test('the copy of a message is left out if the message or the account says so', async () => {
    const quiet = await openSender(sandbox(), sink, { copy: false })
    const first = await quiet.submit({ to: TO, subject: 'no copy' })
    const second = await quiet.submit({ to: TO, subject: 'a copy', copy: true })
    const third = await quiet.submit({
      to: TO,
      copy: true,
      sentMailPath: 'INBOX',
      subject: 'there'
    })
    for (const { queueId } of [first, second, third]) await quiet.submitted(queueId)
    assert.deepEqual(
      (await quiet.list('\\Sent')).map(({ subject }) => subject),
      ['a copy']
    )
    assert.deepEqual(
      (await quiet.list('INBOX')).map(({ subject }) => subject),
      ['there']
    )
    const fourth = await ada.submit({ to: TO, sentMailPath: 'Missing', subject: 'lost' })
    assert.match((await ada.submitted(fourth.queueId)).progress.warning ?? '', /not found/)
  })

  test('a temporary error is retried, a permanent one is not', async () => {
    let refusals = 0
    rules = {
      onRcpt(to) {
        if (to.startsWith('busy') && refusals++ === 0) throw smtpReply(451, 'Try later')
        if (to.startsWith('sequence')) throw smtpReply(503, 'Overloaded')
        if (to.startsWith('gone')) throw smtpReply(550, 'No such user')
      }
    }
    const busy = await ada.submit({ to: { address: 'busy@example.test' } })
    const gone = await ada.submit({ to: { address: 'gone@example.test' } })
    const began = Date.now()
    const sequence = await ada.submit({ to: { address: 'sequence@example.test' } })
    const failed = await ada.entry(gone.queueId, ['error'])
    assert.deepEqual([failed.nextAttempt, failed.attemptsMade, failed.attempts], [false, 1, 10])
    assert.equal(failed.progress.error?.statusCode, 550)
    assert.match(failed.progress.error?.message ?? '', /No such user/)
    const later = await ada.entry(sequence.queueId, ['error'])
    const pause = Date.parse(String(later.nextAttempt)) - began
    assert.ok(pause >= 4_000 && pause <= 6_000 + Date.now() - began, `${pause}`)
    const account = await sandbox().json<{ smtpStatus: object }>({
      path: `/v1/account/${ada.id}`,
      token
    })
    assert.equal((account.smtpStatus as { status: string }).status, 'error')
    const retried = await ada.submitted(busy.queueId)
    assert.equal(retried.attemptsMade, 2)
    assert.equal(sent(busy.messageId).length, 1)
    await sandbox().json({ method: 'DELETE', path: `/v1/outbox/${sequence.queueId}`, token })
  })

  test('the last attempt is the last one', async () => {
    rules = {
      onMail() {
        throw smtpReply(421, 'Go away')
      }
    }
    const { queueId } = await ada.submit({ to: TO, deliveryAttempts: 1 })
    const { attempts, attemptsMade, nextAttempt } = await ada.entry(queueId, ['error'])
    assert.deepEqual([attempts, attemptsMade, nextAttempt], [1, 1, false])
    rules = {}
  })

  test('recipients that the server does not accept are named', async () => {
    rules = {
      onRcpt(to) {
        if (to.startsWith('gone')) throw smtpReply(550, 'No such user')
      }
    }
    const { queueId } = await ada.submit({ to: [TO, { address: 'gone@example.test' }] })
    const { rejected } = (await ada.submitted(queueId)).progress
    assert.deepEqual(
      rejected?.map(({ recipient }) => recipient),
      ['gone@example.test']
    )
    rules = {}
  })

  test('an account sends two messages at a time, and others are not delayed by it', async () => {
    let running = 0
    let most = 0
    const free = Promise.withResolvers<void>()
    rules = {
      async onMessage({ from }) {
        if (from !== ada.mailboxes.address) return
        running += 1
        most = Math.max(most, running)
        await free.promise
        running -= 1
      }
    }
    const queued: Queued[] = []
    for (let number = 0; number < 8; number++) queued.push(await ada.submit({ to: TO }))
    const other = await openSender(sandbox(), sink)
    await other.submitted((await other.submit({ to: TO })).queueId)
    free.resolve()
    for (const { queueId } of queued) await ada.submitted(queueId)
    assert.ok(most >= 1 && most <= 2, `${most} at a time`)
    rules = {}
  })

  test('scheduled messages wait, are listed first, and can be removed', async () => {
    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    const later = await ada.submit({ to: TO, subject: 'later', sendAt })
    assert.equal(later.sendAt, sendAt)
    const now = await ada.submit({ to: TO })
    await ada.submitted(now.queueId)
    const list = await sandbox().json<{ total: number; messages: QueueEntry[] }>({
      path: '/v1/outbox?pageSize=1',
      token
    })
    assert.equal(list.messages[0]?.queueId, later.queueId)
    assert.ok(list.total > 1)
    const [entry] = list.messages
    assert.deepEqual([entry?.scheduled, entry?.nextAttempt], [sendAt, sendAt])
    assert.equal(entry?.progress.status, 'queued')
    const remove = { method: 'DELETE', path: `/v1/outbox/${later.queueId}`, token }
    assert.deepEqual(await sandbox().json(remove), { deleted: true })
    const missing = await sandbox().json<{ code: string }>(remove, 404)
    assert.equal(missing.code, 'NotFound')
    assert.equal(sent(later.messageId).length, 0)
  })

  test('a message that is sent soon goes out at its time, with that date', async () => {
    const sendAt = new Date(Date.now() + 900).toISOString()
    const { queueId, messageId } = await ada.submit({ to: TO, sendAt })
    await ada.submitted(queueId)
    assert.ok(Date.now() >= Date.parse(sendAt))
    const date = Date.parse(fieldOf(sent(messageId)[0]?.raw ?? '', 'Date') ?? '')
    assert.ok(Math.abs(date - Date.parse(sendAt)) < 1000)
  })

  test('a message that is being sent can be removed until its end', async () => {
    const reached = Promise.withResolvers<void>()
    const free = Promise.withResolvers<void>()
    rules = {
      async onRcpt() {
        reached.resolve()
        await free.promise
      }
    }
    const { queueId, messageId } = await ada.submit({ to: TO })
    await reached.promise
    const remove = { method: 'DELETE', path: `/v1/outbox/${queueId}`, token }
    assert.deepEqual(await sandbox().json(remove), { deleted: true })
    free.resolve()
    rules = {}
    const next = await ada.submit({ to: TO })
    await ada.submitted(next.queueId)
    await wait(100)
    assert.equal(sent(messageId).length, 0)
  })

  test('a message that the server may have already cannot be removed', async () => {
    const reached = Promise.withResolvers<void>()
    const free = Promise.withResolvers<void>()
    rules = {
      async onMessage() {
        reached.resolve()
        await free.promise
      }
    }
    const { queueId } = await ada.submit({ to: TO })
    await reached.promise
    const remove = { method: 'DELETE', path: `/v1/outbox/${queueId}`, token }
    assert.deepEqual(await sandbox().json(remove), { deleted: false })
    free.resolve()
    await ada.submitted(queueId)
    rules = {}
  })

  test('a paused queue sends nothing until it goes on', async () => {
    const pause = (paused: boolean) =>
      sandbox().json({
        method: 'PUT',
        path: '/v1/settings/queue/submit',
        token,
        body: { paused }
      })
    await pause(true)
    await wait(1_100)
    const { queueId, messageId } = await ada.submit({ to: TO })
    await wait(300)
    assert.equal(sent(messageId).length, 0)
    await pause(false)
    await ada.submitted(queueId)
    assert.equal(sent(messageId).length, 1)
  })

  test('events are counted', async () => {
    const one = await openSender(sandbox(), sink)
    await one.submitted((await one.submit({ to: TO })).queueId)
    const { counters } = await sandbox().json<{ counters: { events: object } }>({
      path: `/v1/account/${one.id}`,
      token
    })
    assert.partialDeepStrictEqual(counters.events, { accountAdded: 1, messageSent: 1 })
  })

  test('removing an account drops what it has queued', async () => {
    const one = await openSender(sandbox(), sink)
    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    const { queueId } = await one.submit({ to: TO, sendAt }, { 'idempotency-key': 'k' })
    await sandbox().json({ method: 'DELETE', path: `/v1/account/${one.id}`, token })
    await sandbox().json({ path: `/v1/outbox/${queueId}`, token }, 404)
  })

  test('delivery status notifications and envelopes are passed on', async () => {
    const { queueId, messageId } = await ada.submit({
      to: TO,
      envelope: { from: '', to: 'someone@bücher.example' },
      dsn: { id: 'id-1', return: 'headers', notify: ['failure', 'delay'], recipient: 'x@y.test' }
    })
    const { envelope } = await ada.submitted(queueId)
    assert.deepEqual(envelope, { from: '', to: ['someone@xn--bcher-kva.example'] })
    const [message] = sent(messageId)
    assert.deepEqual([message?.from, message?.to.length], ['', 1])
  })

  test('an envelope may have a sender or recipients alone; the rest is as in the message', async () => {
    const raw = Buffer.from('From: ada@example.test\r\nTo: bob@example.test\r\n\r\nx')
    const forms = [{ to: TO }, { raw: raw.toString('base64') }]
    for (const form of forms) {
      const bounced = await ada.submit({ ...form, envelope: { from: 'bounces@example.test' } })
      assert.deepEqual((await ada.submitted(bounced.queueId)).envelope, {
        from: 'bounces@example.test',
        to: [TO.address]
      })
      const redirected = await ada.submit({ ...form, envelope: { to: ['carol@example.test'] } })
      const { envelope } = await ada.submitted(redirected.queueId)
      assert.deepEqual(envelope.to, ['carol@example.test'])
      assert.match(envelope.from, /@/)
    }
    await ada.rejected({ envelope: { from: 'bounces@example.test' } }, 400)
  })

  test('a dry run sends nothing and shows the message', async () => {
    const before = sink.messages.length
    const { response, preview, messageId } = (await ada.submit({
      to: TO,
      dryRun: true,
      messageId: 'mine@example.test'
    })) as Queued & { preview: string }
    assert.deepEqual([response, messageId], ['Dry run', '<mine@example.test>'])
    const raw = Buffer.from(preview, 'base64').toString()
    assert.equal(fieldOf(raw, 'Message-ID'), '<mine@example.test>')
    assert.equal(sink.messages.length, before)
  })

  test('a merge is one message for each recipient', async () => {
    const response = (await ada.submit({
      subject: 'Hello',
      text: 'all',
      mailMerge: [
        { to: { address: 'one@example.test' }, messageId: '<merged-1@example.test>' },
        {
          to: { address: 'two@example.test' },
          sendAt: new Date(Date.now() + 3_600_000).toISOString()
        }
      ]
    })) as unknown as { mailMerge: (Queued & { success: boolean; to: object })[] }
    const [one, two] = response.mailMerge
    assert.ok(one?.success && two?.success)
    assert.equal(one.messageId, '<merged-1@example.test>')
    await ada.submitted(one.queueId)
    assert.deepEqual(sent(one.messageId)[0]?.to, ['one@example.test'])
    assert.equal((await ada.entry(two.queueId, ['queued'])).envelope.to[0], 'two@example.test')
    await sandbox().json({ method: 'DELETE', path: `/v1/outbox/${two.queueId}`, token })
  })

  test('an account without SMTP cannot send; an unknown one is not found', async () => {
    const reader = await openSender(sandbox(), undefined)
    assert.equal((await reader.rejected({ to: TO }, 404)).code, 'SMTPUnavailable')
    const path = '/v1/account/nobody/submit'
    await sandbox().json({ method: 'POST', path, token, body: { to: TO } }, 404)
  })
})
