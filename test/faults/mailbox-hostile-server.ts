import assert from 'node:assert/strict'
import { type Launched, launchNonet } from '../support/launcher.ts'
import { limitedHeap, residentMegabytes } from '../support/limited-process.ts'
import { addAccount, type SandboxLogin } from '../support/mailbox-sandbox.ts'
import { openText, type TextSocket } from '../support/text-socket.ts'

/** V8 without this limit delays collecting; with it, growth without end is a crash. */
const HEAP = limitedHeap(128)

export interface HostileServer {
  nonet: Launched
  url: string
  imapPort: number
  smtpPort: number
  login: SandboxLogin
  /** A client that has signed in. */
  signIn: () => Promise<TextSocket>
  /** Fails if a well-behaved client of either port gets no response. */
  respondsToOthers: () => Promise<void>
  megabytes: () => number
}

export async function launchSandbox(...flags: readonly string[]): Promise<HostileServer> {
  const nonet = await launchNonet(['mailbox', '--ephemeral', '--quiet', ...flags], {
    env: { NODE_OPTIONS: HEAP }
  })
  const url = nonet.ready.services.mailbox ?? ''
  const imapPort = nonet.ready.ports?.['mailbox-imap'] ?? 0
  const smtpPort = nonet.ready.ports?.['mailbox-smtp'] ?? 0
  const login = await addAccount(url)

  async function signIn(): Promise<TextSocket> {
    const client = openText(imapPort)
    await client.until(/^\* OK.*\r\n/)
    client.write(`s LOGIN ${login.user} ${login.password}\r\n`)
    await client.until(/^s OK.*\r\n/m)
    return client
  }

  async function respondsToOthers(): Promise<void> {
    using imap = await signIn()
    imap.write('x NOOP\r\n')
    await imap.until(/^x OK/m)
    using smtp = openText(smtpPort)
    await smtp.until(/^220 .*\r\n/)
    smtp.write('NOOP\r\n')
    await smtp.until(/^250 /m)
    assert.equal(nonet.child.exitCode, null)
  }

  return {
    nonet,
    url,
    imapPort,
    smtpPort,
    login,
    signIn,
    respondsToOthers,
    megabytes: () => residentMegabytes(nonet.ready.pid).now
  }
}
