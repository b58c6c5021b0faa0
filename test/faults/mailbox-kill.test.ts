/**
 * Kills in the middle of deliveries by SMTP, on every engine: each message that was acknowledged is
 * there once, in all of its accounts, with its file; UIDs are never used again, and neither UIDNEXT
 * nor the modseq of a mailbox goes back.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type DatabaseLocation, openDatabase } from '../../src/kernel/database/open.ts'
import { compareFiles } from '../../src/kernel/files/compare.ts'
import { openFileFolder } from '../../src/kernel/files/folder.ts'
import { GRACE_MS, sweepFiles } from '../../src/kernel/files/sweep.ts'
import { createKey } from '../../src/kernel/secrets/keys.ts'
import { createSecrets } from '../../src/kernel/secrets/secrets.ts'
import { CAUGHT_ACCOUNT } from '../../src/services/mailbox/sandbox/mail-store.ts'
import { migrations } from '../../src/services/mailbox/store/migrations.ts'
import { mailStore, type OpenedMailStore } from '../../src/services/mailbox/store/store.ts'
import { findDisagreements } from '../database/mailbox-tables.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { launchNonet, temporaryFolder } from '../support/launcher.ts'
import { openSmtp, type SmtpClient } from '../support/smtp-client.ts'

const ROUNDS = 2 * EFFORT
const WRITERS = 4
const MESSAGES_PER_ROUND = 30
/** None of the messages is removed by it. */
const LIMITS = { messages: 100_000, bytes: 1e9 }
const TO = ['ada@example.com', 'unknown@example.com']
const ACCOUNTS = ['ada', CAUGHT_ACCOUNT.id]

/** What is known of the INBOX of an account. */
interface Known {
  uidNext: number
  modseq: number
  /** All that ever had a UID, by UID. */
  subjects: Map<number, string>
}

for (const engine of ENGINES) {
  describe(`kills of mailbox, on ${engine}`, { timeout: 300_000 }, () => {
    test('lose no acknowledged message, double none, and use no UID twice', async (t) => {
      using folder = temporaryFolder()
      await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
      const location: DatabaseLocation =
        database === undefined
          ? { engine: 'sqlite', file: join(folder.path, 'mailbox.sqlite'), durable: true }
          : { engine: 'postgres', url: database.url, schema: 'nonet_mailbox', durable: true }
      const storage = database === undefined ? [] : ['--database', database.url]
      const limit = `--mailbox-sandbox-messages=${LIMITS.messages}`
      const args = ['mailbox', '--quiet', limit, '--data', folder.path, ...storage]
      const acknowledged = new Set<string>()
      const removed = new Set<string>()
      const known = new Map<string, Known>(
        ACCOUNTS.map((id) => [id, { uidNext: 0, modseq: 0, subjects: new Map() }])
      )

      for (let round = 0; round < ROUNDS; round++) {
        await using nonet = await launchNonet(args)
        if (round === 0) await addAccount(nonet.ready.services.mailbox ?? '')
        const { ports } = nonet.ready as { ports?: Record<string, number> }
        const until = acknowledged.size + MESSAGES_PER_ROUND
        const reached = Promise.withResolvers<void>()
        const writing = Array.from({ length: WRITERS }, async (_, writer) => {
          using client = await openSmtp(ports?.['mailbox-smtp'] ?? 0)
          await client.command('EHLO client.example')
          for (let number = 0; ; number++) {
            const subject = `m${round}-${writer}-${number}.`
            const reply = await send(client, subject)
            if (reply === undefined) return
            assert.match(reply, /^250 /)
            acknowledged.add(subject)
            if (acknowledged.size === until) reached.resolve()
          }
        })
        await reached.promise
        await nonet.end('SIGKILL')
        await Promise.all(writing)
        await withStore(location, async (store) => {
          await check(store, known, acknowledged, removed)
          await removeNewest(store, removed)
        })
      }

      const tables = await openDatabase(location, { service: 'mailbox', migrations })
      assert.deepEqual(await tables.read(findDisagreements), [])
      const driver = openFileFolder(join(folder.path, 'mailbox', 'files'), { durable: true })
      const now = Date.now() + 2 * GRACE_MS
      const swept = await sweepFiles(tables, driver, { now })
      await sweepFiles(tables, driver, { now })
      const { missing, orphaned, incomplete } = await compareFiles(tables.read, driver)
      await tables.close()
      assert.deepEqual(
        { missing, orphaned, incomplete },
        { missing: 0, orphaned: 0, incomplete: 0 }
      )
      t.diagnostic(`${acknowledged.size} messages acknowledged, ${swept.files} files swept`)
    })
  })
}

async function addAccount(url: string): Promise<void> {
  const response = await fetch(`${url}/v1/sandbox/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: 'ada', address: 'ada@example.com' })
  })
  assert.equal(response.ok, true, await response.text())
}

/** The reply to the content; undefined if the connection ended before. */
async function send(client: SmtpClient, subject: string): Promise<string | undefined> {
  try {
    await client.command('MAIL FROM:<sender@example.com>')
    for (const address of TO) await client.command(`RCPT TO:<${address}>`)
    await client.command('DATA')
    return await client.command(`Subject: ${subject}\r\n\r\nHello\r\n.`)
  } catch {
    return undefined
  }
}

async function withStore(
  location: DatabaseLocation,
  use: (store: OpenedMailStore) => Promise<void>
): Promise<void> {
  const database = await openDatabase(location, { service: 'mailbox', migrations })
  const secrets = createSecrets('mailbox', [createKey()])
  const store = mailStore({ database, secrets, now: () => new Date() }, LIMITS)
  try {
    await use(store)
  } finally {
    store.stop()
    await database.close()
  }
}

async function check(
  store: OpenedMailStore,
  known: Map<string, Known>,
  acknowledged: ReadonlySet<string>,
  removed: ReadonlySet<string>
): Promise<void> {
  const lists: string[][] = []
  for (const [account, before] of known) {
    const inbox = (await store.findMailbox(account, 'INBOX')) ?? assert.fail(account)
    assert.ok(inbox.uidNext >= before.uidNext, 'UIDNEXT went back')
    assert.ok(inbox.modseq >= before.modseq, 'the modseq went back')
    Object.assign(before, { uidNext: inbox.uidNext, modseq: inbox.modseq })
    const found = await store.findMessages({ account }, LIMITS.messages)
    const subjects = found.map(({ contents }) => contents.subject)
    assert.equal(new Set(subjects).size, subjects.length, 'a message is there twice')
    for (const subject of acknowledged) {
      assert.notEqual(subjects.includes(subject), removed.has(subject), `${subject} of ${account}`)
    }
    for (const { uid, modseq, contents } of found) {
      assert.ok(uid < inbox.uidNext && modseq <= inbox.modseq)
      assert.equal(
        before.subjects.get(uid) ?? contents.subject,
        contents.subject,
        'a UID was reused'
      )
      before.subjects.set(uid, contents.subject)
    }
    lists.push(subjects.sort())
  }
  assert.deepEqual(lists[0], lists[1], 'a message is in one of its accounts only')
}

/** The highest UIDs become free, and must not be used again. */
async function removeNewest(store: OpenedMailStore, removed: Set<string>): Promise<void> {
  const newest = await store.findMessages({ account: 'ada' }, 3)
  for (const { contents } of newest) {
    removed.add(contents.subject)
    for (const account of ACCOUNTS) {
      assert.equal(await store.removeMessages({ account, subject: contents.subject }), 1)
    }
  }
}
