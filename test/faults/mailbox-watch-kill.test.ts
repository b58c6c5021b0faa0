/**
 * Kills in the middle of arriving mail, on every engine: each change is delivered with one id, a
 * repeated delivery has the same bytes, and the first deliveries of an account are in the order of
 * its changes.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { ImapFlow } from 'imapflow'
import { until } from '../support/delivery-receiver.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import {
  type EventDelivery,
  isMarkedDeleted,
  openEventReceiver
} from '../support/event-receiver.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { createRandom } from '../support/random.ts'
import {
  type ImapAccess,
  launchDaemon,
  launchMailServer,
  untilInitialized
} from '../support/watching-daemon.ts'

const KILLS = EFFORT > 1 ? 10 : 1
const ARRIVALS = EFFORT > 1 ? 1000 : 120
const ACCOUNTS = ['ada', 'bob', 'cleo']
/** Of the messages that were reported, so many are flagged and so many removed in each burst. */
const FLAGGED = ARRIVALS / 20
const REMOVED = ARRIVALS / 20
/** A webhook of the killed process waits for the end of its lease, up to 40 s, on PostgreSQL. */
const AFTER_LEASE_MS = 120_000

describe('kills while mail arrives', { concurrency: true, timeout: 900_000 }, () => {
  for (const engine of ENGINES) {
    test(`each change is delivered with one id, in the order of its account, on ${engine}`, async (t) => {
      using folder = temporaryFolder()
      await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
      await using server = await launchMailServer()
      await using receiver = await openEventReceiver()
      const random = createRandom(23)
      const storage = database === undefined ? [] : ['--database', database.url]
      const launch = () => launchDaemon(['--data', folder.path, ...storage])
      /** `<account> <event> <subject or UID>`, in the order in which they were made. */
      const made: string[] = []
      const addresses = new Map<string, { address: string; imap: ImapAccess }>()
      for (const account of ACCOUNTS) addresses.set(account, await server.add(account))
      const reported = () =>
        receiver
          .first()
          .filter((delivery) => !isMarkedDeleted(delivery))
          .map(describeChange)
          .filter(isOfMessage)

      /** Messages arrive in all accounts at once. */
      async function arrive(burst: number | string, messages: number): Promise<void> {
        const sending = ACCOUNTS.map(async (account) => {
          using sender = await server.openSender()
          const { address } = addresses.get(account) ?? assert.fail()
          const count = Math.ceil(messages / ACCOUNTS.length)
          for (let number = 0; number < count; number++) {
            const subject = `${account}-${burst}-${number}`
            made.push(`${account} messageNew ${subject}`)
            await sender.send(address, subject)
          }
        })
        await Promise.all(sending)
      }

      /** Flags some messages that were reported, and removes others, as another client. */
      async function change(): Promise<void> {
        for (const account of ACCOUNTS) {
          const isChanged = (uid: number) =>
            made.includes(`${account} messageUpdated ${uid}`) ||
            made.includes(`${account} messageDeleted ${uid}`)
          const uids = receiver
            .named('messageNew')
            .filter(({ body }) => body.account === account)
            .map(({ body }) => body.data.uid ?? 0)
            .filter((uid) => !isChanged(uid))
          const share = (count: number) => Math.ceil(count / ACCOUNTS.length)
          const flagged = uids.slice(0, share(FLAGGED))
          const removed = uids.slice(-share(REMOVED))
          if (uids.length < flagged.length + removed.length) continue
          const { imap } = addresses.get(account) ?? assert.fail()
          await using client = await connect(imap)
          await client.mailboxOpen('INBOX')
          made.push(...flagged.map((uid) => `${account} messageUpdated ${uid}`))
          await client.messageFlagsAdd(flagged, ['\\Flagged'], { uid: true })
          made.push(...removed.map((uid) => `${account} messageDeleted ${uid}`))
          await client.messageDelete(removed, { uid: true })
        }
      }

      for (let kill = 0; kill < KILLS; kill++) {
        await using daemon = await launch()
        if (kill === 0) {
          await daemon.sendTo(receiver)
          for (const [account, { imap }] of addresses) await daemon.add(account, imap)
          await untilInitialized(receiver, ACCOUNTS)
          await arrive('first', FLAGGED + REMOVED)
          await until(() => reported().length >= made.length, 'the first messages')
        }
        const target = reported().length + 1 + random.below(ARRIVALS / 2)
        const arriving = Promise.all([arrive(kill, ARRIVALS), change()])
        await until(() => reported().length >= target, 'events of the burst', AFTER_LEASE_MS)
        await wait(random.below(50))
        await daemon.nonet.end('SIGKILL')
        await arriving
      }
      await using daemon = await launch()
      await change()
      await until(() => reported().length >= made.length, 'all events', AFTER_LEASE_MS)
      receiver.assertSingle()
      assert.deepEqual(reported().toSorted(), made.toSorted())
      for (const account of ACCOUNTS) assertOrder(receiver.first(), account)
      assert.equal(daemon.nonet.stderr(), '')
      t.diagnostic(
        `${made.length} changes, ${receiver.repeated()} repeated deliveries, ${KILLS} kills`
      )
    })
  }
})

function describeChange({ body: { account, event, data } }: EventDelivery): string {
  return `${account} ${event} ${event === 'messageNew' ? data.subject : data.uid}`
}

function isOfMessage(change: string): boolean {
  return / message(New|Updated|Deleted) /.test(change)
}

/** Messages are reported in the order of their arrival; other changes after it. */
function assertOrder(deliveries: readonly EventDelivery[], account: string): void {
  const own = deliveries.map(({ body }) => body).filter((body) => body.account === account)
  const arrived = own.filter(({ event }) => event === 'messageNew').map(({ data }) => data.uid ?? 0)
  assert.deepEqual(
    arrived,
    arrived.toSorted((a, b) => a - b)
  )
  const seen = new Set<number>()
  for (const { event, data } of own) {
    if (event === 'messageNew') seen.add(data.uid ?? 0)
    else if (data.uid !== undefined) assert.ok(seen.has(data.uid), `${event} of ${data.uid}`)
  }
}

async function connect(access: ImapAccess): Promise<ImapFlow & AsyncDisposable> {
  const client = new ImapFlow({ ...access, logger: false })
  await client.connect()
  return client
}
