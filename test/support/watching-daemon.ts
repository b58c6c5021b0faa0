/** A mail server in a process of its own, and a nonet process that watches accounts on it. */
import assert from 'node:assert/strict'
import { until } from './delivery-receiver.ts'
import type { EventReceiver } from './event-receiver.ts'
import { type Launched, type LaunchOptions, launchLoadedNonet } from './launcher.ts'
import { openSmtp, type SmtpClient } from './smtp-client.ts'

/** How a client signs in. */
export interface ImapAccess {
  host: string
  port: number
  secure?: boolean
  auth: { user: string; pass: string }
  tls?: { rejectUnauthorized: boolean }
}

export interface MailServer extends AsyncDisposable {
  nonet: Launched
  url: string
  imapPort: number
  smtpPort: number
  /** A new account at this server. */
  add: (name: string) => Promise<{ address: string; imap: ImapAccess }>
  /** A connection that sends mail to these accounts. */
  openSender: () => Promise<Sender>
}

export interface Sender extends Disposable {
  /** Asserts that the message is accepted. */
  send: (address: string, subject: string) => Promise<void>
}

/** The sandbox of a nonet process that no test kills. */
export async function launchMailServer(...flags: readonly string[]): Promise<MailServer> {
  const limits = ['--mailbox-sandbox-messages=1000000', '--mailbox-sandbox-bytes=10000000000']
  // To make a certificate takes more CPU than to deliver the mail.
  const clear = '--mailbox-sandbox-without=STARTTLS'
  const args = ['mailbox', '--ephemeral', '--quiet', clear, ...limits, ...flags]
  const nonet = await launchLoadedNonet(args)
  return mailServerOf(nonet)
}

export function mailServerOf(nonet: Launched): MailServer {
  const url = nonet.ready.services.mailbox ?? ''
  const imapPort = nonet.ready.ports?.['mailbox-imap'] ?? 0
  const smtpPort = nonet.ready.ports?.['mailbox-smtp'] ?? 0
  return {
    ...{ nonet, url, imapPort, smtpPort },
    async add(name) {
      const body = { account: name, address: `${name}@example.test` }
      const { address, imap } = await call<{ address: string; imap: ImapAccess }>(
        url,
        'POST',
        '/v1/sandbox/accounts',
        body
      )
      return { address, imap: { ...imap, tls: { rejectUnauthorized: false } } }
    },
    openSender: () => openSender(smtpPort),
    [Symbol.asyncDispose]: () => nonet[Symbol.asyncDispose]()
  }
}

async function openSender(port: number): Promise<Sender> {
  const client: SmtpClient = await openSmtp(port)
  await client.command('EHLO client.test')
  return {
    async send(address, subject) {
      await client.command('MAIL FROM:<sender@example.test>')
      await client.command(`RCPT TO:<${address}>`)
      await client.command('DATA')
      const source = `From: A <a@example.test>\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.test>\r\n\r\nHello`
      assert.match(await client.command(`${source}\r\n.`), /^250 /)
    },
    [Symbol.dispose]: () => client[Symbol.dispose]()
  }
}

export interface Daemon extends AsyncDisposable {
  nonet: Launched
  url: string
  /** Asserts the status and resolves to the body. */
  call: <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: object,
    status?: number
  ) => Promise<T>
  /** Adds an account; `fields` are further ones of it. */
  add: (account: string, imap: ImapAccess, fields?: object) => Promise<void>
  /** Sends all events to the receiver. */
  sendTo: (receiver: { url: string }, settings?: object) => Promise<void>
}

export async function launchDaemon(
  args: readonly string[],
  options?: LaunchOptions
): Promise<Daemon> {
  return daemonOf(await launchLoadedNonet(['mailbox', '--quiet', ...args], options))
}

export function daemonOf(nonet: Launched): Daemon {
  const url = nonet.ready.services.mailbox ?? ''
  const own: Daemon['call'] = (method, path, body, status) => call(url, method, path, body, status)
  return {
    ...{ nonet, url, call: own },
    async add(account, imap, fields = {}) {
      await own('POST', '/v1/account', { account, name: account, imap, ...fields })
    },
    async sendTo(receiver, settings = {}) {
      const webhooks = { webhooksEnabled: true, webhooks: receiver.url }
      await own('POST', '/v1/settings', { ...webhooks, ...settings })
    },
    [Symbol.asyncDispose]: () => nonet[Symbol.asyncDispose]()
  }
}

/** Waits until all mailboxes of the accounts were read once: later changes are reported. */
export async function untilInitialized(
  receiver: EventReceiver,
  accounts: readonly string[],
  timeoutMs = 30_000
): Promise<void> {
  const isKnown = (account: string) =>
    receiver.named('accountInitialized').some(({ body }) => body.account === account)
  await until(() => accounts.every(isKnown), `accountInitialized of ${accounts}`, timeoutMs)
}

/** Waits until nothing waits to be delivered. */
export async function untilDelivered(daemon: Daemon, timeoutMs = 60_000): Promise<void> {
  const isEmpty = async () => {
    const { jobs } = await daemon.call<{ jobs: { active: number; waiting: number } }>(
      'GET',
      '/v1/settings/queue/notify'
    )
    return jobs.active + jobs.waiting === 0
  }
  await until(isEmpty, 'an empty queue of webhooks', timeoutMs)
}

async function call<T = Record<string, unknown>>(
  url: string,
  method: string,
  path: string,
  body?: object,
  wanted = 200
): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  const text = await response.text()
  assert.equal(response.status, wanted, `${method} ${path}: ${text}`)
  return JSON.parse(text)
}
