import { createWorkSlice } from '../../../kernel/work-slice.ts'
import { areEqualFlags, type MessageFlags } from './message-flags.ts'
import type { MessageIndex } from './message-index.ts'
import { hasUid, type UidRanges, uidsOf } from './uid-ranges.ts'

/** How a mailbox differs from its index; UIDs are in ascending order. */
export interface MailboxChanges {
  readonly added: readonly number[]
  readonly deleted: readonly number[]
  readonly updated: readonly UpdatedMessage[]
}

export interface UpdatedMessage {
  readonly uid: number
  readonly before: MessageFlags
  readonly after: MessageFlags
}

/** With all messages of the mailbox. */
export async function compareAll(
  index: MessageIndex,
  present: MessageIndex
): Promise<MailboxChanges> {
  const changed = await compareFlags(index, present)
  const deleted = await filterUids(index.uids(), (uid) => !present.has(uid))
  return { ...changed, deleted }
}

/**
 * With what changed since the index was stored: messages that are new or have other flags, and UIDs
 * that are gone. A message that is in both exists.
 */
export async function compareChanged(
  index: MessageIndex,
  changed: MessageIndex,
  vanished: UidRanges
): Promise<MailboxChanges> {
  const found = await compareFlags(index, changed)
  const deleted = await filterUids(index.uids(vanished), (uid) => !changed.has(uid))
  return { ...found, deleted }
}

/** With the UIDs of all messages: changes of flags are not found. */
export async function compareUids(
  index: MessageIndex,
  present: UidRanges
): Promise<MailboxChanges> {
  const deleted = await filterUids(index.uids(), (uid) => !hasUid(present, uid))
  const added = await filterUids(uidsOf(present), (uid) => !index.has(uid))
  return { added, deleted, updated: [] }
}

async function compareFlags(
  index: MessageIndex,
  present: MessageIndex
): Promise<Omit<MailboxChanges, 'deleted'>> {
  const slice = createWorkSlice()
  const added: number[] = []
  const updated: UpdatedMessage[] = []
  for (const [uid, after] of present.entries()) {
    const before = index.get(uid)
    if (before === undefined) added.push(uid)
    else if (!areEqualFlags(before, after)) updated.push({ uid, before, after })
    if (slice.isOver()) await slice.pause()
  }
  return { added, updated }
}

/** In slices, because there may be a million. */
export async function filterUids(
  uids: Iterable<number>,
  isWanted: (uid: number) => boolean
): Promise<number[]> {
  const slice = createWorkSlice()
  const wanted: number[] = []
  for (const uid of uids) {
    if (isWanted(uid)) wanted.push(uid)
    if (slice.isOver()) await slice.pause()
  }
  return wanted
}

/** As `changes` of the event `messageUpdated` has them. */
export interface FlagChanges {
  readonly flags?: NameChanges
  readonly labels?: NameChanges
}

export interface NameChanges {
  readonly added?: readonly string[]
  readonly deleted?: readonly string[]
  readonly value: readonly string[]
}

export function flagChangesOf({ before, after }: UpdatedMessage): FlagChanges {
  const flags = nameChangesOf(before.flags, after.flags)
  const { labels: earlier } = before
  const { labels: later } = after
  const labels = earlier && later && nameChangesOf(earlier, later)
  return { ...(flags && { flags }), ...(labels && { labels }) }
}

function nameChangesOf(
  before: readonly string[],
  after: readonly string[]
): NameChanges | undefined {
  const added = after.filter((name) => !before.includes(name))
  const deleted = before.filter((name) => !after.includes(name))
  if (added.length === 0 && deleted.length === 0) return undefined
  return {
    ...(added.length > 0 && { added }),
    ...(deleted.length > 0 && { deleted }),
    value: after
  }
}
