import { openDovecot } from '../test/support/dovecot.ts'
import { DOVECOT_PASSWORD } from '../test/support/dovecot-configuration.ts'
import { type ImapClient, openImap } from '../test/support/imap-client.ts'
import type { Cases } from './cases.ts'
import { launcherOf, OWN_CHECKOUT, startContender } from './contender.ts'
import { childrenMs, cpuMs, readOfChildren } from './cpu.ts'
import { median } from './load.ts'
import { type Receiver, sendMessages } from './mail-sender.ts'
import { type Engine, findPostgres, SQLITE } from './storage.ts'
import { markdownTable, type Outcome } from './table.ts'

const DOVECOT = process.env.NONET_DOVECOT ?? '/usr/sbin/dovecot'
const ROUNDS = 5
const SENDERS = 8
const MESSAGES_EACH = 50
const FETCHED = 100
const FETCHES = 100
const CONNECTIONS = 1000
const LOGINS_AT_ONCE = 20
const PAGE_BYTES = 4096

/** Compared with Dovecot only. */
export const sandboxCases: Cases = { servers: [], starts: [] }

interface MailServer {
  name: string
  imapPort: number
  receiver: Receiver
  logins: readonly { user: string; password: string }[]
  cpuMs: () => Promise<number>
  residentBytes: () => Promise<number>
  stop: () => Promise<void>
}

interface Measured {
  perSecond: number
  acceptMs: number
  fetchMs: number
  kilobytesPerConnection: number
}

/** Measures the sandbox and Dovecot: messages that arrive, envelopes that are read, connections. */
export async function benchSandbox(): Promise<Outcome> {
  const postgres = findPostgres()
  const servers: (() => Promise<MailServer>)[] = [
    startDovecot,
    () => startNonet(SQLITE),
    ...(postgres === undefined ? [] : [() => startNonet(postgres)])
  ]
  const results = new Map<string, Measured>()
  for (const start of servers) {
    const server = await start()
    try {
      results.set(server.name, await measure(server))
    } finally {
      await server.stop()
    }
  }
  const setting = `Messages of 2 KB over ${SENDERS} connections to ${SENDERS} accounts, each on the disk before it is acknowledged, by SMTP or (Dovecot) LMTP; median of ${ROUNDS} rounds of ${SENDERS * MESSAGES_EACH}. \`FETCH 1:${FETCHED} ENVELOPE\` on one connection, ${FETCHES} times. Memory is what all processes of the server (of Dovecot without shared pages) need more with ${CONNECTIONS} connections that have INBOX selected and wait in IDLE. On PostgreSQL the CPU of its server is included.`
  const head = ['server', 'messages/s', 'CPU ms/message', 'CPU ms/FETCH', 'KB/connection']
  const rows = [...results].map(([name, result]) => [
    name,
    result.perSecond.toFixed(0),
    result.acceptMs.toFixed(2),
    result.fetchMs.toFixed(2),
    result.kilobytesPerConnection.toFixed(0)
  ])
  const dovecot = results.get('Dovecot')
  const bars = [...results].flatMap(([name, result]) =>
    dovecot === undefined || result === dovecot
      ? []
      : [
          {
            what: `${name}, CPU per message, Dovecot ÷ nonet`,
            value: dovecot.acceptMs / result.acceptMs
          },
          {
            what: `${name}, CPU per FETCH, Dovecot ÷ nonet`,
            value: dovecot.fetchMs / result.fetchMs
          },
          {
            what: `${name}, memory per connection, Dovecot ÷ nonet`,
            value: dovecot.kilobytesPerConnection / result.kilobytesPerConnection
          }
        ]
  )
  return { title: 'sandbox', text: [setting, markdownTable(head, rows)].join('\n\n'), bars }
}

async function measure(server: MailServer): Promise<Measured> {
  await sendMessages(server.receiver, MESSAGES_EACH)
  const rounds: { seconds: number; cpu: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = await server.cpuMs()
    const seconds = await sendMessages(server.receiver, MESSAGES_EACH)
    rounds.push({ seconds, cpu: (await server.cpuMs()) - before })
  }
  const messages = SENDERS * MESSAGES_EACH
  return {
    perSecond: messages / median(rounds.map(({ seconds }) => seconds)),
    acceptMs: median(rounds.map(({ cpu }) => cpu)) / messages,
    fetchMs: await measureFetch(server),
    kilobytesPerConnection: await measureConnections(server)
  }
}

async function measureFetch(server: MailServer): Promise<number> {
  const client = await openInbox(server, 0)
  const fetch = async () => {
    const responses = await client.command(`FETCH 1:${FETCHED} ENVELOPE`)
    if (responses.length !== FETCHED + 1) throw new Error(String(responses.at(-1)?.raw))
  }
  for (let warm = 0; warm < FETCHES / 4; warm++) await fetch()
  const before = await server.cpuMs()
  for (let sent = 0; sent < FETCHES; sent++) await fetch()
  const cpu = (await server.cpuMs()) - before
  client[Symbol.dispose]()
  return cpu / FETCHES
}

async function measureConnections(server: MailServer): Promise<number> {
  const before = await server.residentBytes()
  const clients: ImapClient[] = []
  while (clients.length < CONNECTIONS) {
    const opened = Array.from({ length: LOGINS_AT_ONCE }, async (_, index) => {
      const client = await openInbox(server, index % SENDERS)
      await client.idle()
      return client
    })
    clients.push(...(await Promise.all(opened)))
  }
  const bytes = (await server.residentBytes()) - before
  for (const client of clients) client[Symbol.dispose]()
  return bytes / 1024 / clients.length
}

async function openInbox({ imapPort, logins }: MailServer, index: number): Promise<ImapClient> {
  const login = logins[index]
  const client = await openImap({ port: imapPort })
  for (const command of [`LOGIN ${login?.user} ${login?.password}`, 'SELECT INBOX']) {
    const responses = await client.command(command)
    if (responses.at(-1)?.status !== 'OK') throw new Error(String(responses.at(-1)?.raw))
  }
  return client
}

async function startNonet(engine: Engine): Promise<MailServer> {
  const storage = await engine.open()
  const flags = ['--mailbox-sandbox-messages', '1000000', '--mailbox-sandbox-connections', '3000']
  const nonet = await startContender({
    name: `nonet, ${engine.name}`,
    script: launcherOf(OWN_CHECKOUT),
    args: () => [
      ...['up', 'mailbox', '--no-console', '--quiet', '--json', '--port-base=0'],
      ...[...flags, ...storage.flags]
    ],
    readyText: '\n'
  })
  const { services, ports } = JSON.parse(nonet.greeting)
  const accounts = await Promise.all(Array.from({ length: SENDERS }, () => add(services.mailbox)))
  return {
    name: nonet.name,
    imapPort: ports['mailbox-imap'],
    receiver: {
      protocol: 'smtp',
      port: ports['mailbox-smtp'],
      addresses: accounts.map(({ address }) => address)
    },
    logins: accounts,
    cpuMs: () => cpuMs(nonet, storage),
    residentBytes: async () => (await nonet.usage()).residentBytes,
    async stop() {
      await nonet.stop()
      await storage.remove()
    }
  }
}

async function add(url: string) {
  const response = await fetch(`${url}/v1/sandbox/accounts`, { method: 'POST' })
  const { address, imap } = (await response.json()) as {
    address: string
    imap: { auth: { user: string; pass: string } }
  }
  return { address, user: imap.auth.user, password: imap.auth.pass }
}

async function startDovecot(): Promise<MailServer> {
  const dovecot = await openDovecot({ program: DOVECOT, durable: true })
  const users = Array.from({ length: SENDERS }, (_, index) => `user${index}@example.test`)
  return {
    name: 'Dovecot',
    imapPort: dovecot.imapPort,
    receiver: { protocol: 'lmtp', port: dovecot.lmtpPort, addresses: users },
    logins: users.map((user) => ({ user, password: DOVECOT_PASSWORD })),
    cpuMs: async () => childrenMs(dovecot.processId),
    residentBytes: async () => privateBytesOf(dovecot.processId),
    stop: dovecot.close
  }
}

/** Of all children, without the pages of programs and libraries, which they share. */
function privateBytesOf(processId: number): number {
  return readOfChildren(processId, 'statm')
    .map((text) => {
      const [, resident = 0, shared = 0] = text.split(' ').map(Number)
      return (resident - shared) * PAGE_BYTES
    })
    .reduce((sum, bytes) => sum + bytes, 0)
}
