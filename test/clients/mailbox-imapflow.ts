/** imapflow, unmodified, from the first login to the last deletion. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { ImapFlow, type ImapFlowOptions, type MailboxOpenOptions } from 'imapflow'
import { ENGINES } from '../support/engine-names.ts'
import { openSandbox, type Sandbox, type SandboxLogin } from '../support/mailbox-sandbox.ts'

const MESSAGE = [
  'From: Ada <ada@example.test>',
  'To: grace@example.test',
  'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
  'Date: Mon, 15 Jan 2024 10:00:00 +0000',
  'Message-ID: <first@example.test>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=C3=BC=C3=9Fe',
  '--b',
  'Content-Type: application/pdf; name=a.pdf',
  'Content-Disposition: attachment; filename=a.pdf',
  'Content-Transfer-Encoding: base64',
  '',
  'aGVsbG8=',
  '--b--',
  ''
].join('\r\n')

async function connect(
  { imapPort: port }: Sandbox,
  { user, password }: SandboxLogin,
  options: ImapFlowOptions = {}
) {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port,
    secure: false,
    auth: { user, pass: password },
    tls: { rejectUnauthorized: false },
    logger: false,
    ...options
  })
  await client.connect()
  return client
}

for (const engine of ENGINES) {
  describe(`imapflow, on ${engine}`, () => {
    let sandbox: Sandbox
    let login: SandboxLogin
    let client: ImapFlow
    before(async () => {
      sandbox = await openSandbox({}, engine)
      login = await sandbox.addAccount()
      client = await connect(sandbox, login)
    })
    after(async () => {
      await client.logout()
      await sandbox[Symbol.asyncDispose]()
    })

    test('logs in over TLS and finds the extensions', () => {
      assert.equal(client.secureConnection, true)
      for (const name of ['IDLE', 'UIDPLUS', 'MOVE', 'SPECIAL-USE', 'LIST-STATUS', 'CONDSTORE']) {
        assert.ok(client.capabilities.has(name), name)
      }
      for (const name of ['QRESYNC', 'NOTIFY', 'OBJECTID', 'ENABLE', 'NAMESPACE', 'ID']) {
        assert.ok(client.capabilities.has(name), name)
      }
      assert.ok(client.enabled.has('CONDSTORE'))
    })

    test('lists mailboxes with their uses and counts', async () => {
      const listed = await client.list({ statusQuery: { messages: true, unseen: true } })
      const uses = Object.fromEntries(listed.map(({ path, specialUse }) => [path, specialUse]))
      assert.deepEqual(uses, {
        INBOX: '\\Inbox',
        Archive: '\\Archive',
        Drafts: '\\Drafts',
        Junk: '\\Junk',
        Sent: '\\Sent',
        Trash: '\\Trash'
      })
      const [inbox] = listed
      assert.equal(inbox?.status?.messages, 0)
    })

    test('appends, reads, changes, copies, moves and deletes a message', async () => {
      const date = new Date('2024-01-15T10:00:00Z')
      const appended = await client.append('INBOX', MESSAGE, ['\\Seen', 'work'], date)
      assert.ok(appended)
      const uid = String(appended.uid)
      const lock = await client.getMailboxLock('INBOX')
      try {
        const found = await client.fetchOne(
          uid,
          { envelope: true, flags: true, bodyStructure: true, source: true, internalDate: true },
          { uid: true }
        )
        assert.ok(found)
        assert.equal(found.envelope?.subject, 'Grüße')
        assert.deepEqual(found.envelope?.from, [{ name: 'Ada', address: 'ada@example.test' }])
        assert.deepEqual(found.flags, new Set(['\\Seen', 'work']))
        assert.equal(found.source?.toString(), MESSAGE)
        assert.equal(new Date(found.internalDate ?? 0).getTime(), date.getTime())
        assert.deepEqual(
          found.bodyStructure?.childNodes?.map(({ part, type }) => [part, type]),
          [
            ['1', 'text/plain'],
            ['2', 'application/pdf']
          ]
        )
        assert.ok(found.modseq !== undefined && found.emailId !== undefined)
        const body = await client.download(uid, '1', { uid: true })
        assert.ok(body.content)
        assert.equal((await text(body.content)).trim(), 'Grüße')
        const attachment = await client.download(uid, '2', { uid: true })
        assert.ok(attachment.content)
        assert.equal(attachment.meta.filename, 'a.pdf')
        assert.equal(await text(attachment.content), 'hello')
        assert.ok(await client.messageFlagsAdd(uid, ['\\Flagged'], { uid: true }))
        assert.ok(await client.messageFlagsRemove(uid, ['\\Seen'], { uid: true }))
        assert.deepEqual(await client.search({ flagged: true, seen: false }, { uid: true }), [
          Number(uid)
        ])
        assert.deepEqual(await client.search({ subject: 'grüße' }, { uid: true }), [Number(uid)])
        const copied = await client.messageCopy(uid, 'Archive', { uid: true })
        assert.ok(copied)
        assert.equal(copied.uidMap?.get(Number(uid)), 1)
        const moved = await client.messageMove(uid, 'Trash', { uid: true })
        assert.ok(moved)
        assert.equal(moved.uidMap?.get(Number(uid)), 1)
        assert.deepEqual(await client.search({ all: true }), [])
      } finally {
        lock.release()
      }
      const trash = await client.getMailboxLock('Trash')
      assert.equal(await client.messageDelete('1:*'), true)
      trash.release()
      const status = await client.status('Trash', { messages: true, uidNext: true })
      assert.ok(status)
      assert.deepEqual([status.messages, status.uidNext], [0, 2])
    })

    test('creates, renames, subscribes and deletes mailboxes', async () => {
      const created = await client.mailboxCreate(['Projects', 'Grüße'])
      assert.equal(created.created, true)
      assert.equal(created.path, 'Projects/Grüße')
      assert.ok(await client.mailboxSubscribe('Projects/Grüße'))
      const renamed = await client.mailboxRename('Projects/Grüße', 'Projects/日本')
      assert.equal(renamed.newPath, 'Projects/日本')
      const paths = (await client.list()).map(({ path }) => path)
      assert.ok(paths.includes('Projects/日本') && !paths.includes('Projects/Grüße'))
      await client.mailboxDelete('Projects/日本')
      await client.mailboxDelete('Projects')
    })

    test('is told by IDLE of what another client changes', async () => {
      const other = await connect(sandbox, login)
      try {
        await client.mailboxOpen('INBOX')
        await other.mailboxOpen('INBOX')
        const idle = client.idle()
        const exists = once(client, 'exists')
        await other.append('INBOX', MESSAGE)
        assert.equal((await exists)[0].count, 1)
        const flags = once(client, 'flags')
        await other.messageFlagsAdd('1', ['\\Answered'])
        assert.deepEqual((await flags)[0].flags, new Set(['\\Answered']))
        const expunge = once(client, 'expunge')
        await other.messageDelete('1')
        assert.equal((await expunge)[0].path, 'INBOX')
        await client.noop()
        await idle
        await client.mailboxClose()
      } finally {
        await other.logout()
      }
    })

    test('learns by QRESYNC what happened while it was away', async () => {
      for (let sent = 0; sent < 4; sent++) await client.append('Archive', MESSAGE)
      const away = await connect(sandbox, login, { qresync: true })
      const before = await away.mailboxOpen('Archive')
      // The types do not declare what it takes for QRESYNC.
      const known = {
        uidValidity: before.uidValidity,
        changedSince: before.highestModseq ?? 1n
      } as MailboxOpenOptions
      await away.logout()
      await client.mailboxOpen('Archive')
      await client.messageFlagsAdd('2', ['\\Flagged'])
      await client.messageDelete('1')
      await client.mailboxClose()
      const back = await connect(sandbox, login, { qresync: true })
      const vanished: number[] = []
      const changed: number[] = []
      back.on('expunge', ({ uid }) => vanished.push(Number(uid)))
      back.on('flags', ({ uid }) => changed.push(Number(uid)))
      await back.mailboxOpen('Archive', known)
      await back.logout()
      assert.deepEqual(vanished, [1])
      assert.deepEqual(changed, [2])
    })
  })
}

test('each extension can be missing', async () => {
  const names = ['IDLE', 'UIDPLUS', 'MOVE', 'SPECIAL-USE', 'LIST-STATUS', 'CONDSTORE', 'QRESYNC']
  await using sandbox = await openSandbox({ sandboxWithout: [...names, 'NOTIFY', 'OBJECTID'] })
  const login = await sandbox.addAccount()
  const client = await connect(sandbox, login)
  for (const name of names) assert.ok(!client.capabilities.has(name), name)
  const listed = await client.list({ statusQuery: { messages: true } })
  assert.equal(listed.find(({ path }) => path === 'Sent')?.specialUseSource, 'name')
  await client.append('INBOX', MESSAGE)
  await client.append('INBOX', MESSAGE)
  await client.mailboxOpen('INBOX')
  assert.ok(await client.messageMove('1', 'Trash'))
  const found = await client.fetchOne('1', { envelope: true, uid: true })
  assert.ok(found)
  assert.equal(found.uid, 2)
  assert.equal(found.modseq, undefined)
  await client.logout()
})
