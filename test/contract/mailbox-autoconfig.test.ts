/** Servers of email addresses: by our table, and by the DNS of their domain. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DnsServer, openDnsServer } from '../support/dns-server.ts'
import { ADMIN_TOKEN, type Sandbox, sandboxes } from './mailbox-site.ts'

/** Nothing of it resolves to an IP address, so only the table and DNS are left. */
const DOMAIN = 'autoconfig-tests.invalid'
const RECORDS = {
  [`_imaps._tcp.srv.${DOMAIN}`]: [
    { type: 'SRV', priority: 10, weight: 0, port: 993, target: `late.${DOMAIN}` },
    { type: 'SRV', priority: 0, weight: 1, port: 993, target: `imap.${DOMAIN}` }
  ],
  [`_submission._tcp.srv.${DOMAIN}`]: [
    { type: 'SRV', priority: 0, weight: 0, port: 587, target: `smtp.${DOMAIN}` }
  ],
  [`customer.${DOMAIN}`]: [{ type: 'MX', priority: 1, target: 'in1-smtp.messagingengine.com' }]
} as const

let server: DnsServer
before(async () => {
  server = await openDnsServer(RECORDS)
})
after(() => server[Symbol.asyncDispose]())

const find = ({ json }: Sandbox, email: string, status = 200) =>
  json({ path: `/v1/autoconfig?email=${encodeURIComponent(email)}`, token: ADMIN_TOKEN }, status)

sandboxes('autoconfiguration', {}, (sandbox) => {
  test('knows large providers and what they need, without asking a server', async () => {
    const before = server.questions.length
    assert.deepEqual(await find(sandbox(), 'Jo.Doe@GMAIL.com'), {
      imap: {
        auth: { user: 'Jo.Doe@gmail.com' },
        ...{ host: 'imap.gmail.com', port: 993, secure: true }
      },
      smtp: {
        auth: { user: 'Jo.Doe@gmail.com' },
        ...{ host: 'smtp.gmail.com', port: 465, secure: true }
      },
      appPassword: {
        required: true,
        provider: 'Gmail',
        instructions:
          'Turn on 2-Step Verification of the Google account, create an app password at https://myaccount.google.com/apppasswords and use it instead of the password; or sign in with OAuth2'
      },
      _source: 'table'
    })
    const proton = await find(sandbox(), 'jo@proton.me')
    assert.equal(proton.imap, false)
    assert.equal(proton.smtp, false)
    assert.equal(server.questions.length, before)
  })

  test('reads SRV records of the domain', async () => {
    const user = `jo@srv.${DOMAIN}`
    assert.deepEqual(await find(sandbox(), user), {
      imap: { auth: { user }, host: `imap.${DOMAIN}`, port: 993, secure: true },
      smtp: { auth: { user }, host: `smtp.${DOMAIN}`, port: 587, secure: false },
      appPassword: { required: false },
      _source: 'srv'
    })
  })

  test('knows the provider that receives the mail of the domain', async () => {
    const found = await find(sandbox(), `jo@customer.${DOMAIN}`)
    assert.equal(found._source, 'mx')
    assert.deepEqual(found.imap, {
      auth: { user: `jo@customer.${DOMAIN}` },
      ...{ host: 'imap.fastmail.com', port: 993, secure: true }
    })
  })

  test('says what it does not know', async () => {
    assert.deepEqual(await find(sandbox(), `jo@unknown.${DOMAIN}`), {
      imap: false,
      smtp: false,
      appPassword: { required: false },
      _source: 'unknown'
    })
  })

  test('rejects what is no email address', async () => {
    for (const email of [
      '',
      'jo',
      '@',
      'jo@',
      'jo@localhost',
      'jo@127.0.0.1',
      'a\r\nb@example.com'
    ]) {
      const { fields } = await find(sandbox(), email, 400)
      assert.equal((fields as { key: string }[])[0]?.key, 'email', email)
    }
    const token = ADMIN_TOKEN
    await sandbox().json({ path: '/v1/autoconfig', token }, 400)
    await sandbox().json({ path: '/v1/autoconfig?email=a@b.example&x=1', token }, 400)
  })

  test('is for operators', async () => {
    const { token } = await sandbox().account()
    await sandbox().json({ path: '/v1/autoconfig?email=jo@gmail.com', token }, 403)
  })
})
