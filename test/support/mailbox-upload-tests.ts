import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountTests, MailAccount } from './mail-account.ts'

interface Uploaded {
  id: string
  path: string
  uid: number
  uidValidity: string
  seq: number
  messageId: string
  reference?: object
}

interface Shown {
  subject?: string
  date: string
  flags: string[]
  from?: object
  to?: object[]
  cc?: object[]
  bcc?: object[]
  inReplyTo?: string
  text?: { plain?: string; html?: string }
  attachments?: { id: string; filename?: string; contentType: string; contentId?: string }[]
  headers: Record<string, string[]>
}

const NO_ID = 'AAAAAQAAAAE'

function upload<T = Uploaded>({ call }: MailAccount, body: object, status = 200): Promise<T> {
  return call<T>({ method: 'POST', path: '/message', body }, status)
}

function show({ call }: MailAccount, id: string): Promise<Shown> {
  return call<Shown>({ path: `/message/${id}?textType=*` })
}

const RAW = [
  ...['From: Ada <ada@example.test>', 'To: Bob <bob@example.test>', 'Subject: From bytes'],
  ...['Message-ID: <raw@example.test>', 'Date: Mon, 1 Jan 2024 10:00:00 +0000', '', 'Body'],
  ...['with bare line feeds', '']
].join('\n')

export const uploadTests: AccountTests = (open) => {
  test('a draft is composed and stored with its flags, and without recipients', async () => {
    await using account = await open()
    // The shared connection has a mailbox selected for reading only.
    await account.call({ path: '/messages?path=INBOX' })
    const stored = await upload(account, {
      ...{ path: '\\Drafts', flags: ['\\draft', '\\Seen', 'later'], subject: 'Grüße € \u{1f600}' },
      ...{ text: 'Noch nicht fertig', html: '<p>Noch <b>nicht</b> fertig</p>' },
      bcc: { name: 'Zoë', address: 'zoe@example.test' },
      headers: { 'X-Project': 'nine' },
      attachments: [
        { filename: 'ä.txt', contentType: 'text/plain', content: 'aGk=' },
        { content: '', filename: 'empty.bin' }
      ]
    })
    assert.partialDeepStrictEqual(stored, { path: 'Drafts', seq: 1 })
    assert.match(stored.uidValidity, /^\d+$/)
    assert.match(stored.messageId, /^<.+@.+>$/)
    const flags = await account.flagsIn('Drafts')
    assert.deepEqual(flags, { 'Grüße € \u{1f600}': ['\\Draft', '\\Seen', 'later'] })
    const shown = await show(account, stored.id)
    assert.partialDeepStrictEqual(shown, {
      ...{ id: stored.id, uid: stored.uid, draft: true, subject: 'Grüße € \u{1f600}' },
      ...{ messageId: stored.messageId, from: { address: account.address } },
      bcc: [{ name: 'Zoë', address: 'zoe@example.test' }],
      text: { plain: 'Noch nicht fertig' },
      headers: { 'x-project': ['nine'] }
    })
    assert.match(shown.text?.html ?? '', /<b>nicht<\/b>/)
    assert.deepEqual(
      shown.attachments?.map(({ filename }) => filename),
      ['ä.txt', 'empty.bin']
    )
  })

  test('a whole message is stored as it is, with the date of the mailbox', async () => {
    await using account = await open()
    const raw = Buffer.from(RAW).toString('base64')
    const internalDate = '2020-02-03T04:05:06.000Z'
    const stored = await upload(account, { path: 'INBOX', raw, internalDate })
    assert.equal(stored.messageId, '<raw@example.test>')
    const source = await account.site.ask({
      path: `${account.path}/message/${stored.id}/source`,
      token: account.token
    })
    assert.equal(source.text.replace(/^MIME-Version: 1\.0\r\n/m, ''), RAW.replaceAll('\n', '\r\n'))
    await account.client.mailboxOpen('INBOX')
    const found = await account.client.fetchOne('*', { internalDate: true })
    assert.equal(found && new Date(found.internalDate ?? 0).toISOString(), internalDate)
  })

  test('fields of the request replace those of a whole message', async () => {
    await using account = await open()
    const stored = await upload(account, {
      ...{ path: 'INBOX', raw: Buffer.from(RAW).toString('base64'), subject: 'Zwölf' },
      ...{ to: [{ address: 'carol@example.test' }], messageId: 'mine@example.test' }
    })
    assert.equal(stored.messageId, '<mine@example.test>')
    assert.partialDeepStrictEqual(await show(account, stored.id), {
      ...{ subject: 'Zwölf', messageId: '<mine@example.test>' },
      ...{ to: [{ address: 'carol@example.test' }], from: { address: 'ada@example.test' } }
    })
  })

  test('the draft of a reply refers to the message and quotes it', async () => {
    await using account = await open()
    const original = await account.add(
      'From: Ada <ada@example.test>\r\nTo: Bob <bob@example.test>\r\nCc: carol@example.test\r\nSubject: Plan\r\nMessage-ID: <plan@example.test>\r\n\r\nWhat now?\r\n'
    )
    const stored = await upload(account, {
      ...{ path: 'Drafts', flags: '\\Draft', text: 'Lunch' },
      reference: { message: original, action: 'reply-all', inline: true }
    })
    assert.deepEqual(stored.reference, { message: original, success: true })
    const shown = await show(account, stored.id)
    assert.partialDeepStrictEqual(shown, {
      ...{ subject: 'Re: Plan', inReplyTo: '<plan@example.test>' },
      to: [{ address: 'ada@example.test' }, { address: 'bob@example.test' }],
      cc: [{ address: 'carol@example.test' }],
      headers: { references: ['<plan@example.test>'] }
    })
    assert.match(shown.text?.plain ?? '', /^Lunch[\s\S]*> ?What now\?/)
    const missing = { path: 'Drafts', text: 'x', reference: { message: NO_ID } }
    await upload(account, missing, 404)
    const ignored = await upload(account, {
      ...{ path: 'Drafts', text: 'x' },
      reference: { message: NO_ID, ignoreMissing: true }
    })
    assert.partialDeepStrictEqual(ignored.reference, { message: NO_ID, success: false })
  })

  test('a message that is not valid is rejected, and nothing is stored', async () => {
    await using account = await open()
    const bad: [body: object, status: number, key?: string][] = [
      [{ subject: 'x' }, 400, 'path'],
      [{ path: 'Nowhere', subject: 'x' }, 404],
      [{ path: 'a\r\nb', subject: 'x' }, 400, 'path'],
      [{ path: 'INBOX', raw: 'not base64!' }, 400, 'raw'],
      [{ path: 'INBOX', raw: '' }, 400, 'raw'],
      [{ path: 'INBOX', raw: Buffer.from('A: b\0\r\n\r\n').toString('base64') }, 400, 'raw'],
      [{ path: 'INBOX', raw: Buffer.from(RAW).toString('base64'), text: 'x' }, 400, 'text'],
      [{ path: 'INBOX', flags: ['a b'] }, 400, 'flags.0'],
      [{ path: 'INBOX', flags: ['\\Recent'] }, 400, 'flags.0'],
      [{ path: 'INBOX', internalDate: 'yesterday' }, 400, 'internalDate'],
      [{ path: 'INBOX', headers: { 'a\r\nBcc': 'x' } }, 400],
      [{ path: 'INBOX', headers: { Received: 'x' } }, 400],
      [{ path: 'INBOX', headers: { 'X-Note': 'x\r\nBcc: y' } }, 400, 'headers.X-Note'],
      [{ path: 'INBOX', to: 'nobody' }, 400],
      [{ path: 'INBOX', attachments: [{ filename: '/etc/passwd' }] }, 400],
      [{ path: 'INBOX', attachments: [{ path: '/etc/passwd' }] }, 400, 'attachments.0.path'],
      [{ path: 'INBOX', attachments: [{ href: 'http://127.0.0.1/' }] }, 400, 'attachments.0.href'],
      [{ path: 'INBOX', tz: 'Mars/Olympus' }, 400, 'tz'],
      [{ path: 'INBOX', mailMerge: [] }, 400, 'mailMerge']
    ]
    for (const [body, status, key] of bad) {
      const { fields = [] } = await upload<{ fields?: { key: string }[] }>(account, body, status)
      const keys = fields.map((field) => field.key)
      if (key !== undefined) assert.ok(keys.includes(key), `${JSON.stringify(body)}: ${keys}`)
    }
    assert.deepEqual(await account.flagsIn('INBOX'), {})
  })

  test('lines in names and texts of the request add no header fields', async () => {
    await using account = await open()
    const evil = 'x\r\nX-Injected: yes\r\n\r\nbody'
    const stored = await upload(account, {
      ...{ path: 'INBOX', subject: evil, text: 'safe' },
      to: [{ name: evil, address: 'bob@example.test' }],
      attachments: [{ filename: evil, content: 'aGk=' }]
    })
    const { headers } = await show(account, stored.id)
    assert.equal(headers['x-injected'], undefined)
  })
}
