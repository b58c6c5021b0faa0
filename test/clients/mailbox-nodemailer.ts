/** nodemailer, unmodified, as an application under test uses it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTransport } from 'nodemailer'
import { ENGINES } from '../support/engine-names.ts'
import { openImap } from '../support/imap-client.ts'
import { openSandbox, type Sandbox, type SandboxLogin } from '../support/mailbox-sandbox.ts'

const MAX_BYTES = 2 * 1024 * 1024

for (const engine of ENGINES) {
  describe(`nodemailer, on ${engine}`, () => {
    let sandbox: Sandbox
    let login: SandboxLogin
    before(async () => {
      sandbox = await openSandbox({ sandboxMessageBytes: MAX_BYTES }, engine)
      login = await sandbox.addAccount()
    })
    after(() => sandbox[Symbol.asyncDispose]())

    const transport = (options: object = {}) =>
      createTransport({
        host: '127.0.0.1',
        port: sandbox.smtpPort,
        tls: { rejectUnauthorized: false },
        ...options
      })

    const auth = () => ({ user: login.user, pass: login.password })

    async function fetchLast(items: string): Promise<string> {
      using client = await openImap({ port: sandbox.imapPort })
      await client.command(`LOGIN ${login.user} ${login.password}`)
      await client.command('EXAMINE INBOX')
      const responses = await client.command(`FETCH * ${items}`)
      const raw = responses.map((response) => response.raw).join('\n')
      return Buffer.from(raw, 'latin1').toString()
    }

    test('sends without and with a password, in clear and with STARTTLS', async () => {
      const mail = { from: 'app@example.test', to: login.address, subject: 'one', text: 'hi' }
      for (const options of [
        { ignoreTLS: true },
        { requireTLS: true },
        { ignoreTLS: true, auth: auth() },
        { requireTLS: true, auth: auth() }
      ]) {
        const sent = await transport(options).sendMail(mail)
        assert.deepEqual(sent.accepted, [login.address])
        assert.match(sent.response, /^250 /)
      }
      assert.match(await fetchLast('RFC822.SIZE'), /^\* 4 FETCH/)
    })

    test('is told that a password is wrong', async () => {
      const wrong = transport({ auth: { ...auth(), pass: 'wrong' } })
      await assert.rejects(wrong.sendMail({ from: 'a@example.test', to: login.address }), {
        code: 'EAUTH',
        responseCode: 535
      })
    })

    test('sends alternatives, attachments and names outside of ASCII', async () => {
      const content = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 256))
      await transport({ auth: auth() }).sendMail({
        from: 'Äda <app@example.test>',
        to: [login.address, 'Jürgen <jürgen@example.test>'],
        subject: 'Grüße 😀',
        text: 'Grüße\r\n.\r\n..two dots',
        html: '<p>Grüße <img src="cid:a"></p>',
        attachments: [
          { filename: 'Übung.bin', content },
          { filename: 'a.png', content: 'x', cid: 'a' }
        ]
      })
      const source = await fetchLast('(ENVELOPE BODY.PEEK[])')
      assert.match(source, /\r\n\.\r\n\.\.two dots\r\n/)
      assert.ok(source.includes(content.toString('base64').slice(0, 76)))
      assert.match(source, /=\?UTF-8\?/)
    })

    test('sends a large message over several connections at once', async () => {
      const pool = transport({ pool: true, maxConnections: 4, auth: auth() })
      const html = 'x'.repeat(MAX_BYTES / 2)
      const mails = Array.from({ length: 8 }, (_, index) => ({
        ...{ from: 'app@example.test', to: login.address, subject: `pooled ${index}` },
        ...(index === 0 ? { html } : { text: 'small' })
      }))
      const sent = await Promise.all(mails.map((mail) => pool.sendMail(mail)))
      assert.ok(sent.every(({ response }) => response.startsWith('250 ')))
      pool.close()
      const uids = await fetchLast('UID')
      assert.match(uids, /UID 13/)
    })

    test('a message over the limit is rejected and not stored', async () => {
      const before = await fetchLast('UID')
      const html = 'x'.repeat(MAX_BYTES + 1)
      await assert.rejects(
        transport().sendMail({ from: 'app@example.test', to: login.address, html }),
        { responseCode: 552 }
      )
      assert.equal(await fetchLast('UID'), before)
    })
  })
}
