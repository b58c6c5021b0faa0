import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { EFFORT } from '../support/effort.ts'
import { openSandbox, type Sandbox, type SandboxLogin } from '../support/mailbox-sandbox.ts'
import { message, signIn } from './mailbox-imap-site.ts'

/** Of 66 bytes. */
const LINES = EFFORT > 1 ? 300_000 : 100_000

/** Sends bytes as they are and resolves to all that the server sent until it closed, with LF. */
async function converse(port: number, bytes: string | Buffer, host = '127.0.0.1'): Promise<string> {
  const socket = connect({ port, host })
  socket.on('error', () => socket.destroy())
  socket.write(bytes)
  return received(socket)
}

async function received(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  await once(socket, 'close')
  return text.replaceAll('\r\n', '\n')
}

async function nextLine(socket: Socket): Promise<string> {
  const [chunk] = await once(socket, 'data')
  return String(chunk)
}

const logIn = ({ user, password }: SandboxLogin) => `a LOGIN ${user} ${password}\r\n`

describe('IMAP on the wire', () => {
  test('commands in one packet get their responses in order', async () => {
    await using sandbox = await openSandbox()
    const login = await sandbox.addAccount()
    const text = await converse(
      sandbox.imapPort,
      `${logIn(login)}b SELECT INBOX\r\nc NOOP\r\nd CAPABILITY\r\ne LOGOUT\r\n`
    )
    const tagged = [...text.matchAll(/^([a-e]) (OK|NO|BAD)/gm)].map(([line]) => line)
    assert.deepEqual(tagged, ['a OK', 'b OK', 'c OK', 'd OK', 'e OK'])
    assert.match(text, /\* BYE Logging out\ne OK [^\n]*\n$/)
  })

  test('limits of lines, literals and mistakes end the connection, and others are served', async () => {
    await using sandbox = await openSandbox({ sandboxLineBytes: 10_000 })
    const login = await sandbox.addAccount()
    const { imapPort } = sandbox
    using user = await signIn(sandbox, login)
    assert.match(
      await converse(imapPort, 'x'.repeat(100_000)),
      /\* BYE The command line is too long/
    )
    assert.match(
      await converse(imapPort, `${logIn(login)}b SELECT "${'x'.repeat(20_000)}"\r\n`),
      /\* BYE The command line is too long/
    )
    assert.match(
      await converse(imapPort, 'a LOGIN {99999999+}\r\n'),
      /\* BYE The literal is too long/
    )
    assert.match(
      await converse(imapPort, 'a LOGIN {99999999}\r\nb LOGOUT\r\n'),
      /\na NO \[TOOBIG\] .*\n\* BYE/
    )
    assert.match(await converse(imapPort, 'a FOO\r\n'.repeat(30)), /\* BYE Too many invalid/)
    assert.match(
      await converse(imapPort, `${logIn(login)}b APPEND INBOX {9999999999+}\r\n`),
      /\* BYE The literal is too long/
    )
    await user.ok('NOOP')
  })

  test('a literal is sent before or after the server asks for it', async () => {
    await using sandbox = await openSandbox({ sandboxMessageBytes: 2000 })
    const { user, password } = await sandbox.addAccount()
    const { imapPort } = sandbox
    const socket = connect({ port: imapPort, host: '127.0.0.1' })
    assert.match(await nextLine(socket), /^\* OK/)
    for (const text of [user, password]) {
      const start = text === user ? 'a LOGIN' : ''
      socket.write(`${start} {${text.length}}\r\n`)
      assert.equal(await nextLine(socket), '+ OK\r\n')
      socket.write(text)
    }
    socket.write('\r\n')
    assert.match(await nextLine(socket), /^a OK/)
    socket.write('b APPEND {5}\r\n')
    assert.equal(await nextLine(socket), '+ OK\r\n')
    socket.write('INBOX (\\Seen) {3000}\r\n')
    assert.match(await nextLine(socket), /^b NO \[TOOBIG\]/)
    socket.write(`c APPEND INBOX {3000+}\r\n${'x'.repeat(3000)}\r\nd NOOP\r\n`)
    assert.match(await nextLine(socket), /^c NO \[TOOBIG\][^\n]*\nd OK/)
    socket.write(`e APPEND missing {3+}\r\nabc\r\nf APPEND INBOX {3+}\r\nabc extra\r\ng LOGOUT\r\n`)
    assert.match(await received(socket), /^e NO \[TRYCREATE\].*\nf BAD .*\n\* BYE/)
    using client = await signIn(sandbox, { user, password, account: '', address: '', token: '' })
    assert.deepEqual(await client.ok('STATUS INBOX (MESSAGES)'), ['STATUS INBOX (MESSAGES 0)'])
  })

  test('what comes with STARTTLS is not read as a command', async () => {
    await using sandbox = await openSandbox()
    const login = await sandbox.addAccount()
    const socket = connect({ port: sandbox.imapPort, host: '127.0.0.1' })
    assert.match(await nextLine(socket), /STARTTLS/)
    socket.write(`a STARTTLS\r\nx LOGIN ${login.user} ${login.password}\r\n`)
    assert.match(await nextLine(socket), /^a OK [^\n]*\n$/)
    const secured = connectTls({ socket, rejectUnauthorized: false })
    await once(secured, 'secureConnect')
    secured.write('b CAPABILITY\r\n')
    const text = await nextLine(secured)
    assert.match(text, /^\* CAPABILITY (?!.*STARTTLS).*AUTH=PLAIN/)
    assert.doesNotMatch(text, /^x /m)
    secured.write('c SELECT INBOX\r\n')
    assert.match(await nextLine(secured), /^c BAD/)
    secured.write(`d STARTTLS\r\ne LOGIN ${login.user} ${login.password}\r\nf LOGOUT\r\n`)
    assert.match(await received(secured), /^d BAD [^\n]*\ne OK [^\n]*\n\* BYE [^\n]*\nf OK/)
  })

  test('other machines need TLS for a password', async () => {
    await using sandbox = await openSandbox({ sandboxHost: ['0.0.0.0'] })
    const login = await sandbox.addAccount()
    const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
    const outer = all.find(({ internal, family }) => !internal && family === 'IPv4')
    assert.ok(outer, 'this machine has no network interface')
    const text = await converse(
      sandbox.imapPort,
      `${logIn(login)}b AUTHENTICATE PLAIN\r\nc LOGOUT\r\n`,
      outer.address
    )
    assert.match(text, /^\* OK \[CAPABILITY [^\]]*LOGINDISABLED/)
    assert.doesNotMatch(text, /AUTH=/)
    assert.match(text, /\na NO \[PRIVACYREQUIRED\].*\nb NO \[PRIVACYREQUIRED\]/)
  })

  test('a name that is no extension ends the start with one sentence', async () => {
    await assert.rejects(openSandbox({ sandboxWithout: ['IDEL'] }), {
      name: 'UserError',
      message: /^--mailbox-sandbox-without: IDEL is no extension of the sandbox; use LITERAL\+/
    })
  })

  test('an extension that is switched off is neither offered nor accepted', async () => {
    const off = [
      'IDLE',
      'MOVE',
      'CONDSTORE',
      'NOTIFY',
      'UIDPLUS',
      'LITERAL+',
      'OBJECTID',
      'SPECIAL-USE',
      'ESEARCH',
      'STARTTLS'
    ]
    await using sandbox = await openSandbox({ sandboxWithout: off })
    const login = await sandbox.addAccount()
    const text = await converse(sandbox.imapPort, `${logIn(login)}b LOGOUT\r\n`)
    for (const name of [...off, 'QRESYNC', 'CREATE-SPECIAL-USE']) {
      assert.doesNotMatch(text, new RegExp(`[ ]${name.replace('+', '\\+')}[ \\]]`), name)
    }
    assert.match(text, / ENABLE .* LIST-STATUS /)
    const commands = [
      'IDLE',
      'NOTIFY NONE',
      'MOVE 1 Trash',
      'UID EXPUNGE 1',
      'STATUS INBOX (HIGHESTMODSEQ)',
      'SELECT INBOX (CONDSTORE)',
      'FETCH 1 (MODSEQ)',
      'FETCH 1 (EMAILID)',
      'STORE 1 (UNCHANGEDSINCE 1) +FLAGS (a)',
      'SEARCH RETURN (ALL) ALL',
      'SEARCH MODSEQ 1',
      'CREATE x (USE (\\All))',
      'STARTTLS'
    ]
    const lines = commands.map((command, index) => `t${index} ${command}\r\n`).join('')
    const { user, password } = login
    const responses = await converse(
      sandbox.imapPort,
      `a LOGIN ${user} ${password}\r\nb SELECT INBOX\r\n${lines}c ENABLE QRESYNC\r\nd LIST "" Sent\r\ne LOGOUT\r\n`
    )
    for (const [index, command] of commands.entries()) {
      assert.match(responses, new RegExp(`^t${index} BAD `, 'm'), command)
    }
    assert.match(responses, /^\* ENABLED$/m)
    assert.match(responses, /^\* LIST \(\\HasNoChildren\) "\/" Sent$/m)
    assert.match(await converse(sandbox.imapPort, 'a LOGIN {1+}\r\nx'), /\* BYE LITERAL\+/)
  })

  test('a client that is silent for too long is told and disconnected', async () => {
    await using sandbox = await openSandbox({ sandboxIdleSeconds: 1 })
    assert.match(await converse(sandbox.imapPort, 'a NOOP\r\n'), /\na OK.*\n\* BYE Disconnected/)
  })

  test('a stop of the process is told to all clients', async () => {
    const sandbox: Sandbox = await openSandbox()
    const login = await sandbox.addAccount()
    using user = await signIn(sandbox, login)
    const idle = await user.client.idle()
    await sandbox[Symbol.asyncDispose]()
    assert.deepEqual(await user.told(), ['BYE Server shutting down.'])
    await assert.rejects(idle(), /closed/)
  })

  test('a large message goes through without being in memory', async () => {
    await using sandbox = await openSandbox()
    const login = await sandbox.addAccount()
    using user = await signIn(sandbox, login)
    const large = message('large', `${'0123456789abcdef'.repeat(4)}\r\n`.repeat(LINES))
    await user.ok('APPEND INBOX ', large)
    await user.ok('SELECT INBOX')
    const [fetched = ''] = await user.ok('FETCH 1 (BODY.PEEK[])')
    assert.ok(fetched.includes(large.toString('latin1')))
    const start = 64 * LINES
    const wanted = large
      .toString('latin1')
      .split('\r\n\r\n')[1]
      ?.slice(start, start + 4)
    assert.deepEqual(await user.ok(`FETCH 1 (BODY.PEEK[TEXT]<${start}.4>)`), [
      `1 FETCH (BODY[TEXT]<${start}> {4}\r\n${wanted})`
    ])
  })
})
