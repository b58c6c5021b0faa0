import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectSmtp, openSmtp, sendMail } from '../support/smtp-client.ts'
import { mail, type Sandbox, sandboxes } from './mailbox-site.ts'

const MAX_BYTES = 20_000
const LIMITS = { mailbox: { sandboxMessageBytes: MAX_BYTES, sandboxRecipients: 3 } }

interface Listed {
  total: number
  messages: { id: string; account: string; emailId: string; subject: string; size: number }[]
}

const list = ({ json }: Sandbox, query: string) =>
  json<Listed>({ path: `/v1/sandbox/messages?${query}` })

async function sourceOf({ ask }: Sandbox, id: string | undefined): Promise<string> {
  const { status, text } = await ask({ path: `/v1/sandbox/messages/${id}/source` })
  assert.equal(status, 200, text)
  return text
}

const plain = (user: string, password: string) =>
  `AUTH PLAIN ${Buffer.from(`\0${user}\0${password}`).toString('base64')}`

sandboxes('I-6, SMTP of the sandbox', LIMITS, (sandbox) => {
  test('a message arrives at its account byte for byte, in whichever case its address is', async () => {
    const { deliver, account } = sandbox()
    const { address, account: id } = await account({ address: 'Alice@Example.test' })
    assert.equal(address, 'alice@example.test')
    const source = `${mail('Bytes', 'X-Test: \tfolded\r\n  value\r\n')}.\r\n..dots\r\n\r\n`
    await deliver({ to: ['ALICE@example.TEST'], source })
    await deliver({ to: ['alice+tag@example.test'], source: mail('Tag') })
    const { messages } = await list(sandbox(), `account=${id}`)
    assert.deepEqual(
      messages.map(({ subject }) => subject),
      ['Tag', 'Bytes']
    )
    assert.equal(await sourceOf(sandbox(), messages[1]?.id), source)
    assert.equal(messages[1]?.size, source.length)
  })

  test('a message to several accounts is stored once, and mail to others is caught', async () => {
    const { deliver, account } = sandbox()
    const one = await account()
    const two = await account()
    const to = [one.address, two.address, 'someone@elsewhere.example']
    await deliver({ to, source: mail('Several') })
    const { messages } = await list(sandbox(), 'subject=Several')
    const accounts = messages.map((message) => message.account)
    assert.deepEqual(accounts.sort(), [one.account, two.account, 'caught'].sort())
    assert.equal(new Set(messages.map(({ emailId }) => emailId)).size, 1)
    await deliver({ to: ['x@elsewhere.example', 'y@elsewhere.example'], source: mail('Once') })
    assert.equal((await list(sandbox(), 'subject=Once')).total, 1)
    await deliver({ from: '', to: ['postmaster'], source: mail('Bounce') })
    assert.equal((await list(sandbox(), 'account=caught&subject=Bounce')).total, 1)
  })

  test('the extensions are offered, and no commands that let a client name another one', async () => {
    using client = await openSmtp(sandbox().smtpPort)
    const offered = (await client.command('EHLO client.test')).split('\n').slice(1)
    assert.deepEqual(
      offered.map((line) => line.slice(4)),
      ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'AUTH PLAIN LOGIN', 'STARTTLS', `SIZE ${MAX_BYTES}`]
    )
    for (const command of ['XCLIENT ADDR=1.2.3.4', 'XFORWARD ADDR=1.2.3.4', 'WIZ x', 'SHELL']) {
      assert.match(await client.command(command), /^500 /, command)
    }
    assert.match(await client.command('QUIT'), /^221 /)
    await client.closed
  })

  test('a password is accepted by both mechanisms, a wrong one and an unknown user alike are not', async () => {
    const { account, smtpPort } = sandbox()
    const { smtp, account: id } = await account()
    const { user, pass } = smtp.auth
    for (const name of [user, id, user.toUpperCase()]) {
      using client = await openSmtp(smtpPort)
      await client.command('EHLO client.test')
      assert.match(await client.command(plain(name, pass)), /^235 /, name)
    }
    using client = await openSmtp(smtpPort)
    await client.command('EHLO client.test')
    const wrong = await client.command(plain(user, `${pass}x`))
    assert.match(wrong, /^535 /)
    assert.equal(await client.command(plain('nobody@sandbox.test', pass)), wrong)
    assert.equal(await client.command(plain(user, '')), wrong)
    assert.match(await client.command('AUTH LOGIN'), /^334 /)
    assert.match(await client.command(Buffer.from(user).toString('base64')), /^334 /)
    assert.match(await client.command(Buffer.from(pass).toString('base64')), /^235 /)
  })

  test('what is sent in plain text after STARTTLS is dropped, and so is the identity before it', async () => {
    const { account, smtpPort } = sandbox()
    const { smtp } = await account()
    using client = await openSmtp(smtpPort)
    await client.command('EHLO client.test')
    assert.match(await client.command(plain(smtp.auth.user, smtp.auth.pass)), /^235 /)
    client.write(
      'STARTTLS\r\nMAIL FROM:<injected@example.test>\r\nRCPT TO:<injected@example.test>\r\n'
    )
    assert.match(await client.reply(), /^220 /)
    await client.secure()
    assert.match(await client.command('MAIL FROM:<a@example.test>'), /^503 .*EHLO/)
    const offered = await client.command('EHLO client.test')
    assert.match(offered, /AUTH PLAIN LOGIN/)
    assert.doesNotMatch(offered, /STARTTLS/)
    assert.match(await client.command('RCPT TO:<a@example.test>'), /^503 .*MAIL/)
    assert.match(await client.command('MAIL FROM:<a@example.test>'), /^250 /)
    assert.match(await client.command('RCPT TO:<tls@example.test>'), /^250 /)
    await client.command('DATA')
    assert.match(await client.command(`${mail('Over TLS')}.`), /^250 /)
    assert.equal((await list(sandbox(), 'to=tls@example.test')).total, 1)
  })

  test('a message that is too large is rejected, when it is announced or at its end, and not stored', async () => {
    const { smtpPort } = sandbox()
    using client = await openSmtp(smtpPort)
    await client.command('EHLO client.test')
    assert.match(await client.command(`MAIL FROM:<a@example.test> SIZE=${MAX_BYTES + 1}`), /^552 /)
    const body = `${'x'.repeat(98)}\r\n`.repeat(MAX_BYTES / 100)
    for (const [size, code] of [
      [body.length, /^250 /],
      [body.length + 1, /^552 /]
    ] as const) {
      await client.command('MAIL FROM:<a@example.test>')
      await client.command('RCPT TO:<large@example.test>')
      await client.command('DATA')
      const source = `\r\n${body}x`.slice(0, size - 2)
      assert.match(await client.command(`${source}\r\n.`), code, String(size))
    }
    assert.match(await client.command('NOOP'), /^250 /)
    const { messages } = await list(sandbox(), 'to=large@example.test')
    assert.deepEqual(
      messages.map(({ size }) => size),
      [MAX_BYTES]
    )
  })

  test('more recipients than allowed get 452, and the message goes to the others', async () => {
    using client = await openSmtp(sandbox().smtpPort)
    await client.command('EHLO client.test')
    await client.command('MAIL FROM:<a@example.test>')
    const replies: string[] = []
    for (let n = 0; n < 4; n++) {
      replies.push((await client.command(`RCPT TO:<many${n}@example.test>`)).slice(0, 3))
    }
    assert.deepEqual(replies, ['250', '250', '250', '452'])
    await client.command('DATA')
    assert.match(await client.command(`${mail('Many')}.`), /^250 /)
    assert.equal((await list(sandbox(), 'to=many2@example.test')).total, 1)
    assert.equal((await list(sandbox(), 'to=many3@example.test')).total, 0)
  })

  test('addresses cannot contain commands, line ends or control characters', async () => {
    using client = await openSmtp(sandbox().smtpPort)
    await client.command('EHLO client.test')
    const malformed = [
      '<a@b.test\0>',
      '<a\tb@c.test>',
      '<a@b.test>\rRCPT TO:<c@d.test>',
      '<a"b@c.test>',
      '<a,b@c.test>',
      '<a(b)@c.test>',
      '<a;DATA@c.test>',
      '<a@b.test',
      'a@b.test',
      '<a@@b.test>',
      '<a@b c.test>',
      '<a@b.test> SIZE=1+0D+0ADATA',
      '<a@b.test> ENVID=x+0D+0Ay',
      `<${'a'.repeat(300)}@b.test>`
    ]
    for (const address of malformed) {
      const reply = await client.command(`MAIL FROM:${address}`)
      assert.match(reply, /^(501|553|555) /, address)
      assert.equal(reply.split('\n').length, 1)
    }
    await client.command('MAIL FROM:<a@b.test>')
    for (const address of malformed.slice(0, 11)) {
      assert.match(await client.command(`RCPT TO:${address}`), /^(501|553|555) /, address)
    }
    assert.match(await client.command('DATA'), /^503 /)
  })

  test('an address with other letters than ASCII needs SMTPUTF8', async () => {
    const { smtpPort } = sandbox()
    using client = await openSmtp(smtpPort)
    await client.command('EHLO client.test')
    assert.match(await client.command('MAIL FROM:<zoë@example.test>'), /^553 /)
    assert.match(
      await client.command('MAIL FROM:<zoë@example.test> BODY=8BITMIME SMTPUTF8'),
      /^250 /
    )
    assert.match(await client.command('RCPT TO:<アリス@münchen.test>'), /^250 /)
    await client.command('DATA')
    assert.match(await client.command(`Subject: ünïcode\r\n\r\nzoë\r\n.`), /^250 /)
    const query = `to=${encodeURIComponent('アリス@münchen.test')}`
    const { messages } = await list(sandbox(), query)
    assert.equal(messages[0]?.subject, 'ünïcode')
  })

  test('a message whose client disconnects before its end is not stored', async () => {
    const { smtpPort, deliver } = sandbox()
    for (const way of ['end', 'destroy'] as const) {
      const client = await openSmtp(smtpPort)
      await client.command('EHLO client.test')
      await client.command('MAIL FROM:<a@example.test>')
      await client.command('RCPT TO:<half@example.test>')
      await client.command('DATA')
      client.write(mail('Half'))
      client.socket[way]()
      await client.closed
    }
    await deliver({ to: ['whole@example.test'], source: mail('Whole') })
    assert.equal((await list(sandbox(), 'to=half@example.test')).total, 0)
  })

  test('pipelined commands and messages are handled in order', async () => {
    const { smtpPort } = sandbox()
    using client = await openSmtp(smtpPort)
    const envelope = 'MAIL FROM:<a@b.test>\r\nRCPT TO:<pipe@example.test>\r\nDATA\r\n'
    client.write(
      `EHLO client.test\r\n${envelope}${mail('1')}.\r\n${envelope}${mail('2')}.\r\nQUIT\r\n`
    )
    const codes: string[] = []
    for (let n = 0; n < 10; n++) codes.push((await client.reply()).slice(0, 3))
    assert.deepEqual(codes, '250 250 250 354 250 250 250 354 250 221'.split(' '))
    const { messages } = await list(sandbox(), 'to=pipe@example.test')
    assert.deepEqual(
      messages.map(({ subject }) => subject),
      ['2', '1']
    )
  })

  test('a line without an end and an HTTP request close the connection', async () => {
    const { smtpPort } = sandbox()
    using endless = await openSmtp(smtpPort)
    endless.write('A'.repeat(100_000))
    assert.match(await endless.reply(), /^421 /)
    await endless.closed
    using http = await openSmtp(smtpPort)
    assert.match(await http.command('POST / HTTP/1.1'), /^421 /)
    await http.closed
  })

  test('a client that does not wait for the greeting is served', async () => {
    using client = connectSmtp(sandbox().smtpPort)
    client.write('EHLO client.test\r\n')
    assert.match(await client.reply(), /^220 /)
    assert.match(await client.reply(), /^250-/)
    assert.match(
      await sendMail(sandbox().smtpPort, { to: ['a@b.test'], source: mail('x') }),
      /^250/
    )
  })
})
