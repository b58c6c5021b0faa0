/** What is accepted and rejected: raw messages, headers, keys, and what is not offered. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openSink, type SmtpSink } from '../support/smtp-sink.ts'
import { ADMIN_TOKEN, sandboxes } from './mailbox-site.ts'
import { fieldOf, openSender, type Sender } from './mailbox-submit-site.ts'

const token = ADMIN_TOKEN
const TO = { address: 'bob@example.test' }
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')

sandboxes('input of submits', {}, (sandbox) => {
  let sink: SmtpSink
  let ada: Sender
  before(async () => {
    sink = await openSink()
    ada = await openSender(sandbox(), sink, { imap: false })
  })
  after(() => sink.close())

  async function sentFor(body: object) {
    const { queueId, messageId } = await ada.submit(body)
    await ada.submitted(queueId)
    const found = sink.messages.filter(({ raw }) => raw.includes(messageId))
    assert.equal(found.length, 1)
    return { ...(found[0] ?? assert.fail()), messageId }
  }

  test('fields of the request replace those of a raw message', async () => {
    const raw = [
      'Return-Path: <old@example.test>',
      'From: Old <old@example.test>',
      'To: =?UTF-8?Q?J=C3=BCrgen?= <old-to@example.test>',
      'Bcc: hidden@example.test',
      'X-EE-Delivery-Attempts: 3',
      'X-Kept: one',
      ' two',
      'Subject: old',
      'Content-Type: text/plain',
      '',
      'line one',
      '.',
      'a lone\rreturn'
    ].join('\n')
    const message = await sentFor({
      raw: base64(raw),
      from: { name: 'Néw', address: 'new@example.test' },
      subject: 'näw',
      headers: { 'X-More': 'yes' }
    })
    assert.equal(message.from, 'new@example.test')
    assert.deepEqual(message.to, ['old-to@example.test', 'hidden@example.test'])
    assert.equal(fieldOf(message.raw, 'From'), '=?UTF-8?Q?N=C3=A9w?= <new@example.test>')
    assert.equal(fieldOf(message.raw, 'Subject'), '=?UTF-8?Q?n=C3=A4w?=')
    assert.equal(fieldOf(message.raw, 'X-Kept'), 'one two')
    assert.equal(fieldOf(message.raw, 'X-More'), 'yes')
    assert.equal(fieldOf(message.raw, 'Message-ID'), message.messageId)
    assert.ok(fieldOf(message.raw, 'Date') !== undefined)
    for (const name of ['Bcc', 'Return-Path', 'X-EE-Delivery-Attempts']) {
      assert.equal(fieldOf(message.raw, name), undefined)
    }
    assert.match(message.raw, /\r\n\r\nline one\r\n\.\r\na lone\r\nreturn/)
  })

  test('a raw message that is none is rejected', async () => {
    const cases: [object, RegExp][] = [
      [{ raw: '!!!' }, /base64/],
      [{ raw: base64('') }, /header/],
      [{ raw: base64('\r\nno header') }, /header/],
      [{ raw: base64('To: a@b.test\r\n\r\n\0') }, /NUL/],
      [{ raw: base64('Subject: x\r\n\r\nx') }, /recipient/],
      [{ raw: base64('To: "a b"@c d <<>>\r\n\r\nx') }, /cannot be read|recipient/],
      [{ raw: base64('To: a@b.test\r\nX-EE-Gateway: g\r\n\r\nx') }, /not offered/],
      [{ raw: base64('To: a@b.test\r\nX-EE-Send-At: soon\r\n\r\nx') }, /date/],
      [{ raw: base64('To: a@b.test\r\nX-EE-Send-At: 9999-01-01\r\n\r\nx') }, /within a year/],
      [
        { raw: base64(`To: a@b.test\r\nX: ${'x'.repeat(1_100_000)}\r\n\r\nx`) },
        /header of at most/
      ],
      [{ raw: base64('To: a@b.test\r\n\r\nx'), html: '<p>' }, /cannot be combined/]
    ]
    for (const [body, message] of cases) {
      const { fields } = await ada.rejected(body, 400)
      assert.match(fields?.map((field) => field.message).join() ?? '', message)
    }
  })

  test('no field can add a header line or a command', async () => {
    const evil = 'x\r\nX-Evil: 1\r\n\r\nbody'
    const message = await sentFor({
      to: { name: evil, address: TO.address },
      from: { name: evil, address: 'ada@example.test' },
      subject: evil,
      attachments: [{ filename: evil, content: 'AAAA' }]
    })
    assert.equal(/^X-Evil/im.test(message.raw), false)
    assert.deepEqual(message.to, [TO.address])
    const rejected: [object, string][] = [
      [{ headers: { 'X-A': evil } }, 'headers.X-A'],
      [{ headers: { 'X A: b\r\nX-Evil': '1' } }, 'headers.'],
      [{ headers: { Bcc: 'x@y.test' } }, 'headers.Bcc'],
      [{ headers: { received: 'x' } }, 'headers.received'],
      [{ headers: { 'DKIM-Signature': 'x' } }, 'headers.DKIM-Signature'],
      [{ headers: { 'Return-Path': 'x' } }, 'headers.Return-Path'],
      [{ headers: { 'Content-Type': 'text/html' } }, 'headers.Content-Type'],
      [{ to: { address: 'a@b.test>\r\nRCPT TO:<x@y.test' } }, 'to.0.address'],
      [{ envelope: { from: 'a@b.test> SIZE=1', to: 'a@b.test' } }, 'envelope.from'],
      [{ messageId: '<a@b>\r\nX: y' }, 'messageId'],
      [
        { attachments: [{ content: 'AAAA', contentType: 'a/b\r\nX: y' }] },
        'attachments.0.contentType'
      ],
      [{ attachments: [{ content: 'AAAA', cid: 'a>\r\nX: y' }] }, 'attachments.0.cid'],
      [{ dsn: { return: 'full', id: 'a b' } }, 'dsn.id']
    ]
    for (const [body, key] of rejected) {
      const { fields = [] } = await ada.rejected({ to: TO, ...body }, 400)
      assert.ok(
        fields.some((field) => field.key.startsWith(key)),
        JSON.stringify([body, fields])
      )
    }
  })

  test('files and URLs are never read', async () => {
    const message = await sentFor({
      to: TO,
      html: '<img src="file:///etc/passwd"><img src="http://127.0.0.1:1/">',
      text: 'x'
    })
    assert.equal(message.raw.includes('root:'), false)
    for (const attachment of [{ path: '/etc/passwd' }, { href: 'http://127.0.0.1/' }, {}]) {
      await ada.rejected({ to: TO, attachments: [attachment] }, 400)
    }
  })

  test('what is not offered is rejected with a sentence, all of it at once', async () => {
    const { fields = [] } = await ada.rejected(
      {
        to: TO,
        template: 'x',
        render: { params: {} },
        listId: 'list',
        trackOpens: true,
        trackClicks: true,
        baseUrl: 'https://x.test',
        gateway: 'g',
        proxy: 'socks://x',
        localAddress: '10.0.0.1',
        surprise: 1
      },
      400
    )
    const keys = fields.map(({ key }) => key).sort()
    assert.deepEqual(keys, [
      'baseUrl',
      'gateway',
      'listId',
      'localAddress',
      'proxy',
      'render',
      'surprise',
      'template',
      'trackClicks',
      'trackOpens'
    ])
    for (const { key, message } of fields) {
      assert.match(message, key === 'surprise' ? /not allowed/ : /not offered/)
    }
    await sentFor({ to: TO, trackOpens: false, trackClicks: false, render: false })
  })

  test('limits and combinations', async () => {
    const rejected: [object, string][] = [
      [{}, 'to'],
      [{ to: [] }, 'to'],
      [{ to: { address: 'nobody' } }, 'to.0.address'],
      [{ to: TO, subject: 'x'.repeat(10_241) }, 'subject'],
      [{ to: TO, html: null }, 'html'],
      [{ to: TO, headers: { 'X-A': null } }, 'headers.X-A'],
      [{ to: TO, sendAt: 'tomorrow' }, 'sendAt'],
      [{ to: TO, sendAt: '2999-01-01T00:00:00Z' }, 'sendAt'],
      [{ to: TO, locale: 'not a locale' }, 'locale'],
      [{ to: TO, tz: 'Mars/Olympus' }, 'tz'],
      [{ to: TO, attachments: [{ content: '%' }] }, 'attachments.0.content'],
      [{ to: TO, dsn: { return: 'full', notify: ['never', 'delay'] } }, 'dsn.notify'],
      [{ to: TO, mailMerge: [{ to: TO }] }, 'to'],
      [{ mailMerge: [{ to: TO, params: {} }] }, 'mailMerge.0.params'],
      // One response would have all previews, and each message is a file of its own.
      [
        { dryRun: true, text: 'x'.repeat(700_000), mailMerge: Array(100).fill({ to: TO }) },
        'mailMerge'
      ],
      [{ text: 'x'.repeat(600_000), mailMerge: Array(1000).fill({ to: TO }) }, 'mailMerge'],
      [{ to: TO, sentMailPath: 'a\r\nb' }, 'sentMailPath']
    ]
    for (const [body, key] of rejected) {
      const { fields = [] } = await ada.rejected(body, 400)
      assert.ok(
        fields.some((field) => field.key === key),
        JSON.stringify([body, fields])
      )
    }
    const large = base64('x'.repeat(5 * 1024 * 1024 + 1))
    const { fields } = await ada.rejected({ to: TO, attachments: [{ content: large }] }, 400)
    assert.equal(fields?.[0]?.key, 'attachments.0.content')
  })

  test('large requests of an account wait while others take their memory', async () => {
    const { hostname, port } = new URL(sandbox().url)
    const path = `/v1/account/${ada.id}/submit`
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    // Without a length each may be as large as allowed.
    const open = () => {
      const opened = request({ hostname, port, path, method: 'POST', headers })
      opened.on('error', () => {}).write('{"dryRun":true,')
      return opened
    }
    const stalled = [open(), open()]
    await wait(300)
    const waiting = open()
    let status: number | undefined
    const responded = once(waiting, 'response').then(([response]) => {
      status = response.resume().statusCode
    })
    waiting.end(`"to":${JSON.stringify(TO)}}`)
    await wait(300)
    assert.equal(status, undefined)
    for (const one of stalled) one.destroy()
    await responded
    assert.equal(status, 200)
  })

  test('one idempotency key makes one entry, also for requests at the same time', async () => {
    const body = { to: TO, subject: 'once' }
    const key = { 'idempotency-key': 'order-17' }
    const responses = await Promise.all(Array.from({ length: 12 }, () => ada.submit(body, key)))
    assert.equal(new Set(responses.map(({ queueId }) => queueId)).size, 1)
    const statuses = responses.map(({ idempotency }) => idempotency?.status).sort()
    assert.deepEqual(statuses, [...Array(11).fill('HIT'), 'MISS'])
    const [first] = responses
    assert.equal(first?.idempotency?.key, 'order-17')
    const entry = await ada.submitted(first?.queueId ?? '')
    assert.equal(entry.idempotencyKey, 'order-17')
    const later = await ada.submit(body, key)
    assert.equal(later.idempotency?.status, 'HIT')
    const reused = await ada.rejected({ to: TO, subject: 'other' }, 400, key)
    assert.equal(reused.code, 'IdempotencyKeyReused')
    const other = await openSender(sandbox(), sink, { imap: false })
    assert.equal((await other.submit(body, key)).idempotency?.status, 'MISS')
    await ada.rejected(body, 400, { 'idempotency-key': 'x'.repeat(1025) })
    assert.equal(sink.messages.filter(({ raw }) => raw.includes(first?.messageId ?? '-')).length, 1)
  })

  test('tokens see and remove messages of their own accounts only', async () => {
    const bob = await sandbox().account()
    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    const { queueId } = await ada.submit({ to: TO, sendAt })
    for (const method of ['GET', 'DELETE']) {
      const path = `/v1/outbox/${queueId}`
      const foreign = await sandbox().ask({ method, path, token: bob.token })
      const unknown = await sandbox().ask({
        method,
        path: `/v1/outbox/${'0'.repeat(19)}`,
        token: bob.token
      })
      assert.deepEqual([foreign.status, foreign.text], [404, unknown.text])
    }
    const list = await sandbox().json<{ total: number }>({ path: '/v1/outbox', token: bob.token })
    assert.equal(list.total, 0)
    await sandbox().json({ method: 'DELETE', path: `/v1/outbox/${queueId}`, token })
  })
})
