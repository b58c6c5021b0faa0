/** NOTIFY (RFC 5465): Dovecot and the sandbox tell the same of what another client changes. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { DOVECOT_PASSWORD, type Dovecot, openDovecot } from '../support/dovecot.ts'
import { type ImapClient, openImap } from '../support/imap-client.ts'
import { emptyView, normalise } from '../support/mailbox-normalise.ts'
import { openSandbox, type Sandbox } from '../support/mailbox-sandbox.ts'

const MESSAGE = Buffer.from('Subject: a\r\n\r\nb\r\n')
/**
 * Items of STATUS that Dovecot omits, and the FETCH responses that only the sandbox sends, are not
 * compared. INBOXES is not either: to Dovecot every mailbox is one that receives mail.
 */
function reduce(line: string): string[] {
  if (line.startsWith('message ') || line === 'OK' || line === '') return []
  const items = [...line.matchAll(/(?:STATUS \S+|UNSEEN \d+)/g)].map(([item]) => item)
  return line.startsWith('STATUS ') ? [items.join(' ')] : [line]
}

/** Dovecot tells of changes half a second later, of renamed mailboxes after 1.5 s. */
const SETTLED_MS = 8_000

interface Case {
  notify: string
  change: (client: ImapClient) => Promise<unknown>
}

const append = (client: ImapClient) => client.command('APPEND INBOX ', MESSAGE)
const appendElsewhere = (client: ImapClient) => client.command('APPEND Archive ', MESSAGE)
async function flag(client: ImapClient) {
  await client.command('SELECT INBOX')
  await client.command('STORE 1 +FLAGS (\\Flagged)')
}
async function expunge(client: ImapClient) {
  await client.command('SELECT INBOX')
  await client.command('STORE 1 +FLAGS (\\Deleted)')
  await client.command('EXPUNGE')
}
async function flagElsewhere(client: ImapClient) {
  await client.command('SELECT Archive')
  await client.command('STORE 1 +FLAGS (\\Seen)')
}

const SELECTED = '(SELECTED (MessageNew (UID FLAGS) MessageExpunge FlagChange))'
const CASES: readonly Case[] = [
  { notify: `SET ${SELECTED}`, change: append },
  { notify: `SET ${SELECTED}`, change: flag },
  { notify: `SET ${SELECTED}`, change: expunge },
  { notify: `SET ${SELECTED}`, change: appendElsewhere },
  { notify: 'SET (PERSONAL (MessageNew MessageExpunge))', change: appendElsewhere },
  { notify: 'SET (MAILBOXES Archive (MessageNew MessageExpunge))', change: appendElsewhere },
  { notify: 'SET (SUBTREE Archive (MessageNew MessageExpunge FlagChange))', change: flagElsewhere },
  { notify: 'SET STATUS (MAILBOXES Archive (MessageNew MessageExpunge))', change: append },
  { notify: 'SET (PERSONAL (MailboxName))', change: (client) => client.command('CREATE Fresh') },
  { notify: 'NONE', change: append }
]

describe('NOTIFY on Dovecot and on the sandbox', () => {
  let dovecot: Dovecot
  let sandbox: Sandbox
  before(async () => {
    dovecot = await openDovecot()
    sandbox = await openSandbox()
  })
  after(async () => {
    await sandbox[Symbol.asyncDispose]()
    await dovecot.close()
  })

  async function play(port: number, user: string, password: string, { notify, change }: Case) {
    using watcher = await logIn(port, user, password)
    using other = await logIn(port, user, password)
    await append(other)
    await appendElsewhere(other)
    const view = emptyView()
    const memory = { validities: [], validity: '', checkpoints: [] }
    const selected = await watcher.command('SELECT INBOX')
    normalise({ verb: 'SELECT', responses: selected, view, memory })
    const began = await watcher.command(`NOTIFY ${notify}`)
    const started = normalise({ verb: 'NOTIFY', responses: began, view, memory })
    await change(other)
    await wait(SETTLED_MS)
    const told = [...watcher.waiting()]
    const isDovecot = password === DOVECOT_PASSWORD
    // Dovecot tells of the selected mailbox with the next command only.
    const later = isDovecot ? await watcher.command('NOOP') : told
    const lines = normalise({ verb: 'NOTIFY', responses: later, view, memory })
    return [...started, ...lines].flatMap(reduce)
  }

  test('the same messages and mailboxes are told', async () => {
    const results = await Promise.all(
      CASES.map(async (one, index) => {
        const { user, password } = await sandbox.addAccount()
        return Promise.all([
          play(dovecot.imapPort, `notify${index}@example.test`, DOVECOT_PASSWORD, one),
          play(sandbox.imapPort, user, password, one)
        ])
      })
    )
    const [expected, actual] = [0, 1].map((side) =>
      results.map((both, index) => [CASES[index]?.notify, ...(both[side] ?? [])])
    )
    assert.deepEqual(actual, expected)
  })
})

async function logIn(port: number, user: string, password: string): Promise<ImapClient> {
  const client = await openImap({ port })
  const responses = await client.command(`LOGIN ${user} ${password}`)
  assert.equal(responses.at(-1)?.status, 'OK')
  return client
}
