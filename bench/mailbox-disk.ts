import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { type ImapClient, openImap } from '../test/support/imap-client.ts'
import { type ImapLogin, startDaemon, startMailServer } from './mail-daemon.ts'
import { type Engine, findPostgres, SQLITE, type StorageLocation } from './storage.ts'
import { type Bar, markdownTable } from './table.ts'

const MESSAGES = 10_000
const ACCOUNTS = 10
const MAX_KILOBYTES = 50

/** Measures what is stored about accounts with many messages. */
export async function benchDisk(): Promise<{ text: string; bars: readonly Bar[] }> {
  const postgres = findPostgres()
  const engines = postgres === undefined ? [SQLITE] : [SQLITE, postgres]
  const server = await startMailServer('--mailbox-sandbox-messages=1000000')
  try {
    const [account] = await server.addAccounts(1)
    if (account === undefined) throw new Error('There is no account')
    await fillInbox(account.imap, MESSAGES)
    const results = new Map<string, number>()
    for (const engine of engines) results.set(engine.name, await measure(engine, account.imap))
    const rows = [...results].map(([name, kilobytes]) => [name, `${kilobytes.toFixed(1)} KB`])
    return {
      text: `### what an account of ${MESSAGES} messages stores

${markdownTable(['database', 'for each account'], rows)}

What the files of the database grow by with ${ACCOUNTS} such accounts, divided by their number. A fifth of the messages of the mailbox was deleted at random, a third is unread at random, some have keywords.`,
      bars: [...results].map(([name, value]) => ({
        what: `${name}, KB for an account of ${MESSAGES} messages`,
        value,
        atMost: MAX_KILOBYTES
      }))
    }
  } finally {
    await server.stop()
  }
}

/** Copies a message again and again, then deletes and flags some. */
export async function fillInbox({ port, auth }: ImapLogin, messages: number): Promise<void> {
  const client = await openImap({ port })
  await send(client, `LOGIN ${auth.user} ${auth.pass}`)
  await client.command('APPEND INBOX ', Buffer.from('Subject: Many\r\n\r\nText\r\n'))
  await send(client, 'SELECT INBOX')
  const wanted = messages * 1.25
  for (let count = 1; count < wanted; ) {
    const copied = Math.min(count, wanted - count)
    await send(client, `COPY 1:${copied} INBOX`)
    await send(client, 'NOOP')
    count += copied
  }
  await send(client, 'STORE 1:* +FLAGS.SILENT (\\Seen)')
  const random = shuffled(wanted)
  const chosen = (from: number, to: number) => random.slice(from, to).join(',')
  const deleted = wanted - messages
  for (let start = 0; start < deleted; start += 500) {
    const numbers = chosen(start, Math.min(start + 500, deleted))
    await send(client, `STORE ${numbers} +FLAGS.SILENT (\\Deleted)`)
  }
  for (let start = deleted; start < deleted + messages / 3; start += 500) {
    await send(client, `STORE ${chosen(start, start + 500)} -FLAGS.SILENT (\\Seen)`)
  }
  await send(client, `STORE ${chosen(-100, wanted)} +FLAGS.SILENT ($Work)`)
  await send(client, 'EXPUNGE')
  client[Symbol.dispose]()
}

async function send(client: ImapClient, command: string): Promise<void> {
  const responses = await client.command(command)
  if (responses.at(-1)?.status !== 'OK') throw new Error(String(responses.at(-1)?.raw))
}

/** The numbers from 1 to `count`, in the same order in each run. */
function shuffled(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  let seed = 1
  return numbers
    .map((number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return { number, seed }
    })
    .toSorted((a, b) => a.seed - b.seed)
    .map(({ number }) => number)
}

/** Kilobytes for each account. */
async function measure(engine: Engine, imap: ImapLogin): Promise<number> {
  const storage = await engine.open()
  try {
    const empty = await startDaemon(storage.flags)
    await empty.stop()
    const before = await bytesOf(storage)
    const daemon = await startDaemon(storage.flags)
    for (let number = 0; number < ACCOUNTS; number++) {
      await daemon.register(`account${number}`, imap)
    }
    await daemon.untilConnected(ACCOUNTS)
    await daemon.stop()
    return ((await bytesOf(storage)) - before) / ACCOUNTS / 1024
  } finally {
    await storage.remove()
  }
}

/** Of the tables of a process that does not run. */
async function bytesOf({ flags }: StorageLocation): Promise<number> {
  const flagValue = (flag: string) => flags[flags.indexOf(flag) + 1] ?? ''
  if (!flags.includes('--database')) {
    const folder = flagValue('--data')
    const files = readdirSync(folder).filter((name) => name.startsWith('mailbox.sqlite'))
    return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  }
  const client = new Client({ connectionString: flagValue('--database') })
  await client.connect()
  const { rows } = await client.query('select pg_database_size(current_database()) as bytes')
  await client.end()
  return Number(rows[0]?.bytes)
}
