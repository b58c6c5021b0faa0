import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openImap } from '../support/imap-client.ts'
import { imapSandboxes, message, signIn, userOf } from './mailbox-imap-site.ts'

imapSandboxes('IMAP', {}, (sandbox) => {
  test('a password opens the mail of its account alone', async () => {
    const ada = await sandbox().addAccount()
    const grace = await sandbox().addAccount()
    using stranger = userOf(await openImap({ port: sandbox().imapPort }))
    assert.match(stranger.client.greeting.raw, /^\* OK \[CAPABILITY IMAP4rev1 .*AUTH=PLAIN/)
    for (const login of [
      `LOGIN ${ada.user} ${grace.password}`,
      `LOGIN nobody@example.test ${ada.password}`,
      `LOGIN ${ada.user} ""`,
      `AUTHENTICATE PLAIN ${Buffer.from(`${grace.user}\0${ada.user}\0${ada.password}`).toString('base64')}`
    ]) {
      assert.deepEqual(await stranger.say(login), [
        'NO [AUTHENTICATIONFAILED] Authentication failed.'
      ])
    }
    assert.match((await stranger.say('SELECT INBOX')).join(), /^BAD /)
    const plain = Buffer.from(`\0${ada.account}\0${ada.password}`).toString('base64')
    await stranger.ok(`AUTHENTICATE PLAIN ${plain}`)
    await stranger.ok('CREATE secret')
    await stranger.ok('APPEND secret ', message('secret'))
    using other = await signIn(sandbox(), grace)
    assert.match((await other.say('SELECT secret')).join(), /^NO \[NONEXISTENT\]/)
    assert.doesNotMatch((await other.ok('LIST "" *')).join(), /secret/)
    assert.match((await other.say('STATUS secret (MESSAGES)')).join(), /^NO /)
  })

  test('mailboxes are created, listed, renamed, subscribed to and deleted', async () => {
    using user = await signIn(sandbox(), await sandbox().addAccount())
    assert.deepEqual(await user.ok('LIST "" ""'), ['LIST (\\Noselect) "/" ""'])
    assert.deepEqual(await user.ok('LIST "" %'), [
      'LIST (\\HasNoChildren \\Archive) "/" Archive',
      'LIST (\\HasNoChildren \\Drafts) "/" Drafts',
      'LIST (\\HasNoChildren) "/" INBOX',
      'LIST (\\HasNoChildren \\Junk) "/" Junk',
      'LIST (\\HasNoChildren \\Sent) "/" Sent',
      'LIST (\\HasNoChildren \\Trash) "/" Trash'
    ])
    await user.ok('CREATE "a/b &- &APw-/"')
    assert.match((await user.say('CREATE a')).join(), /^NO \[ALREADYEXISTS\]/)
    assert.deepEqual(await user.ok('LIST "a" (/% *b*) RETURN (SUBSCRIBED)'), [
      'LIST () "/" "a/b &- &APw-"'
    ])
    await user.ok('SUBSCRIBE "a/b &- &APw-"')
    assert.match((await user.say('SUBSCRIBE missing')).join(), /^NO /)
    assert.deepEqual(await user.ok('LIST (SUBSCRIBED) "" a*'), [
      'LIST (\\HasNoChildren \\Subscribed) "/" "a/b &- &APw-"'
    ])
    assert.deepEqual(await user.ok('LSUB "" a%'), ['LSUB (\\Noselect) "/" a'])
    assert.match((await user.say('DELETE a')).join(), /^NO \[HASCHILDREN\]/)
    await user.ok('RENAME a c')
    assert.deepEqual(await user.ok('LIST "" "c*"'), [
      'LIST (\\HasChildren) "/" c',
      'LIST (\\HasNoChildren) "/" "c/b &- &APw-"'
    ])
    assert.match((await user.say('RENAME a d')).join(), /^NO \[NONEXISTENT\]/)
    assert.match((await user.say('RENAME c INBOX')).join(), /^NO \[ALREADYEXISTS\]/)
    await user.ok('DELETE "c/b &- &APw-"')
    await user.ok('DELETE c')
    assert.match((await user.say('DELETE inbox')).join(), /^NO \[CANNOT\]/)
    for (const name of ['""', '"a//b"', '"a*"', '"&AGE-"', '"&"']) {
      assert.match((await user.say(`CREATE ${name}`)).join(), /^NO \[CANNOT\]/, name)
    }
    assert.deepEqual(
      await user.ok('LIST (SPECIAL-USE) "" * RETURN (SPECIAL-USE STATUS (MESSAGES))'),
      [
        ...['Archive', 'Drafts', 'Junk', 'Sent', 'Trash'].flatMap((name) => [
          `LIST (\\${name}) "/" ${name}`,
          `STATUS ${name} (MESSAGES 0)`
        ])
      ]
    )
  })

  test('messages are appended, fetched, flagged, copied, moved and removed', async () => {
    using user = await signIn(sandbox(), await sandbox().addAccount())
    const [appended = ''] = (
      await user.say('APPEND INBOX (\\Seen work) "15-Jan-2024 10:00:00 +0100" ', message('one'))
    ).slice(-1)
    assert.match(appended, /^OK \[APPENDUID \d+ 1\] /)
    await user.ok('APPEND INBOX ', message('two'))
    assert.match((await user.say('APPEND missing ', message('x'))).join(), /^NO \[TRYCREATE\]/)
    const selected = (await user.ok('SELECT INBOX')).join('\n')
    assert.match(selected, /^2 EXISTS$/m)
    assert.match(selected, /^OK \[UNSEEN 2\]/m)
    assert.match(selected, /^OK \[UIDNEXT 3\]/m)
    assert.match(selected, /^FLAGS \(\\Answered \\Flagged \\Deleted \\Seen \\Draft work\)$/m)
    assert.deepEqual(await user.ok('FETCH 1 (FLAGS UID INTERNALDATE RFC822.SIZE)'), [
      `1 FETCH (FLAGS (\\Seen work) UID 1 INTERNALDATE "15-Jan-2024 09:00:00 +0000" RFC822.SIZE ${message('one').length})`
    ])
    assert.deepEqual(await user.ok('UID FETCH 2 BODY[TEXT]'), [
      '2 FETCH (UID 2 BODY[TEXT] {7}\r\nHello\r\n FLAGS (\\Seen))'
    ])
    assert.deepEqual(await user.ok('FETCH 2 (BODY[HEADER.FIELDS (subject)] BODY.PEEK[]<6.3>)'), [
      '2 FETCH (BODY[HEADER.FIELDS (subject)] {16}\r\nSubject: two\r\n\r\n BODY[]<6> {3}\r\nAda)'
    ])
    assert.deepEqual(await user.ok('STORE 1:2 +FLAGS (\\Deleted)'), [
      '1 FETCH (FLAGS (\\Deleted \\Seen work))',
      '2 FETCH (FLAGS (\\Deleted \\Seen))'
    ])
    assert.deepEqual(await user.ok('STORE 2 -FLAGS.SILENT (\\Deleted)'), [])
    assert.match((await user.say('UID COPY 1:* Archive')).join(), /^OK \[COPYUID \d+ 1:2 1:2\]/)
    assert.match((await user.say('COPY 1 missing')).join(), /^NO \[TRYCREATE\]/)
    assert.match((await user.say('COPY 3 Archive')).join(), /^BAD /)
    assert.deepEqual(await user.ok('EXPUNGE'), ['1 EXPUNGE'])
    const moved = await user.ok('MOVE 1 Trash')
    assert.match(moved.join('\n'), /^OK \[COPYUID \d+ 2 1\] .*\n1 EXPUNGE$/)
    assert.deepEqual(await user.ok('STATUS Trash (MESSAGES UNSEEN UIDNEXT DELETED)'), [
      'STATUS Trash (MESSAGES 1 UNSEEN 0 UIDNEXT 2 DELETED 0)'
    ])
    await user.ok('EXAMINE Archive')
    assert.match((await user.say('STORE 1 +FLAGS (\\Flagged)')).join(), /^NO Mailbox is read-only/)
    assert.match((await user.say('EXPUNGE')).join(), /^NO Mailbox is read-only/)
    await user.ok('CLOSE')
    await user.ok('SELECT Archive')
    await user.ok('CLOSE')
    assert.deepEqual(await user.ok('STATUS Archive (MESSAGES)'), ['STATUS Archive (MESSAGES 1)'])
  })

  test('SEARCH', async () => {
    using user = await signIn(sandbox(), await sandbox().addAccount())
    await user.ok('APPEND INBOX (\\Seen) "01-Feb-2024 10:00:00 +0000" ', message('apple', 'Grüße'))
    await user.ok('APPEND INBOX ($Later) "02-Feb-2024 10:00:00 +0000" ', message('pear'))
    await user.ok('SELECT INBOX')
    for (const [keys, expected] of [
      ['ALL', '1 2'],
      ['SEEN', '1'],
      ['UNSEEN', '2'],
      ['NOT SEEN', '2'],
      ['KEYWORD $later', '2'],
      ['UNKEYWORD $later', '1'],
      ['OR SUBJECT APPLE SUBJECT pear', '1 2'],
      ['SUBJECT apple FROM ada', '1'],
      ['TO grace', '1 2'],
      ['CC grace', ''],
      ['HEADER message-id apple@', '1'],
      ['BODY hello', '2'],
      ['TEXT "subject: pear"', '2'],
      ['BEFORE 2-Feb-2024', '1'],
      ['ON 02-Feb-2024', '2'],
      ['SINCE 1-Feb-2024', '1 2'],
      ['SENTON 15-Jan-2024', '1 2'],
      ['SENTSINCE 16-Jan-2024', ''],
      ['LARGER 10 SMALLER 10000', '1 2'],
      ['2', '2'],
      ['UID 1:1', '1'],
      ['(SEEN (1))', '1'],
      ['NEW', '']
    ] as const) {
      assert.deepEqual(await user.ok(`SEARCH ${keys}`), [`SEARCH ${expected}`.trimEnd()], keys)
    }
    assert.deepEqual(await user.ok('UID SEARCH CHARSET UTF-8 BODY ', Buffer.from('GRÜSSE')), [
      'SEARCH'
    ])
    assert.deepEqual(await user.ok('UID SEARCH CHARSET UTF-8 BODY ', Buffer.from('GRÜ')), [
      'SEARCH 1'
    ])
    assert.match((await user.say('SEARCH CHARSET x ALL')).join(), /^NO \[BADCHARSET /)
    const [extended = ''] = await user.ok('UID SEARCH RETURN (MIN MAX COUNT ALL) ALL')
    assert.match(extended, /^ESEARCH \(TAG "\w+"\) UID MIN 1 MAX 2 ALL 1:2 COUNT 2$/)
    for (const keys of ['', 'SINCE 99-Feb-2024', 'FOO', 'NOT', '(ALL', 'ON "x"', 'KEYWORD']) {
      assert.match((await user.say(`SEARCH ${keys}`)).join(), /^BAD /, keys)
    }
    const deep = `${'NOT '.repeat(60)}ALL`
    assert.match((await user.say(`SEARCH ${deep}`)).join(), /^NO \[LIMIT\]/)
  })
})
