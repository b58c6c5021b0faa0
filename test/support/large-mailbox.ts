/** A large mailbox on a mail server: it is read in time, and other requests never wait for it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { ImapFlow } from 'imapflow'
import { until } from './delivery-receiver.ts'
import { isMarkedDeleted, openEventReceiver } from './event-receiver.ts'
import { temporaryFolder } from './launcher.ts'
import { limitedHeap, residentMegabytes } from './limited-process.ts'
import { longestTurn, turnsTo } from './longest-turn.ts'
import { type ImapAccess, launchDaemon, untilInitialized } from './watching-daemon.ts'

const MAX_READ_MS = 30_000
const MAX_TURN_MS = 50
const MAX_GROWTH_MB = 50
const HEAP = limitedHeap(64)
/** Servers without NOTIFY and IDLE are compared each minute. */
const PATIENCE_MS = 90_000

export interface LargeMailbox {
  /** An account with many messages in INBOX. */
  large: ImapAccess
  /** An account without messages, on the same server. */
  small: ImapAccess
}

interface Measures {
  summary: string
  readMs: number
  /** The longest, while the mailbox was read and afterwards. */
  turnMs: number
  growthMb: number
}

/** Asserts what the daemon does with such accounts; resolves to a summary of its measures. */
export async function watchLargeMailbox(accounts: LargeMailbox): Promise<string> {
  let { summary, readMs, turnMs, growthMb } = await watchOnce(accounts, 500)
  // A turn that is always too long is so again; one of 12 ms took 217 ms once on a busy machine.
  if (turnMs > MAX_TURN_MS) {
    const again = await watchOnce(accounts, 600)
    summary = `${summary}; again: ${again.summary}`
    turnMs = again.turnMs
  }
  assert.ok(readMs <= MAX_READ_MS, summary)
  assert.ok(turnMs <= MAX_TURN_MS, summary)
  assert.ok(growthMb <= MAX_GROWTH_MB, summary)
  return summary
}

/** Deletes ten messages of the large mailbox, the first of which has this UID. */
async function watchOnce({ large, small }: LargeMailbox, firstUid: number): Promise<Measures> {
  using folder = temporaryFolder()
  await using receiver = await openEventReceiver()
  const turns = join(folder.path, 'turns')
  const preload = turnsTo(turns)
  await using daemon = await launchDaemon([`--data=${join(folder.path, 'data')}`], {
    env: { ...preload, NODE_OPTIONS: `${preload.NODE_OPTIONS} ${HEAP}` }
  })
  await daemon.sendTo(receiver)
  // The first account loads all modules.
  await using other = await connect(small)
  await other.append('INBOX', MESSAGE, [], new Date('2020-01-01'))
  await daemon.add('small', small)
  await untilInitialized(receiver, ['small'])
  await other.append('INBOX', MESSAGE)
  await until(() => receiver.named('messageNew').length === 1, 'the first message', PATIENCE_MS)
  await longestTurn(daemon.nonet.ready.pid, turns)
  const memory = () => residentMegabytes(daemon.nonet.ready.pid).now
  const memoryBefore = memory()

  const began = performance.now()
  await daemon.add('large', large)
  await untilInitialized(receiver, ['large'], 2 * MAX_READ_MS)
  const took = performance.now() - began
  const turn = await longestTurn(daemon.nonet.ready.pid, turns)
  const growth = memory() - memoryBefore
  assert.equal(receiver.named('messageNew').length, 1, 'old mail was reported')

  await using client = await connect(large)
  await client.mailboxOpen('INBOX')
  const sent = performance.now()
  await client.append('INBOX', MESSAGE)
  await until(() => receiver.named('messageNew').length === 2, 'the new message', PATIENCE_MS)
  const noticed = performance.now() - sent
  await client.messageDelete(`${firstUid}:${firstUid + 9}`, { uid: true })
  await client.messageFlagsAdd(`${firstUid + 50}`, ['\\Flagged'], { uid: true })
  const changed = (event: string) =>
    receiver
      .named(event)
      .filter((delivery) => !isMarkedDeleted(delivery))
      .map(({ body }) => body.data.uid)
  const count = () => changed('messageDeleted').length + changed('messageUpdated').length
  await until(() => count() >= 11, 'the other changes', PATIENCE_MS)
  const later = await longestTurn(daemon.nonet.ready.pid, turns)
  receiver.assertSingle()
  const deleted = Array.from({ length: 10 }, (_, index) => firstUid + index)
  assert.deepEqual(changed('messageDeleted'), deleted)
  assert.deepEqual(changed('messageUpdated'), [firstUid + 50])
  const summary = `read in ${(took / 1000).toFixed(1)} s, longest turn ${turn} ms, later ${later} ms, ${Math.round(growth)} MB more, new message after ${Math.round(noticed)} ms`
  assert.equal(daemon.nonet.stderr(), '')
  return { summary, readMs: took, turnMs: Math.max(turn, later), growthMb: growth }
}

const MESSAGE = 'From: A <a@example.test>\r\nSubject: New\r\n\r\nHello\r\n'

async function connect(access: ImapAccess): Promise<ImapFlow> {
  const client = new ImapFlow({ ...access, logger: false })
  await client.connect()
  return client
}
