import { setTimeout as wait } from 'node:timers/promises'
import { openDovecot } from '../test/support/dovecot.ts'
import { DOVECOT_PASSWORD } from '../test/support/dovecot-configuration.ts'
import { openSmtp, sendMail } from '../test/support/smtp-client.ts'
import { type EventReceiver, openEventReceiver } from './event-receiver.ts'
import { percentile } from './load.ts'
import { startDaemon, startMailServer } from './mail-daemon.ts'
import { type NoticeProxy, openNoticeProxy } from './notice-proxy.ts'
import { type Engine, findPostgres, SQLITE } from './storage.ts'
import { type Bar, markdownTable } from './table.ts'

const DOVECOT = process.env.NONET_DOVECOT ?? '/usr/sbin/dovecot'
const ACCOUNTS = 100
const MESSAGES_A_SECOND = 20
const SECONDS = 30
const WARM_UP_SECONDS = 5
const FOLDERS = ['INBOX', 'Archive', 'Drafts', 'Junk', 'Sent', 'Trash']
const ROUNDS = 20
const MAX_NOTICE_MS = 100
const MAX_DELIVERY_MS = 1000

/** Milliseconds until the webhook about a message arrived. */
interface Latency {
  /** Since the server accepted the message. */
  accepted: number
  /** Since the server told of the change. */
  noticed: number
}

/** Measures how long after a message, and after the notice of its server, the webhook arrives. */
export async function benchLatency(): Promise<{ text: string; bars: readonly Bar[] }> {
  const postgres = findPostgres()
  const engines = postgres === undefined ? [SQLITE] : [SQLITE, postgres]
  const rows: string[][] = []
  const bars: Bar[] = []
  for (const engine of engines) {
    const latencies = await measureSandbox(engine)
    rows.push(rowOf(`sandbox, ${engine.name}`, latencies))
    bars.push(noticeBar(`sandbox, ${engine.name}`, latencies))
  }
  const byFolder = await measureDovecot()
  for (const [folder, latencies] of byFolder) {
    rows.push(rowOf(`Dovecot, ${folder}`, latencies))
    const value = percentile(
      latencies.map(({ accepted }) => accepted),
      0.95
    )
    const what = `Dovecot, ${folder}, LMTP's 250 to webhook, p95 ms`
    bars.push({ what, value, atMost: MAX_DELIVERY_MS })
  }
  bars.push(noticeBar('Dovecot', [...byFolder.values()].flat()))
  return {
    text: `### from a message to its webhook

${markdownTable(['', 'messages', 'accepted to webhook, p50', 'p95', 'notice to webhook, p50', 'p95', 'most'], rows)}

Milliseconds. Sandbox: ${ACCOUNTS} accounts, ${MESSAGES_A_SECOND} messages a second over SMTP for ${SECONDS} s. Dovecot: LMTP, ${ROUNDS} messages to each mailbox; the server itself waits about half a second before it tells of a change. A notice is the line of the server about the change, as a proxy before nonet sees it. The mail server and the receiver are in processes of their own.`,
    bars
  }
}

function rowOf(name: string, latencies: readonly Latency[]): string[] {
  const accepted = latencies.map((latency) => latency.accepted)
  const noticed = latencies.map((latency) => latency.noticed)
  const figures = [
    ...[percentile(accepted, 0.5), percentile(accepted, 0.95)],
    ...[percentile(noticed, 0.5), percentile(noticed, 0.95), Math.max(...noticed)]
  ]
  return [name, String(latencies.length), ...figures.map((figure) => figure.toFixed(0))]
}

function noticeBar(name: string, latencies: readonly Latency[]): Bar {
  const noticed = latencies.map((latency) => latency.noticed)
  const value = percentile(noticed, 0.95)
  return { what: `${name}, server notice to webhook, p95 ms`, value, atMost: MAX_NOTICE_MS }
}

async function measureSandbox(engine: Engine): Promise<readonly Latency[]> {
  const storage = await engine.open()
  const receiver = await openEventReceiver()
  const server = await startMailServer()
  const daemon = await startDaemon(storage.flags, receiver.url)
  const targets: { address: string; proxy: NoticeProxy }[] = []
  try {
    for (const { address, imap } of await server.addAccounts(ACCOUNTS)) {
      const proxy = await openNoticeProxy(server.imapPort)
      targets.push({ address, proxy })
      await daemon.register(address, { ...imap, port: proxy.port })
    }
    await daemon.untilConnected(ACCOUNTS)
    const sendTo = ({ address }: (typeof targets)[number]) => {
      return (source: string) => sendMail(server.smtpPort, { to: [address], source })
    }
    const measured: Promise<Latency>[] = []
    const skipped = WARM_UP_SECONDS * MESSAGES_A_SECOND
    const started = performance.now()
    for (let sent = 0; sent < skipped + SECONDS * MESSAGES_A_SECOND; sent++) {
      const target = targets[sent % targets.length]
      if (target === undefined) break
      measured.push(measureOne(receiver, target.proxy.nextNotice('INBOX'), sendTo(target)))
      const due = started + ((sent + 1) * 1000) / MESSAGES_A_SECOND
      await wait(Math.max(0, due - performance.now()))
    }
    return (await Promise.all(measured)).slice(skipped)
  } finally {
    await daemon.stop()
    await server.stop()
    for (const { proxy } of targets) proxy.close()
    receiver.close()
    await storage.remove()
  }
}

let messageCount = 0

/** `send` resolves when the server has accepted the message. */
async function measureOne(
  receiver: EventReceiver,
  noticed: Promise<number>,
  send: (source: string) => Promise<unknown>
): Promise<Latency> {
  const subject = `message ${++messageCount}`
  const source = `From: Ada <ada@example.test>\r\nMessage-ID: <${messageCount}@example.test>\r\nSubject: ${subject}\r\n\r\nText\r\n`
  const arrived = receiver.arrival(subject)
  await send(source)
  const accepted = performance.now()
  const time = await arrived
  return { accepted: time - accepted, noticed: time - (await noticed) }
}

/** Each round sends one message to each of some accounts, to another mailbox of each. */
async function measureDovecot(): Promise<ReadonlyMap<string, Latency[]>> {
  const storage = await SQLITE.open()
  const receiver = await openEventReceiver()
  const dovecot = await openDovecot({ program: DOVECOT, detailMailboxes: true })
  const daemon = await startDaemon(storage.flags, receiver.url)
  const proxies: NoticeProxy[] = []
  const results = new Map<string, Latency[]>(FOLDERS.map((folder) => [folder, []]))
  try {
    for (const [number] of FOLDERS.entries()) {
      const proxy = await openNoticeProxy(dovecot.imapPort)
      proxies.push(proxy)
      const auth = { user: `user${number}@example.test`, pass: DOVECOT_PASSWORD }
      await daemon.register(`user${number}`, {
        ...{ host: '127.0.0.1', port: proxy.port, secure: false, auth }
      })
    }
    await daemon.untilConnected(proxies.length)
    for (let round = 0; round < ROUNDS; round++) {
      const measured = proxies.map(async (proxy, number) => {
        const folder = FOLDERS[(round + number) % FOLDERS.length] ?? ''
        const recipient = `user${number}+${folder}@example.test`
        const latency = await measureOne(receiver, proxy.nextNotice(folder), (source) =>
          deliver(dovecot.lmtpPort, recipient, source)
        )
        results.get(folder)?.push(latency)
      })
      await Promise.all(measured)
    }
    return results
  } finally {
    await daemon.stop()
    await dovecot.close()
    for (const proxy of proxies) proxy.close()
    receiver.close()
    await storage.remove()
  }
}

async function deliver(port: number, recipient: string, source: string): Promise<void> {
  using client = await openSmtp(port)
  await client.command('LHLO bench')
  await client.command('MAIL FROM:<ada@example.test>')
  await client.command(`RCPT TO:<${recipient}>`)
  await client.command('DATA')
  const reply = await client.command(`${source}.`)
  if (!reply.startsWith('250')) throw new Error(reply)
}
