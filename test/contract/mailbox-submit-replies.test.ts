/** Replies, forwarded messages and drafts. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSink, type SmtpSink } from '../support/smtp-sink.ts'
import { ADMIN_TOKEN, sandboxes } from './mailbox-site.ts'
import { fieldOf, type ListedMessage, openSender, type Sender } from './mailbox-submit-site.ts'

const token = ADMIN_TOKEN
const PIXEL = 'iVBORw0KGgo='

const HEAD = [
  'From: "Eve, Editor" <eve@example.test>',
  'Reply-To: desk@example.test',
  'Message-ID: <third@example.test>',
  'In-Reply-To: <second@example.test>',
  'References: <first@example.test> <second@example.test>',
  'Date: Mon, 02 Nov 2026 10:00:00 +0000',
  'MIME-Version: 1.0'
]

sandboxes('replies and forwarded messages', {}, (sandbox) => {
  let sink: SmtpSink
  let ada: Sender
  let original: ListedMessage

  before(async () => {
    sink = await openSink()
    ada = await openSender(sandbox(), sink)
    const { address } = ada.mailboxes
    await sandbox().deliver({
      to: [address],
      source: [
        ...HEAD,
        `To: Ada <${address.toUpperCase()}>, Bob <bob@example.test>`,
        'Cc: cleo@example.test, BOB@example.test',
        'Bcc: secret@example.test',
        'Subject: =?UTF-8?Q?Caf=C3=A9?=',
        'Content-Type: multipart/mixed; boundary=m',
        '',
        '--m',
        'Content-Type: multipart/related; boundary=r',
        '',
        '--r',
        'Content-Type: text/html; charset=utf-8',
        '',
        '<html><body><p>Shall we <b>meet</b>?</p><img src="cid:pixel"><script>alert(1)</script>',
        '</body></html>',
        '--r',
        'Content-Type: image/png; name=pixel.png',
        'Content-ID: <pixel>',
        'Content-Transfer-Encoding: base64',
        '',
        PIXEL,
        '--r--',
        '--m',
        'Content-Type: text/csv; charset=iso-8859-1',
        'Content-Disposition: attachment; filename="list.csv"',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'caf=E9;1',
        '--m--',
        ''
      ].join('\r\n')
    })
    const [found] = await ada.list('INBOX')
    original = found ?? assert.fail('the original is not there')
  })
  after(() => sink.close())

  async function sentFor(body: object) {
    const queued = await ada.submit(body)
    const entry = await ada.submitted(queued.queueId)
    assert.equal(entry.progress.warning, undefined)
    const message = sink.messages.find(({ raw }) => raw.includes(queued.messageId))
    return { ...(message ?? assert.fail('not sent')), reference: queued.reference }
  }

  async function flagsOf(): Promise<string[]> {
    const [found] = await ada.list('INBOX')
    return found?.flags ?? []
  }

  test('a reply goes to Reply-To, continues the thread and marks the original', async () => {
    const { raw, to, reference } = await sentFor({
      reference: { message: original.id },
      text: 'Yes'
    })
    assert.deepEqual(reference, { message: original.id, success: true })
    assert.deepEqual(to, ['desk@example.test'])
    assert.equal(fieldOf(raw, 'Subject'), '=?UTF-8?Q?Re=3A_Caf=C3=A9?=')
    assert.equal(fieldOf(raw, 'In-Reply-To'), '<third@example.test>')
    assert.equal(
      fieldOf(raw, 'References'),
      '<first@example.test> <second@example.test> <third@example.test>'
    )
    assert.equal(raw.includes('meet'), false)
    assert.ok((await flagsOf()).includes('\\Answered'))
  })

  test('a reply to all goes to the others, once each, and never to blind copies', async () => {
    const { raw, to } = await sentFor({
      reference: { message: original.id, action: 'reply-all' },
      text: 'Yes'
    })
    assert.deepEqual(to, ['desk@example.test', 'bob@example.test', 'cleo@example.test'])
    assert.equal(fieldOf(raw, 'To'), 'desk@example.test, Bob <bob@example.test>')
    assert.equal(fieldOf(raw, 'Cc'), 'cleo@example.test')
  })

  test('an inline reply quotes the original without its scripts, with its images', async () => {
    const { raw } = await sentFor({
      reference: { message: original.id, inline: true, messageId: 'third@example.test' },
      html: '<html><body><p>Gern</p></body></html>',
      text: 'Gern',
      locale: 'de',
      tz: 'Europe/Berlin'
    })
    const text = raw.replaceAll('=\r\n', '')
    assert.match(text, /Am 02\.11\.2026, 11:00 schrieb Eve, Editor <eve@example.test>:/)
    assert.match(text, /\r\n> Shall we meet\?/)
    assert.match(text, /<blockquote type=3D"cite"[\s\S]*Shall we <b>meet<\/b>[\s\S]*<\/blockquote>/)
    assert.equal(text.includes('alert(1)'), false)
    assert.match(text, /<\/div><\/body><\/html>/)
    assert.match(text, /Content-ID: <pixel>/i)
    assert.equal(text.includes('list.csv'), false)
  })

  test('a forwarded message has the attachments if they are wanted', async () => {
    const { raw } = await sentFor({
      reference: {
        message: original.id,
        action: 'forward',
        inline: true,
        forwardAttachments: true
      },
      to: { address: 'frank@example.test' }
    })
    assert.equal(fieldOf(raw, 'Subject'), '=?UTF-8?Q?Fwd=3A_Caf=C3=A9?=')
    assert.equal(fieldOf(raw, 'In-Reply-To'), undefined)
    assert.match(fieldOf(raw, 'References') ?? '', /<third@example.test>$/)
    assert.match(raw, /---------- Forwarded message ---------/)
    assert.match(raw, /filename=list\.csv/)
    assert.match(raw, /Content-Type: text\/csv; charset=iso-8859-1/)
    assert.ok(raw.includes(Buffer.from('caf\u00e9;1', 'latin1').toString('base64').slice(0, 8)))
    const flags = await flagsOf()
    assert.ok(flags.includes('$Forwarded'), flags.join(' '))
  })

  test('an attachment of another message is attached by its id', async () => {
    const attachment = original.attachments?.find(({ filename }) => filename === 'list.csv')
    const { raw } = await sentFor({
      to: { address: 'frank@example.test' },
      attachments: [{ reference: attachment?.id ?? '', filename: 'renamed.csv' }]
    })
    assert.match(raw, /filename=renamed\.csv/)
    const unknown = { to: { address: 'a@b.test' }, attachments: [{ reference: 'AAAA' }] }
    assert.equal((await ada.rejected(unknown, 404)).code, 'AttachmentNotFound')
  })

  test('a missing original is an error unless that is ignored', async () => {
    const message = 'AAAAAQAPQkA'
    const to = { address: 'frank@example.test' }
    const missing = await ada.rejected({ to, reference: { message } }, 404)
    assert.equal(missing.code, 'ReferenceNotFound')
    const other = { message: original.id, messageId: '<other@example.test>' }
    assert.equal((await ada.rejected({ to, reference: other }, 404)).code, 'ReferenceNotFound')
    const { reference } = await sentFor({ to, reference: { message, ignoreMissing: true } })
    assert.equal(reference?.success, false)
    const nobody = await ada.rejected({ reference: { message, ignoreMissing: true } }, 400)
    assert.equal(nobody.fields?.[0]?.key, 'to')
  })

  test('a draft is sent and then is in the mailbox of sent mail only', async () => {
    const path = `/v1/account/${ada.id}/message`
    const upload = (body: object) =>
      sandbox().json<{ id: string }>({ method: 'POST', path, token, body })
    const { id } = await upload({
      path: '\\Drafts',
      flags: ['\\Draft'],
      from: { address: ada.mailboxes.address },
      to: [{ address: 'frank@example.test' }],
      bcc: [{ address: 'hidden@example.test' }],
      subject: 'A draft',
      text: 'Now'
    })
    const submitDraft = { method: 'POST', path: `${path}/${id}/submit`, token, body: {} }
    const queued = await sandbox().json<{ queueId: string; messageId: string }>(submitDraft)
    await ada.submitted(queued.queueId)
    const message = sink.messages.find(({ raw }) => raw.includes(queued.messageId))
    assert.deepEqual(message?.to, ['frank@example.test', 'hidden@example.test'])
    assert.equal(fieldOf(message?.raw ?? '', 'Bcc'), undefined)
    const drafts = await ada.list('\\Drafts')
    assert.deepEqual(drafts, [])
    const [copy] = await ada.list('\\Sent')
    assert.equal(copy?.subject, 'A draft')
    assert.deepEqual(copy?.flags, ['\\Seen'])
    await sandbox().json(submitDraft, 404)
    const again = { method: 'POST', path: `${path}/${original.id}/submit`, token, body: {} }
    const notDraft = await sandbox().json<{ code: string }>(again, 400)
    assert.equal(notDraft.code, 'MessageNotDraft')
    const empty = await upload({
      path: '\\Drafts',
      flags: ['\\Draft'],
      from: { address: ada.mailboxes.address },
      subject: 'To nobody'
    })
    const nobody = { method: 'POST', path: `${path}/${empty.id}/submit`, token, body: {} }
    const { code } = await sandbox().json<{ code: string }>(nobody, 400)
    assert.equal(code, 'DraftHasNoRecipients')
  })
})
