import type { ImapFlow } from 'imapflow'
import { connectionLost } from '../connections/contract.ts'
import { collectLines } from '../connections/line-sinks.ts'
import { type MailboxSnapshot, openSnapshot } from './open-snapshot.ts'
import { createUidCollector } from './uid-collector.ts'
import { addRanges, countUids, rangesOf, type UidRanges, uidsOf } from './uid-ranges.ts'

/** Of a mailbox. */
const MAX_MESSAGES = 5_000_000

/** UIDs of all messages of the selected mailbox. */
export async function searchAllUids(
  client: ImapFlow,
  { path, exists }: MailboxSnapshot
): Promise<UidRanges> {
  const uids = await search(client, { all: true })
  if (uids.length > 0 || exists === 0) return uids
  // All messages may have been removed since; otherwise the result is an error of the server.
  const now = await openSnapshot(client, path)
  if (now.exists > 0) {
    throw connectionLost('The mail server finds no messages in a mailbox that has some')
  }
  return uids
}

/** UIDs from this one on. */
export async function searchUidsFrom(client: ImapFlow, first: number): Promise<readonly number[]> {
  const uids = await search(client, { uid: `${Math.max(first, 1)}:*` })
  // A range up to `*` always contains the last message.
  return [...uidsOf(uids)].filter((uid) => uid >= first)
}

/** UIDs of messages that arrived on a day or later, by the clock of the server. */
export async function searchSince(client: ImapFlow, day: Date): Promise<UidRanges> {
  // With WITHIN imapflow would send seconds by its own clock.
  client.capabilities.delete('WITHIN')
  return search(client, { since: day })
}

async function search(
  client: ImapFlow,
  query: Parameters<ImapFlow['search']>[0]
): Promise<UidRanges> {
  const collector = createUidCollector()
  const found = (ranges: UidRanges) => addRanges(collector, ranges)
  const others = await collectLines(client, { found }, () => client.search(query, { uid: true }))
  // False means that the server rejected the search.
  if (!Array.isArray(others)) throw connectionLost('The mail server rejects a search')
  found(rangesOf(others))
  const uids = collector.ranges()
  if (countUids(uids) > MAX_MESSAGES || collector.isFull()) {
    throw connectionLost('The mail server finds too many messages')
  }
  return uids
}
