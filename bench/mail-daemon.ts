import { setTimeout as wait } from 'node:timers/promises'
import { type Contender, launcherOf, OWN_CHECKOUT, startContender } from './contender.ts'

const POLL_MS = 100
const UP = ['up', 'mailbox', '--no-console', '--quiet', '--json', '--port-base=0']
/** Of the sandbox. */
const NEW_ACCOUNTS_A_MINUTE = 100

export interface ImapLogin {
  host: string
  port: number
  secure: boolean
  auth: { user: string; pass: string }
}

/** A sandbox in a process of its own. */
export interface MailServer extends Contender {
  imapPort: number
  smtpPort: number
  /** Adds so many accounts, at most 100. */
  addAccounts: (count: number) => Promise<readonly { address: string; imap: ImapLogin }[]>
}

/** A mailbox service whose accounts are on other servers. */
export interface MailDaemon extends Contender {
  register: (account: string, imap: ImapLogin) => Promise<void>
  /** Waits until so many accounts are connected and their mailboxes are read. */
  untilConnected: (count: number) => Promise<void>
}

export async function startMailServer(...flags: readonly string[]): Promise<MailServer> {
  const server = await startContender({
    name: 'mail server',
    script: launcherOf(OWN_CHECKOUT),
    // Without TLS, so that a proxy can read the lines.
    args: () => [...UP, '--ephemeral', '--mailbox-sandbox-without=STARTTLS', ...flags],
    readyText: '\n'
  })
  const { services, ports } = JSON.parse(server.greeting)
  return {
    ...server,
    imapPort: ports['mailbox-imap'],
    smtpPort: ports['mailbox-smtp'],
    async addAccounts(count) {
      if (count > NEW_ACCOUNTS_A_MINUTE) throw new Error('The sandbox has a limit a minute')
      const added: { address: string; imap: ImapLogin }[] = []
      for (let number = 0; number < count; number++) {
        added.push(await send(`${services.mailbox}/v1/sandbox/accounts`, {}))
      }
      return added
    }
  }
}

export async function startDaemon(
  flags: readonly string[],
  webhooks?: string
): Promise<MailDaemon> {
  const daemon = await startContender({
    name: 'nonet',
    script: launcherOf(OWN_CHECKOUT),
    args: () => [...UP, ...flags],
    readyText: '\n'
  })
  const url: string = JSON.parse(daemon.greeting).services.mailbox
  if (webhooks !== undefined) {
    await send(`${url}/v1/settings`, { webhooksEnabled: true, webhooks })
  }
  return {
    ...daemon,
    url,
    async register(account, imap) {
      await send(`${url}/v1/account`, { account, name: account, imap })
    },
    async untilConnected(count) {
      for (;;) {
        const response = await fetch(`${url}/v1/stats`)
        const { connections } = (await response.json()) as { connections: { connected: number } }
        if (connections.connected >= count) return
        await wait(POLL_MS)
      }
    }
  }
}

async function send<T>(url: string, body: object): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`)
  return response.json() as Promise<T>
}
