/** Tests of reading that every mail server must pass. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Body, lines, type Reader } from './mailbox-reader.ts'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const RICH = lines(
  'Date: Mon, 5 Oct 2026 10:00:00 +0200',
  'From: =?utf-8?q?Ad=C3=A8le?= <ada@example.test>',
  'Sender: Office <office@example.test>',
  'Reply-To: desk@example.test',
  'To: Bob <bob@example.test>, carol@example.test',
  'Cc: dave@example.test',
  'Bcc: eve@example.test',
  'Subject: =?iso-8859-1?q?Gr=FC=DFe?=',
  'Message-ID: <rich@example.test>',
  'In-Reply-To: <before@example.test>',
  'X-Twice: one',
  'X-Twice: two',
  '__proto__: polluted',
  'constructor: polluted',
  'Auto-Submitted: auto-replied',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=m',
  '',
  '--m',
  'Content-Type: multipart/related; boundary=r',
  '',
  '--r',
  'Content-Type: multipart/alternative; boundary=a',
  '',
  '--a',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=FC=DFe aus K=F6ln',
  '--a',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from(
    '<p onclick="x()">Grüße <img src="cid:logo@example.test"><script>x()</script></p>'
  ).toString('base64'),
  '--a--',
  '--r',
  'Content-Type: image/png',
  'Content-ID: <logo@example.test>',
  'Content-Transfer-Encoding: base64',
  '',
  PNG,
  '--r--',
  '--m',
  "Content-Type: text/html; name*=utf-8''pr%C3%A9sum%C3%A9.html; charset=iso-8859-1",
  'Content-Disposition: attachment',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('<b>Z\u00fcrich</b>', 'latin1').toString('base64'),
  '--m',
  'Content-Type: text/calendar; method=REQUEST; charset=utf-8',
  '',
  'BEGIN:VCALENDAR',
  'END:VCALENDAR',
  '--m',
  'Content-Type: application/octet-stream; name="../../etc/passwd"',
  'Content-Disposition: attachment; filename="../../etc/passwd"',
  'Content-Transfer-Encoding: base64',
  '',
  '--m',
  'Content-Type: message/rfc822',
  'Content-Disposition: attachment; filename=forwarded.eml',
  '',
  'Subject: inner',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=i',
  '',
  '--i',
  'Content-Type: text/plain',
  '',
  'inner text',
  '--i',
  'Content-Type: application/pdf; name=inner.pdf',
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERg==',
  '--i--',
  '--m--'
)

export function playReading(reader: () => Promise<Reader>): void {
  it('lists mailboxes, the special ones first, with their numbers', async () => {
    const { json, append, withClient } = await reader()
    await append(lines('Subject: one', '', 'x'))
    await append(lines('Subject: two', '', 'x'), { flags: ['\\Seen'] })
    await withClient((client) => client.mailboxCreate('Projects/Ähre & Söhne'))
    const { mailboxes } = await json('/mailboxes?counters=true')
    assert.equal(mailboxes[0].path, 'INBOX')
    assert.equal(mailboxes[0].specialUse, '\\Inbox')
    assert.equal(mailboxes[0].specialUseSource, 'name')
    assert.equal(mailboxes[0].parentPath, '')
    assert.deepEqual(mailboxes[0].status, { messages: 2, unseen: 1 })
    assert.equal(mailboxes[0].messages, 2)
    assert.equal(mailboxes[0].uidNext, 3)
    const byUse = new Map(mailboxes.map((one: Body) => [one.specialUse, one.path]))
    for (const name of ['Sent', 'Drafts', 'Junk', 'Trash', 'Archive']) {
      assert.equal(byUse.get(`\\${name}`), name)
    }
    const firstPlain = mailboxes.findIndex((one: Body) => one.specialUse === undefined)
    assert.ok(mailboxes.slice(firstPlain).every((one: Body) => one.specialUse === undefined))
    const nested = mailboxes.find((one: Body) => one.name === 'Ähre & Söhne')
    assert.equal(nested.path, 'Projects/Ähre & Söhne')
    assert.equal(nested.parentPath, 'Projects')
    assert.equal(nested.delimiter, '/')
    assert.deepEqual([nested.listed, nested.subscribed], [true, true])
    const { mailboxes: without } = await json('/mailboxes')
    assert.equal(without[0].status, undefined)
  })

  it('creates, renames, subscribes and deletes mailboxes', async () => {
    const { json, ask } = await reader()
    const change = (body: object, status?: number) =>
      json('/mailbox', { method: 'PUT', body }, status)
    const added = await json('/mailbox', { method: 'POST', body: { path: ['Work', 'Größe'] } })
    assert.equal(added.path, 'Work/Größe')
    assert.equal(added.created, true)
    const again = await json('/mailbox', { method: 'POST', body: { path: 'Work/Größe' } })
    assert.deepEqual(again, { path: 'Work/Größe', created: false })
    assert.deepEqual(await change({ path: 'Work/Größe', newPath: ['Work', 'Done'] }), {
      path: 'Work/Größe',
      newPath: 'Work/Done',
      renamed: true
    })
    const find = async () => {
      const { mailboxes } = await json('/mailboxes')
      return mailboxes.find((one: Body) => one.path === 'Work/Done')
    }
    assert.equal((await find()).subscribed, true, 'the subscription moves with the name')
    assert.deepEqual(await change({ path: 'Work/Done', subscribed: false }), {
      path: 'Work/Done',
      subscribed: false
    })
    assert.equal((await find()).subscribed, false)
    const rejected = await change({ path: 'Nowhere', newPath: 'Somewhere' }, 400)
    assert.equal(rejected.code, 'NONEXISTENT')
    assert.equal(typeof rejected.info.response, 'string')
    const taken = await change({ path: 'Work/Done', newPath: 'Sent' }, 400)
    assert.equal(taken.code, 'ALREADYEXISTS')
    const empty = await change({ path: 'Work/Done' }, 400)
    assert.deepEqual(empty.fields, [{ key: 'newPath', message: 'is required without subscribed' }])
    const gone = await json('/mailbox?path=Work%2FDone', { method: 'DELETE' })
    assert.deepEqual(gone, { path: 'Work/Done', deleted: true })
    const missing = await json('/mailbox?path=Work%2FDone', { method: 'DELETE' }, 404)
    assert.equal(missing.code, 'FolderNotFound')
    const { status } = await ask({ path: '/mailbox', method: 'DELETE' })
    assert.equal(status, 400)
  })

  it('shows all of a message: addresses, flags, parts and header', async () => {
    const { json, append } = await reader()
    const uid = await append(RICH, { flags: ['\\Flagged', '\\Answered', '$Label'] })
    const { messages, total, pages } = await json('/messages?path=INBOX')
    assert.deepEqual([total, pages], [1, 1])
    const [entry] = messages
    assert.match(entry.id, /^[\w-]{11}$/)
    assert.equal(Buffer.from(entry.id, 'base64url').readUInt32BE(4), uid)
    assert.equal(entry.path, 'INBOX')
    assert.equal(entry.date, '2026-10-05T08:00:00.000Z')
    assert.equal(entry.subject, 'Grüße')
    assert.deepEqual(entry.from, { name: 'Adèle', address: 'ada@example.test' })
    assert.deepEqual(entry.replyTo, [{ name: '', address: 'desk@example.test' }])
    assert.deepEqual(entry.to, [
      { name: 'Bob', address: 'bob@example.test' },
      { name: '', address: 'carol@example.test' }
    ])
    assert.deepEqual(entry.cc, [{ name: '', address: 'dave@example.test' }])
    assert.equal(entry.messageId, '<rich@example.test>')
    assert.equal(entry.inReplyTo, '<before@example.test>')
    assert.deepEqual([...entry.flags].sort(), ['$Label', '\\Answered', '\\Flagged'])
    assert.deepEqual([entry.unseen, entry.flagged, entry.answered], [true, true, true])
    for (const absent of ['draft', 'labels', 'bcc', 'sender', 'headers']) {
      assert.equal(entry[absent], undefined, absent)
    }
    assert.equal(entry.size, Buffer.byteLength(RICH))
    assert.deepEqual(Object.keys(entry.text.encodedSize), ['plain', 'html'])
    assert.equal(entry.messageSpecialUse, '\\Inbox')

    const message = await json(`/message/${entry.id}`)
    assert.deepEqual(message.sender, { name: 'Office', address: 'office@example.test' })
    assert.deepEqual(message.bcc, [{ name: '', address: 'eve@example.test' }])
    assert.deepEqual(message.headers['x-twice'], ['one', 'two'])
    assert.deepEqual(message.headers.subject, ['Grüße'])
    // `__proto__` is a name like any other.
    assert.ok(Object.hasOwn(message.headers, '__proto__'))
    assert.deepEqual(message.headers.constructor, ['polluted'])
    assert.equal(message.isAutoReply, true)
    assert.equal(message.specialUse, '\\Inbox')
    assert.deepEqual(message.text, entry.text, 'no text unless it is requested')
    assert.deepEqual(message.attachments, entry.attachments)
  })

  it('tells attachments from texts, also in attached messages', async () => {
    const { json, append, bytes, ask } = await reader()
    await append(RICH)
    const [{ attachments }] = (await json('/messages?path=INBOX')).messages
    const shown = attachments.map(({ id, encodedSize, ...one }: Body) => {
      const part = Buffer.from(id, 'base64url').toString('latin1', 8)
      assert.ok(encodedSize >= 0)
      return { part, ...one }
    })
    const plain = { embedded: false, inline: false, encodedInMessage: false }
    assert.deepEqual(shown, [
      {
        part: '1.2',
        contentType: 'image/png',
        embedded: true,
        inline: true,
        encodedInMessage: false,
        contentId: '<logo@example.test>'
      },
      { part: '2', contentType: 'text/html', ...plain, filename: 'présumé.html' },
      { part: '3', contentType: 'text/calendar', ...plain, method: 'REQUEST' },
      {
        part: '4',
        contentType: 'application/octet-stream',
        ...plain,
        filename: '.._.._etc_passwd'
      },
      { part: '5', contentType: 'message/rfc822', ...plain, filename: 'forwarded.eml' },
      {
        part: '5.2',
        contentType: 'application/pdf',
        ...plain,
        encodedInMessage: true,
        filename: 'inner.pdf'
      }
    ])
    const contents = new Map<string, { headers: Headers; bytes: Buffer }>()
    for (const { id, contentType } of attachments) {
      contents.set(contentType, await bytes(`/attachment/${id}`))
    }
    assert.equal(contents.get('image/png')?.bytes.toString('base64'), PNG)
    assert.equal(contents.get('application/pdf')?.bytes.toString(), '%PDF')
    assert.equal(contents.get('application/octet-stream')?.bytes.length, 0)
    assert.match(contents.get('message/rfc822')?.bytes.toString() ?? '', /^Subject: inner\r\n/)
    const html = contents.get('text/html')
    assert.equal(html?.bytes.toString('latin1'), '<b>Z\u00fcrich</b>', 'bytes are not converted')
    const header = (name: string) => html?.headers.get(name) ?? ''
    assert.equal(header('content-type'), 'text/html; charset=iso-8859-1')
    assert.match(
      header('content-disposition'),
      /^attachment; filename="pr_sum_\.html"; filename\*=UTF-8''pr%C3%A9sum%C3%A9\.html$/
    )
    assert.equal(header('x-content-type-options'), 'nosniff')
    assert.match(header('content-security-policy'), /sandbox/)
    const unknown = Buffer.concat([
      Buffer.from(attachments[0].id, 'base64url').subarray(0, 8),
      Buffer.from('9.9')
    ])
    const { status, text } = await ask({ path: `/attachment/${unknown.toString('base64url')}` })
    assert.equal(status, 404, text)
  })

  it('gives texts by type, with their own charsets, and cuts them', async () => {
    const { json, append } = await reader()
    await append(RICH)
    const [{ id, text }] = (await json('/messages?path=INBOX')).messages
    const both = await json(`/message/${id}?textType=*`)
    assert.equal(both.text.plain.trim(), 'Grüße aus Köln')
    assert.match(both.text.html, /^<p onclick="x\(\)">Grüße <img src="cid:logo@example\.test">/)
    assert.equal(both.text.hasMore, false)
    assert.equal(both.text.webSafe, undefined)
    const plain = await json(`/message/${id}?textType=plain`)
    assert.equal(plain.text.html, undefined)
    assert.deepEqual(await json(`/text/${text.id}`), {
      plain: both.text.plain,
      html: both.text.html,
      hasMore: false
    })
    assert.deepEqual(Object.keys(await json(`/text/${text.id}?textType=html`)).sort(), [
      'hasMore',
      'html'
    ])
    // Three bytes would split the ü.
    const cut = await json(`/text/${text.id}?textType=plain&maxBytes=3`)
    assert.deepEqual(cut, { plain: 'Gr', hasMore: true })
    assert.deepEqual(await json(`/text/${text.id}?textType=plain&maxBytes=0`), {
      plain: '',
      hasMore: true
    })
  })

  it('makes HTML safe for pages, with the images of the message', async () => {
    const { json, append } = await reader()
    await append(RICH)
    await append(lines('Subject: plain', 'Content-Type: text/plain', '', 'a < b & c'))
    const [plain, rich] = (await json('/messages?path=INBOX')).messages
    const { text } = await json(`/message/${rich.id}?webSafeHtml=true`)
    assert.equal(text.webSafe, true)
    assert.ok(text.html.includes(`data:image/png;base64,${PNG}`))
    assert.doesNotMatch(text.html, /script|onclick|cid:/)
    assert.equal(text.plain.trim(), 'Grüße aus Köln')
    const embedded = await json(`/message/${rich.id}?textType=html&embedAttachedImages=true`)
    assert.ok(embedded.text.html.includes(`onclick="x()"`), 'only the images are replaced')
    assert.ok(embedded.text.html.includes(`data:image/png;base64,${PNG}`))
    const processed = await json(`/message/${rich.id}?textType=html&preProcessHtml=true`)
    assert.match(processed.text.html, /cid:logo/)
    assert.doesNotMatch(processed.text.html, /script|onclick/)
    assert.equal(processed.text.plain, undefined)
    const made = await json(`/message/${plain.id}?webSafeHtml=true`)
    assert.match(made.text.html, /a &lt; b &amp; c/)
    const byText = await json(`/text/${rich.text.id}?webSafeHtml=true`)
    assert.deepEqual(byText, { plain: text.plain, html: text.html, hasMore: false, webSafe: true })
    const useless = await json(`/message/${rich.id}?remoteImages=block`, {}, 400)
    assert.equal(useless.fields[0].key, 'remoteImages')
  })

  it('marks a message as seen only if told to', async () => {
    const { json, append } = await reader()
    await append(lines('Subject: one', '', 'x'))
    const [{ id }] = (await json('/messages?path=INBOX')).messages
    await json(`/message/${id}?textType=*`)
    assert.equal((await json(`/message/${id}`)).unseen, true)
    const marked = await json(`/message/${id}?markAsSeen=true`)
    assert.deepEqual([marked.unseen, marked.flags], [undefined, ['\\Seen']])
    assert.equal((await json(`/message/${id}`)).unseen, undefined)
  })

  it('sends the source as it is, also of a large message', async () => {
    const { json, append, bytes } = await reader()
    const line = `${'0123456789'.repeat(7)}\r\n`
    const source = lines('Subject: large', '') + line.repeat(14_000)
    await append(source)
    const [{ id, size }] = (await json('/messages?path=INBOX')).messages
    const { headers, bytes: received } = await bytes(`/message/${id}/source`)
    assert.equal(size, source.length)
    assert.ok(received.equals(Buffer.from(source)))
    assert.equal(headers.get('content-type'), 'message/rfc822')
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="message.eml"/)
  })

  it('pages from the newest to the oldest, by page or cursor', async () => {
    const { json, withClient, append } = await reader()
    await withClient(async (client) => {
      for (let number = 1; number <= 7; number++) {
        await client.append('INBOX', lines(`Subject: ${number}`, '', 'x'))
      }
    })
    const subjects = ({ messages }: Body) => messages.map((one: Body) => one.subject).join()
    const first = await json('/messages?path=INBOX&pageSize=3')
    assert.equal(subjects(first), '7,6,5')
    assert.deepEqual([first.total, first.page, first.pages], [7, 0, 3])
    assert.equal(first.prevPageCursor, null)
    assert.match(first.nextPageCursor, /^imap_/)
    const second = await json(`/messages?path=INBOX&pageSize=3&cursor=${first.nextPageCursor}`)
    assert.equal(subjects(second), '4,3,2')
    assert.equal(second.page, 1)
    const third = await json('/messages?path=INBOX&pageSize=3&page=2')
    assert.equal(subjects(third), '1')
    assert.equal(third.nextPageCursor, null)
    const back = await json(`/messages?path=INBOX&pageSize=3&cursor=${third.prevPageCursor}`)
    assert.equal(subjects(back), '4,3,2')
    const beyond = await json('/messages?path=INBOX&pageSize=3&page=9')
    assert.deepEqual([beyond.messages, beyond.total], [[], 7])
    const empty = await json('/messages?path=%5CDrafts')
    assert.deepEqual([empty.messages, empty.total, empty.pages], [[], 0, 0])
    await append(lines('Subject: 8', '', 'x'))
    assert.equal(subjects(await json('/messages?path=inbox&pageSize=1')), '8', 'new mail is seen')
  })

  it('knows ids of messages that are gone, moved or were made anew', async () => {
    const { json, withClient, append } = await reader()
    await json('/mailbox', { method: 'POST', body: { path: 'Old' } })
    await append(lines('Subject: one', '', 'x'), { path: 'Old' })
    await append(lines('Subject: two', '', 'x'), { path: 'Old' })
    const [two, one] = (await json('/messages?path=Old')).messages
    await withClient(async (client) => {
      await client.mailboxOpen('Old')
      await client.messageMove(String(one.uid), 'INBOX', { uid: true })
    })
    const moved = await json(`/message/${one.id}`, {}, 404)
    assert.equal(moved.code, 'MessageNotFound')
    assert.equal((await json(`/message/${two.id}`)).subject, 'two')
    await json('/mailbox', { method: 'PUT', body: { path: 'Old', newPath: 'New' } })
    for (const path of ['', '/source']) {
      const renamed = await json(`/message/${two.id}${path}`, {}, 404)
      assert.equal(renamed.code, 'MessageNotFound')
    }
    await json('/mailbox', { method: 'POST', body: { path: 'Old' } })
    await append(lines('Subject: other', '', 'x'), { path: 'Old' })
    await append(lines('Subject: another', '', 'x'), { path: 'Old' })
    await json(`/message/${two.id}`, {}, 404)
    const [again] = (await json('/messages?path=New')).messages
    assert.equal((await json(`/message/${again.id}`)).subject, 'two')
  })
}
