import type { ImapFlow } from 'imapflow'
import { compareAll, compareChanged, compareUids, type MailboxChanges } from './diff.ts'
import type { MailboxDetails } from './mailbox-details.ts'
import type { MessageFlags } from './message-flags.ts'
import { createMessageIndex, type MessageIndex } from './message-index.ts'
import { isOld } from './needs-comparison.ts'
import type { MailboxSnapshot } from './open-snapshot.ts'
import { readAllMessages, readChangedMessages, readSet } from './read-lists.ts'
import { searchAllUids, searchUidsFrom } from './search-all.ts'
import { NO_UIDS, rangesOf } from './uid-ranges.ts'

export interface FoundChanges extends MailboxChanges {
  /** Of added messages. */
  readonly flagsOf: (uid: number) => MessageFlags
  /** Whether changes of all flags were found. */
  readonly hasAllFlags: boolean
}

/** What is stored about the mailbox. */
interface StoredMailbox {
  readonly index: MessageIndex
  readonly uidNext: number
  readonly messages: number
  readonly highestModseq: string | null
  readonly details: MailboxDetails
}

interface Comparison {
  readonly client: ImapFlow
  readonly stored: StoredMailbox
  readonly snapshot: MailboxSnapshot
  /** The server told of changes, which may be of flags. */
  readonly isNoticed: boolean
  readonly time: number
  readonly flagsSince: number | undefined
}

export function createFound(
  { added = [], deleted = [], updated = [] }: Partial<MailboxChanges>,
  present = createMessageIndex(),
  hasAllFlags = false
): FoundChanges {
  const flagsOf = (uid: number) => present.get(uid) ?? { flags: [] }
  return { added, deleted, updated, flagsOf, hasAllFlags }
}

/** Compares the selected mailbox with its index in the cheapest way that the server offers. */
export async function findChanges(comparison: Comparison): Promise<FoundChanges> {
  const { stored, snapshot } = comparison
  if (snapshot.exists === 0) {
    return createFound(await compareUids(stored.index, NO_UIDS), undefined, true)
  }
  const since = changedSince(stored, snapshot)
  return since === undefined ? findByList(comparison) : findByModseq(comparison, since)
}

/** Only messages that arrived since, for an index that has no messages. */
export async function findNewMessages({
  client,
  stored: { uidNext },
  snapshot
}: Omit<Comparison, 'isNoticed' | 'time' | 'flagsSince'>): Promise<FoundChanges> {
  const { exists, uidNext: next } = snapshot
  const isSame = exists === 0 || (next > 0 && next === uidNext)
  const added = isSame ? [] : await searchUidsFrom(client, uidNext)
  return createFound({ added })
}

/** Undefined without CONDSTORE, or if a backup of the mailbox was restored. */
function changedSince(
  { highestModseq: before }: StoredMailbox,
  { highestModseq: now }: MailboxSnapshot
): string | undefined {
  if (before === null || now === undefined || BigInt(before) > BigInt(now)) return undefined
  return before
}

async function findByModseq(
  { client, stored: { index }, snapshot }: Comparison,
  since: string
): Promise<FoundChanges> {
  const { changed, vanished } = await readChangedMessages(client, since)
  const found = await compareChanged(index, changed, vanished)
  if (isComplete(index, found, snapshot)) return createFound(found, changed, true)
  // Without QRESYNC the server does not tell which messages are gone.
  const { added, deleted } = await compareUids(index, await searchAllUids(client, snapshot))
  await readSet(client, rangesOf(added.filter((uid) => !changed.has(uid))), changed)
  const gone = new Set(deleted)
  const updated = found.updated.filter(({ uid }) => !gone.has(uid))
  return createFound({ added, deleted, updated }, changed, true)
}

/** Whether the index has as many messages afterwards as the mailbox had when it was selected. */
function isComplete(
  index: MessageIndex,
  { added, deleted }: MailboxChanges,
  { exists, uidNext }: MailboxSnapshot
): boolean {
  const later = added.filter((uid) => uid >= uidNext).length
  return index.size + added.length - later - deleted.length === exists
}

async function findByList(comparison: Comparison): Promise<FoundChanges> {
  const { client, stored, snapshot, isNoticed, time, flagsSince } = comparison
  const { index, details } = stored
  const isSame = snapshot.exists === stored.messages && snapshot.uidNext === stored.uidNext
  const isDue = isOld(details.flagsAt, time, flagsSince)
  const readsFlags = isNoticed || isDue || !isPlain(comparison)
  if (isSame && !readsFlags) return createFound({})
  const uids = await searchAllUids(client, snapshot)
  const present = createMessageIndex()
  if (readsFlags) {
    await readAllMessages(client, uids, present)
    return createFound(await compareAll(index, present), present, true)
  }
  const found = await compareUids(index, uids)
  await readSet(client, rangesOf(found.added), present)
  return createFound(found, present)
}

/** Whether neither the server nor the row has modification sequences. */
function isPlain({ stored, snapshot }: Comparison): boolean {
  return stored.highestModseq === null && snapshot.highestModseq === undefined
}
