import { sendMail } from '../test/support/smtp-client.ts'
import type { Cases } from './cases.ts'
import { type Contender, launcherOf, OWN_CHECKOUT, startContender } from './contender.ts'
import { measure, median } from './load.ts'
import { benchAccounts } from './mailbox-accounts.ts'
import { benchDisk } from './mailbox-disk.ts'
import { benchIndex } from './mailbox-index.ts'
import { benchLatency } from './mailbox-latency.ts'
import { benchServiceStart, serviceStartCases } from './service-start.ts'
import { markdownTable, type Outcome } from './table.ts'

const ROUNDS = 9
const LISTINGS = 200
const MESSAGES = 200
const MESSAGE = [
  'From: Ada Lovelace <ada@example.test>',
  'To: Grace <grace@example.test>, Edsger <edsger@example.test>',
  'Cc: Barbara <barbara@example.test>',
  'Subject: =?utf-8?q?The_numbers_f=C3=BCr_den_Monat?=',
  'Message-ID: <#@example.test>',
  'In-Reply-To: <before-#@example.test>',
  'Date: Mon, 15 Jan 2024 10:00:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=m',
  '',
  '--m',
  'Content-Type: multipart/alternative; boundary=a',
  '',
  '--a',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'The numbers are in the file.',
  '--a',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>The numbers are in the file.</p>',
  '--a--',
  '--m',
  'Content-Type: text/csv; name=numbers.csv',
  'Content-Disposition: attachment; filename=numbers.csv',
  'Content-Transfer-Encoding: base64',
  '',
  'b25lLHR3bw0KMSwyDQo=',
  '--m--',
  ''
].join('\r\n')

export const mailboxCases: Cases = { servers: [], starts: serviceStartCases('mailbox', 'cards') }

interface Ready {
  services: { mailbox: string }
  ports: Readonly<Record<string, number>>
}

/**
 * Compares a listing with imapflow that fetches the same, and starts with and without mailbox;
 * measures how soon a change is reported, and what many accounts need.
 */
export async function benchMailbox(): Promise<Outcome> {
  const parts = [
    await benchListing(),
    await benchServiceStart('mailbox', 'cards', LIMITS),
    await benchLatency(),
    await benchAccounts(),
    await benchDisk(),
    await benchIndex()
  ]
  return {
    title: 'mailbox',
    text: parts.map(({ text }) => text).join('\n\n'),
    bars: parts.flatMap(({ bars }) => bars)
  }
}

const LIMITS = { cpuMs: 40, megabytes: 8 }

/** The mail server is a sandbox in a process of its own. */
async function benchListing() {
  const mailServer = await startNonet('mail server')
  const account = await fillInbox(mailServer)
  const nonet = await startNonet('nonet')
  const { services }: Ready = JSON.parse(nonet.greeting)
  const path = await register(services.mailbox, account)
  const imapflow = await startContender({
    name: 'imapflow',
    script: 'servers/imapflow.mjs',
    args: (port) => [String(port), JSON.stringify(account.imap)],
    readyText: 'ready'
  })
  const listing = { path, connections: 1, seconds: 0, amount: LISTINGS }
  const sides = {
    nonet: async () =>
      (await measure({ ...nonet, url: services.mailbox }, listing)).cpuMicroseconds,
    imapflow: () => fetchCpu(imapflow)
  }
  const samples = { nonet: [] as number[], imapflow: [] as number[] }
  for (const side of Object.values(sides)) await side()
  for (let round = 0; round < ROUNDS; round++) {
    const order =
      round % 2 === 0 ? (['nonet', 'imapflow'] as const) : (['imapflow', 'nonet'] as const)
    for (const name of order) samples[name].push(await sides[name]())
  }
  const { residentBytes } = await nonet.usage()
  for (const contender of [imapflow, nonet, mailServer]) await contender.stop()
  const ratios = samples.nonet.map(
    (value, round) => value / (samples.imapflow[round] ?? Number.NaN)
  )
  const rows = Object.entries(samples).map(([name, values]) => [name, median(values).toFixed(0)])
  return {
    text: `### listing of 20 messages

${markdownTable(['', 'CPU µs/listing'], rows)}

An inbox of ${MESSAGES} messages with text, HTML and an attachment, on a mail server in a process of its own; ${ROUNDS} rounds of ${LISTINGS} listings, in turn. imapflow has the inbox selected and fetches what a listing needs. Resident memory of nonet after the load: ${(residentBytes / 1e6).toFixed(0)} MB.`,
    bars: [{ what: 'listing, nonet ÷ imapflow', value: median(ratios), atMost: 3 }]
  }
}

function startNonet(name: string): Promise<Contender> {
  return startContender({
    name,
    script: launcherOf(OWN_CHECKOUT),
    args: () => [
      ...['up', 'mailbox', '--no-console', '--quiet', '--json', '--ephemeral', '--port-base=0']
    ],
    readyText: '\n'
  })
}

interface Account {
  address: string
  imap: object
  smtp: object
}

async function fillInbox({ greeting }: Contender): Promise<Account> {
  const { services, ports }: Ready = JSON.parse(greeting)
  const response = await fetch(`${services.mailbox}/v1/sandbox/accounts`, { method: 'POST' })
  const account = (await response.json()) as Account
  for (let number = 0; number < MESSAGES; number++) {
    const source = MESSAGE.replaceAll('#', String(number))
    await sendMail(ports['mailbox-smtp'] ?? 0, { to: [account.address], source })
  }
  return account
}

/** Path of the listing of the account, which is connected. */
async function register(url: string, { imap, smtp }: Account): Promise<string> {
  const response = await fetch(`${url}/v1/account`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: 'ada', name: 'Ada', imap, smtp })
  })
  if (!response.ok) throw new Error(await response.text())
  const path = '/v1/account/ada/messages?path=INBOX&pageSize=20'
  const listed = (await (await fetch(url + path)).json()) as { messages?: object[] }
  if (listed.messages?.length !== 20) throw new Error(JSON.stringify(listed))
  return path
}

/** Microseconds of one fetch. */
async function fetchCpu(imapflow: Contender): Promise<number> {
  const before = await imapflow.usage()
  await fetch(`${imapflow.url}/${LISTINGS}`)
  const after = await imapflow.usage()
  return (after.cpuMicroseconds - before.cpuMicroseconds) / LISTINGS
}
