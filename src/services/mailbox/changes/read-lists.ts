import type { ImapFlow } from 'imapflow'
import { createMessageIndex, type MessageIndex } from './message-index.ts'
import { readMessages } from './read-messages.ts'
import { createUidCollector } from './uid-collector.ts'
import { addRanges, setsOf, type UidRanges, uidsOf } from './uid-ranges.ts'

/** Messages of one command; a server that sends more than was requested is disconnected. */
const MAX_MESSAGES = 5000

/** Adds all messages of the selected mailbox, which has these UIDs, to an index. */
export async function readAllMessages(
  client: ImapFlow,
  uids: UidRanges,
  present: MessageIndex
): Promise<void> {
  let first = 0
  let last = 0
  let count = 0
  const read = () => readInto(client, `${first}:${last}`, present)
  for (const uid of uidsOf(uids)) {
    if (count === 0) first = uid
    last = uid
    count++
    if (count < MAX_MESSAGES) continue
    await read()
    count = 0
  }
  if (count > 0) await read()
}

/** Adds some messages of the selected mailbox to an index. */
export async function readSet(
  client: ImapFlow,
  uids: UidRanges,
  present: MessageIndex
): Promise<void> {
  for (const set of setsOf(uids)) await readInto(client, set, present)
}

async function readInto(client: ImapFlow, set: string, present: MessageIndex): Promise<void> {
  await readMessages(client, set, {}, { message: present.set, vanished() {} })
}

/** What changed after a modification sequence. Removed messages are told only with QRESYNC. */
export async function readChangedMessages(
  client: ImapFlow,
  changedSince: string
): Promise<{ changed: MessageIndex; vanished: UidRanges }> {
  const changed = createMessageIndex()
  const collector = createUidCollector()
  const vanished = (ranges: UidRanges) => addRanges(collector, ranges)
  await readMessages(client, '1:*', { changedSince }, { message: changed.set, vanished })
  return { changed, vanished: collector.ranges() }
}
