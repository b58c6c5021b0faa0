import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sandbox } from '../support/mailbox-sandbox.ts'
import { type ImapUser, imapSandboxes, message, signIn } from './mailbox-imap-site.ts'

/** Two clients of one new account, both in INBOX with this many messages. */
async function twoClients(sandbox: Sandbox, messages: number): Promise<[ImapUser, ImapUser]> {
  const login = await sandbox.addAccount()
  const one = await signIn(sandbox, login)
  for (let number = 1; number <= messages; number++) {
    await one.ok('APPEND INBOX ', message(`m${number}`))
  }
  const two = await signIn(sandbox, login)
  await one.ok('SELECT INBOX')
  await two.ok('SELECT INBOX')
  return [one, two]
}

async function modseqOf(user: ImapUser): Promise<number> {
  const [line = ''] = await user.ok('STATUS INBOX (HIGHESTMODSEQ)')
  return Number(/HIGHESTMODSEQ (\d+)/.exec(line)?.[1])
}

imapSandboxes('IMAP with two clients', {}, (sandbox) => {
  test('sequence numbers change only where RFC 3501 allows it', async () => {
    const [one, two] = await twoClients(sandbox(), 3)
    using _one = one
    using _two = two
    await one.ok('STORE 1 +FLAGS (\\Deleted)')
    await one.ok('EXPUNGE')
    await one.ok('APPEND INBOX ', message('m4'))
    assert.deepEqual(await two.ok('FETCH 3 (UID)'), ['3 FETCH (UID 3)', '4 EXISTS'])
    assert.deepEqual(await two.ok('SEARCH UID 2'), ['SEARCH 2'])
    assert.match((await two.say('FETCH 1 (UID)')).join(), /^NO \[EXPUNGEISSUED\]/)
    assert.match((await two.say('COPY 1:2 Archive')).join(), /^1 EXPUNGE,NO \[EXPUNGEISSUED\]/)
    assert.deepEqual(await two.ok('STATUS Archive (MESSAGES)'), ['STATUS Archive (MESSAGES 0)'])
    assert.deepEqual(await two.ok('FETCH 3 (UID)'), ['3 FETCH (UID 4)'])
    await one.ok('STORE 1 +FLAGS (\\Deleted)')
    await one.ok('EXPUNGE')
    assert.deepEqual(await two.ok('UID FETCH 4 (FLAGS)'), ['3 FETCH (UID 4 FLAGS ())', '1 EXPUNGE'])
  })

  test('IDLE tells changes at once', async () => {
    const [one, two] = await twoClients(sandbox(), 1)
    using _one = one
    using _two = two
    const done = await two.client.idle()
    await one.ok('APPEND INBOX ', message('new'))
    assert.deepEqual(await two.told(), ['2 EXISTS'])
    await one.ok('STORE 1 +FLAGS (\\Flagged \\Deleted)')
    assert.deepEqual(await two.told(), ['1 FETCH (FLAGS (\\Deleted \\Flagged))'])
    await one.ok('EXPUNGE')
    assert.deepEqual(await two.told(), ['1 EXPUNGE'])
    assert.equal((await done()).at(-1)?.status, 'OK')
    await one.ok('STORE 1 +FLAGS (\\Seen)')
    assert.deepEqual(two.client.waiting(), [])
    assert.deepEqual(await two.ok('NOOP'), ['1 FETCH (FLAGS (\\Seen))'])
  })

  test('CONDSTORE', async () => {
    const [one, two] = await twoClients(sandbox(), 2)
    using _one = one
    using _two = two
    const before = await modseqOf(one)
    await two.ok('STORE 1 +FLAGS (\\Seen)')
    const changed = await one.ok(`FETCH 1:2 (FLAGS) (CHANGEDSINCE ${before})`)
    assert.match(changed.join(), /^1 FETCH \(FLAGS \(\\Seen\) MODSEQ \(\d+\)\)/)
    const stored = await one.say(`STORE 1:2 (UNCHANGEDSINCE ${before}) +FLAGS.SILENT (\\Flagged)`)
    assert.match(stored.at(-1) ?? '', /^OK \[MODIFIED 1\] /)
    assert.match(stored.join('\n'), /^2 FETCH \(MODSEQ \(\d+\)\)$/m)
    const last = await modseqOf(one)
    assert.ok(last > before)
    assert.deepEqual(await one.ok(`SEARCH MODSEQ ${last}`), [`SEARCH 2 (MODSEQ ${last})`])
    assert.deepEqual(await one.ok('ENABLE CONDSTORE X-UNKNOWN'), ['ENABLED CONDSTORE'])
  })

  test('QRESYNC tells a client that returns what has changed', async () => {
    const login = await sandbox().addAccount()
    using one = await signIn(sandbox(), login)
    for (const name of ['a', 'b', 'c', 'd']) await one.ok('APPEND INBOX ', message(name))
    assert.match((await one.say('SELECT INBOX (QRESYNC (1 1))')).join(), /^BAD /)
    assert.deepEqual(await one.ok('ENABLE QRESYNC'), ['ENABLED QRESYNC'])
    const selected = (await one.ok('SELECT INBOX')).join('\n')
    const validity = /UIDVALIDITY (\d+)/.exec(selected)?.[1]
    const modseq = /HIGHESTMODSEQ (\d+)/.exec(selected)?.[1]
    await one.ok('UNSELECT')
    using two = await signIn(sandbox(), login)
    await two.ok('SELECT INBOX')
    await two.ok('STORE 1:2 +FLAGS.SILENT (\\Deleted)')
    await two.ok('EXPUNGE')
    await two.ok('STORE 2 +FLAGS.SILENT (\\Flagged)')
    await two.ok('APPEND INBOX ', message('e'))
    const changes = await one.ok(`SELECT INBOX (QRESYNC (${validity} ${modseq}))`)
    assert.match(
      changes.join('\n'),
      /\nVANISHED \(EARLIER\) 1:2\n2 FETCH \(UID 4 MODSEQ \(\d+\) FLAGS \(\\Flagged\)\)\n3 FETCH \(UID 5 MODSEQ \(\d+\) FLAGS \(\)\)$/
    )
    const known = await one.ok(`SELECT INBOX (QRESYNC (${validity} ${modseq} 2:3 (1 2)))`)
    assert.match(known.join('\n'), /\nVANISHED \(EARLIER\) 2$/)
    const other = await one.ok(`SELECT INBOX (QRESYNC (1 ${modseq}))`)
    assert.doesNotMatch(other.join('\n'), /VANISHED|FETCH/)
    assert.match(
      (await one.ok(`UID FETCH 1:* (FLAGS) (CHANGEDSINCE ${modseq} VANISHED)`)).join('\n'),
      /^VANISHED \(EARLIER\) 1:2\n2 FETCH \(UID 4 .*\n3 FETCH \(UID 5 /
    )
    await two.ok('STORE 1 +FLAGS.SILENT (\\Deleted)')
    await two.ok('EXPUNGE')
    assert.match((await one.ok('NOOP')).join('\n'), /^VANISHED 3$/)
    await one.ok('STORE 1 +FLAGS.SILENT (\\Deleted)')
    const expunged = await one.say('EXPUNGE')
    assert.match(expunged.join('\n'), /^VANISHED 4\nOK \[HIGHESTMODSEQ \d+\] /)
  })

  test('NOTIFY tells changes of all mailboxes without a command', async () => {
    const [one, two] = await twoClients(sandbox(), 1)
    using _one = one
    using _two = two
    const status = await two.ok(
      'NOTIFY SET STATUS (SELECTED (MessageNew (UID FLAGS) MessageExpunge FlagChange)) ' +
        '(PERSONAL (MessageNew MessageExpunge FlagChange MailboxName SubscriptionChange))'
    )
    assert.match(status.join('\n'), /^STATUS Archive \(MESSAGES 0 UIDNEXT 1 /m)
    assert.doesNotMatch(status.join('\n'), /STATUS INBOX/)
    await one.ok('APPEND INBOX ', message('new'))
    assert.deepEqual(await two.told(2), ['2 EXISTS', '2 FETCH (UID 2 FLAGS ())'])
    await one.ok('STORE 2 +FLAGS (\\Seen)')
    assert.match((await two.told()).join(), /^2 FETCH \(UID 2 .*FLAGS \(\\Seen\)\)/)
    await one.ok('APPEND Archive ', message('other'))
    assert.match((await two.told()).join(), /^STATUS Archive \(MESSAGES 1 UIDNEXT 2 .*UNSEEN 1 /)
    await one.ok('CREATE New')
    assert.deepEqual(await two.told(), ['LIST (\\HasNoChildren) "/" New'])
    await one.ok('RENAME New Newer')
    assert.deepEqual(await two.told(), ['LIST (\\HasNoChildren) "/" Newer ("OLDNAME" (New))'])
    await one.ok('SUBSCRIBE Newer')
    assert.deepEqual(await two.told(), ['LIST (\\HasNoChildren \\Subscribed) "/" Newer'])
    await one.ok('DELETE Newer')
    assert.deepEqual(await two.told(), ['LIST (\\NonExistent) "/" Newer'])
    await one.ok('STORE 1 +FLAGS.SILENT (\\Deleted)')
    await two.told()
    await one.ok('EXPUNGE')
    assert.deepEqual(await two.told(), ['1 EXPUNGE'])
    await two.ok('NOTIFY NONE')
    await one.ok('APPEND Archive ', message('third'))
    assert.deepEqual(await two.ok('NOOP'), [])
    assert.match(
      (await two.say('NOTIFY SET (PERSONAL (MessageNew MessageExpunge AnnotationChange))')).join(),
      /^NO \[BADEVENT \(/
    )
    assert.match((await two.say('NOTIFY SET (PERSONAL (MessageNew))')).join(), /^BAD /)
  })

  test('SELECTED-DELAYED keeps sequence numbers until the next command', async () => {
    const [one, two] = await twoClients(sandbox(), 2)
    using _one = one
    using _two = two
    await two.ok('NOTIFY SET (SELECTED-DELAYED (MessageNew MessageExpunge FlagChange))')
    await one.ok('STORE 1 +FLAGS.SILENT (\\Deleted)')
    await one.ok('EXPUNGE')
    await one.ok('APPEND INBOX ', message('new'))
    const told = [...(await two.told())]
    while (told.at(-1) !== '3 EXISTS') told.push(...(await two.told()))
    assert.deepEqual(await two.ok('NOOP'), ['1 EXPUNGE'])
  })

  test('a deleted mailbox or account ends the session', async () => {
    const login = await sandbox().addAccount()
    using one = await signIn(sandbox(), login)
    using two = await signIn(sandbox(), login)
    await one.ok('CREATE gone')
    await two.ok('SELECT gone')
    await one.ok('DELETE gone')
    await assert.rejects(two.say('NOOP'), /closed/)
    assert.match(two.client.waiting().join(), /^$/)
    const response = await fetch(`${sandbox().url}/v1/sandbox/accounts/${login.account}`, {
      method: 'DELETE'
    })
    assert.equal(response.status, 200)
    await assert.rejects(one.say('LIST "" *'), /closed/)
  })
})
