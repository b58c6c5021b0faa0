import assert from 'node:assert/strict'
import type { X509Certificate } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { start } from '../../src/host/start.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { openSmtp, type SmtpClient } from '../support/smtp-client.ts'
import { ADMIN_TOKEN, mail, sandboxOf } from './mailbox-site.ts'

const EVERYWHERE = { mailbox: { sandboxHost: ['0.0.0.0'] } }

/** An address of this machine; connections to it do not come from loopback. */
function outerAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  const outer = all.find(({ internal, family }) => !internal && family === 'IPv4')
  assert.ok(outer, 'this machine has no network interface')
  return outer.address
}

function certificateOf({ socket }: SmtpClient): X509Certificate {
  assert.ok(socket instanceof TLSSocket)
  const certificate = socket.getPeerX509Certificate()
  assert.ok(certificate)
  return certificate
}

async function secureClient(port: number, host?: string): Promise<SmtpClient> {
  const client = await openSmtp(port, host)
  await client.command('EHLO client.test')
  assert.match(await client.command('STARTTLS'), /^220 /)
  await client.secure()
  await client.command('EHLO client.test')
  return client
}

test('other machines need TLS and then a password, this machine needs neither', async () => {
  await using nonet = await start({ services: ['mailbox'], adminToken: ADMIN_TOKEN, ...EVERYWHERE })
  const { smtpPort, account, deliver } = sandboxOf(nonet)
  const { smtp, account: id } = await account()
  const { user, pass } = smtp.auth
  const login = `AUTH PLAIN ${Buffer.from(`\0${user}\0${pass}`).toString('base64')}`
  await deliver({ to: ['a@example.test'], source: mail('Local') })

  using client = await openSmtp(smtpPort, outerAddress())
  await client.command('EHLO client.test')
  assert.match(await client.command(login), /^538 .*STARTTLS/)
  assert.match(await client.command('MAIL FROM:<a@example.test>'), /^530 /)
  assert.match(await client.command('RCPT TO:<a@example.test>'), /^530 /)

  using secured = await secureClient(smtpPort, outerAddress())
  assert.match(await secured.command('MAIL FROM:<a@example.test>'), /^530 /)
  assert.match(await secured.command(login.slice(0, -4)), /^535 /)
  assert.match(await secured.command(login), /^235 /)
  assert.match(await secured.command('MAIL FROM:<a@example.test>'), /^250 /)
  assert.match(await secured.command(`RCPT TO:<${user}>`), /^250 /)
  await secured.command('DATA')
  assert.match(await secured.command(`${mail('Remote')}.`), /^250 /)
  const { json } = sandboxOf(nonet)
  const { total } = await json({ path: `/v1/sandbox/messages?account=${id}`, token: ADMIN_TOKEN })
  assert.equal(total, 1)
})

test('the certificate is for localhost, and stays the same after a restart', async () => {
  using folder = temporaryFolder()
  const fingerprints: string[] = []
  for (let round = 0; round < 2; round++) {
    await using nonet = await start({ services: ['mailbox'], data: folder.path })
    using client = await secureClient(sandboxOf(nonet).smtpPort)
    const certificate = certificateOf(client)
    assert.equal(certificate.checkHost('localhost'), 'localhost')
    assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1')
    assert.equal(certificate.publicKey.asymmetricKeyType, 'ec')
    assert.ok(certificate.validToDate.getTime() > Date.now())
    fingerprints.push(certificate.fingerprint256)
  }
  assert.equal(new Set(fingerprints).size, 1)
})

test('a client that trusts the certificate can verify it', async () => {
  await using nonet = await start({ services: ['mailbox'] })
  const { smtpPort } = sandboxOf(nonet)
  using first = await secureClient(smtpPort)
  const trusted = certificateOf(first).toString()
  using client = await openSmtp(smtpPort)
  await client.command('EHLO client.test')
  await client.command('STARTTLS')
  await client.secure(trusted)
  assert.match(await client.command('EHLO client.test'), /^250-/)
})

test('connections are counted until they end, also those with TLS', async () => {
  await using nonet = await start({
    services: ['mailbox'],
    mailbox: { sandboxConnections: 2 }
  })
  const { smtpPort } = sandboxOf(nonet)
  for (let round = 0; round < 4; round++) {
    const client = await secureClient(smtpPort)
    assert.match(await client.command('QUIT'), /^221 /)
    await client.closed
  }
  using one = await openSmtp(smtpPort)
  using two = await openSmtp(smtpPort)
  assert.match(await one.command('NOOP'), /^250 /)
  await assert.rejects(async () => {
    using three = await openSmtp(smtpPort)
    await three.command('NOOP')
  })
  assert.match(await two.command('NOOP'), /^250 /)
})

test('a stop tells waiting clients, and a message that is being sent gets its reply', async () => {
  const nonet = await start({ services: ['mailbox'] })
  const { smtpPort } = sandboxOf(nonet)
  using idle = await openSmtp(smtpPort)
  using sending = await openSmtp(smtpPort)
  await sending.command('EHLO client.test')
  await sending.command('MAIL FROM:<a@example.test>')
  await sending.command('RCPT TO:<b@example.test>')
  await sending.command('DATA')
  sending.write('Subject: Stop\r\n\r\n')
  const stopped = nonet.stop()
  assert.match(await idle.reply(), /^421 /)
  await idle.closed
  assert.match(await sending.command('End\r\n.'), /^250 /)
  assert.match(await sending.command('NOOP'), /^421 /)
  await stopped
})

test('a client that sends nothing is told and disconnected', async () => {
  await using nonet = await start({ services: ['mailbox'], mailbox: { sandboxIdleSeconds: 1 } })
  using client = await openSmtp(sandboxOf(nonet).smtpPort)
  assert.match(await client.reply(), /^421 Timeout/)
  await client.closed
})

test('a stop ends requests that wait for a message', async () => {
  const nonet = await start({ services: ['mailbox'] })
  const { ask } = sandboxOf(nonet)
  await ask({ path: '/health' })
  const waiting = ask({ path: '/v1/sandbox/wait?timeout=60' })
  await ask({ path: '/v1/sandbox/messages' })
  await setTimeout(100)
  const started = performance.now()
  await nonet.stop()
  const { status, text } = await waiting
  assert.equal(status, 503)
  assert.equal(JSON.parse(text).code, 'Stopping')
  assert.ok(performance.now() - started < 9_000, 'before the deadline of ten seconds')
})

test('STARTTLS can be hidden from clients that would not accept the certificate', async () => {
  await using nonet = await start({
    services: ['mailbox'],
    mailbox: { sandboxWithout: ['starttls'] }
  })
  using client = await openSmtp(sandboxOf(nonet).smtpPort)
  assert.doesNotMatch(await client.command('EHLO client.test'), /STARTTLS/)
  assert.match(await client.command('STARTTLS'), /^500 /)
})
