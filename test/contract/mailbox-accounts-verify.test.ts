/** `POST /v1/verifyAccount`, on servers of the sandbox and on ports where no mail server is. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import { after, before, test } from 'node:test'
import { freePort } from '../support/ports.ts'
import { ADMIN_TOKEN, type NewAccount, sandboxes } from './mailbox-site.ts'

interface Verified {
  imap?: Tried
  smtp?: Tried
  mailboxes?: { path: string; specialUse?: string }[]
}
interface Tried {
  success: boolean
  error?: string
  code?: string
  statusCode?: number
  responseText?: string
}

const SECRET = 'not-the-password-of-anybody'
const BANNER = 'SSH-2.0-OpenSSH_9.2 secret banner of an internal service'
const SIGN_IN = 'The mail server does not accept the sign-in'

let banner: Server
let silent: Server
/** An SMTP server that repeats what it was sent. */
let repeating: Server
before(async () => {
  repeating = createServer((socket) => {
    socket.on('error', () => {}).write('220 ready\r\n')
    socket.on('data', (bytes) => {
      const line = bytes.toString().trim()
      const isGreeting = line.startsWith('EHLO')
      socket.write(isGreeting ? '250-ready\r\n250 AUTH PLAIN\r\n' : `535 wrong: ${line}\r\n`)
    })
  })
  banner = createServer((socket) => socket.on('error', () => {}).end(`${BANNER}\r\n`))
  silent = createServer((socket) => socket.on('error', () => {}))
  for (const server of [banner, silent, repeating]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }
})
after(() => {
  banner.close()
  silent.close()
  repeating.close()
})

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

function wrong({ imap, smtp, address }: NewAccount) {
  const auth = { user: address, pass: SECRET }
  return { imap: { ...imap, auth }, smtp: { ...smtp, auth } }
}

sandboxes('verifying servers', {}, (sandbox) => {
  const verify = (body: object, headers = {}) =>
    sandbox().json<Verified>({
      method: 'POST',
      path: '/v1/verifyAccount',
      body,
      token: ADMIN_TOKEN,
      headers
    })

  test('both servers of the sandbox, with their mailboxes', async () => {
    const { imap, smtp } = await sandbox().account()
    const { mailboxes = [], ...tried } = await verify({ imap, smtp, mailboxes: true })
    assert.deepEqual(tried, { imap: { success: true }, smtp: { success: true } })
    const inbox = mailboxes.find(({ path }) => path === 'INBOX')
    assert.equal(inbox?.specialUse, '\\Inbox')
    assert.equal(mailboxes.length, 6)
    assert.deepEqual(await verify({ imap, smtp: false }), { imap: { success: true } })
    assert.deepEqual(await verify({ smtp }), { smtp: { success: true } })
  })

  test('wrong passwords, with the text of the server', async () => {
    const account = await sandbox().account()
    const { imap, smtp } = await verify({ ...wrong(account), mailboxes: true })
    assert.deepEqual([imap?.success, imap?.error], [false, SIGN_IN])
    assert.equal(imap?.code, 'AUTHENTICATIONFAILED')
    assert.ok(imap?.responseText)
    assert.deepEqual(
      [smtp?.success, smtp?.error, smtp?.code, smtp?.statusCode],
      [false, SIGN_IN, 'EAUTH', 535]
    )
    assert.match(smtp?.responseText ?? '', /^535 /)
    const { total } = await sandbox().json({
      path: `/v1/accounts?query=${SECRET}`,
      token: ADMIN_TOKEN
    })
    assert.equal(total, 0)
  })

  test('a password that the SMTP server repeats is not told', async () => {
    const auth = { user: 'u', pass: SECRET }
    const { smtp } = await verify({ smtp: { host: '127.0.0.1', port: portOf(repeating), auth } })
    assert.equal(smtp?.code, 'EAUTH')
    const text = smtp?.responseText ?? ''
    assert.match(text, /^535 wrong: AUTH PLAIN \S+/)
    const [, told = ''] = /AUTH PLAIN (\S+)/.exec(text) ?? []
    assert.ok(!Buffer.from(told, 'base64').toString().includes(SECRET.slice(3, -3)), text)
    assert.match(text, /hidden/)
  })

  test('a certificate of an unknown authority is not accepted, with a sentence that helps', async () => {
    const { imap, smtp } = await sandbox().account()
    const tried = await verify({
      imap: { ...imap, tls: {} },
      smtp: { ...smtp, tls: { rejectUnauthorized: true } }
    })
    for (const one of [tried.imap, tried.smtp]) {
      assert.equal(
        one?.error,
        'The certificate of the mail server is not trusted; set tls.rejectUnauthorized to false to accept it'
      )
    }
  })

  test('ports without a mail server end in time with a sentence', async () => {
    const auth = { user: 'u', pass: 'p' }
    const closed = { host: '127.0.0.1', port: await freePort(), auth }
    const refused = { success: false, code: 'ECONNREFUSED' }
    const sentence = 'The mail server does not accept connections'
    assert.deepEqual(await verify({ imap: closed, smtp: closed }), {
      imap: { ...refused, error: sentence },
      smtp: { ...refused, error: sentence }
    })
    const other = { host: '127.0.0.1', port: portOf(banner), auth }
    const { imap, smtp } = await verify({ imap: other, smtp: other })
    assert.deepEqual([imap?.success, smtp?.success], [false, false])
    const slow = { host: '127.0.0.1', port: portOf(silent), auth }
    const begun = performance.now()
    const timeout = {
      success: false,
      error: 'The mail server did not respond in time',
      code: 'ETIMEDOUT'
    }
    assert.deepEqual(await verify({ imap: slow, smtp: slow }, { 'x-ee-timeout': '300' }), {
      imap: timeout,
      smtp: timeout
    })
    assert.ok(performance.now() - begun < 5000)
  })

  test('metadata services are not tried', async () => {
    const server = { host: '169.254.169.254', port: 80, auth: false }
    const refused = {
      success: false,
      error: 'The address of the mail server is not allowed',
      code: 'ADDRESS_REFUSED'
    }
    assert.deepEqual(await verify({ imap: server, smtp: server }), { imap: refused, smtp: refused })
  })
})

sandboxes(
  'verifying servers of public networks only',
  { mailbox: { mailEgress: 'public' } },
  (sandbox) => {
    test('private addresses and other ports are not tried, so no text of a service is told', async () => {
      const { imap, smtp } = await sandbox().account()
      const other = { host: '127.0.0.1', port: portOf(banner), auth: { user: 'u', pass: 'p' } }
      for (const servers of [
        { imap, smtp },
        { imap: other, smtp: other }
      ]) {
        const { text } = await sandbox().ask({
          method: 'POST',
          path: '/v1/verifyAccount',
          body: servers,
          token: ADMIN_TOKEN
        })
        assert.equal(text.includes('banner'), false)
        const tried: Verified = JSON.parse(text)
        assert.deepEqual(
          [tried.imap?.code, tried.smtp?.code],
          ['ADDRESS_REFUSED', 'ADDRESS_REFUSED']
        )
      }
    })
  }
)
