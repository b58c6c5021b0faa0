import type { StoredMessage } from '../../mail-store.ts'
import { ConnectionError } from '../wire/errors.ts'
import { formatNumbers } from '../wire/sequence-set.ts'
import { flagsLine, permanentFlagsLine } from './flags.ts'
import type { SelectedMailbox, Session } from './session.ts'

export interface SyncOptions {
  /** Whether messages may be removed from the sequence. */
  readonly expunges: boolean
  /** Whether FETCH responses have the UID. */
  readonly withUid: boolean
  /** Whether FETCH responses are sent; by default they are. */
  readonly flags?: boolean
  readonly news?: boolean
}

export const FULL_SYNC: SyncOptions = { expunges: true, withUid: false }

/** What was told. */
export interface SyncResult {
  /** UIDs of new messages. */
  readonly added: readonly number[]
  readonly hasExpunged: boolean
}

const UNCHANGED: SyncResult = { added: [], hasExpunged: false }

/** Tells the client what has changed in the selected mailbox. */
export async function syncSelected(session: Session, options: SyncOptions): Promise<SyncResult> {
  const { selected } = session
  if (selected === undefined) return UNCHANGED
  await selected.snapshot.refresh()
  if (selected.snapshot.mailbox === undefined) {
    throw new ConnectionError('The selected mailbox was deleted')
  }
  return tellChanges(session, selected, options)
}

function tellChanges(
  session: Session,
  selected: SelectedMailbox,
  options: SyncOptions
): SyncResult {
  const { snapshot } = selected
  const isSame = snapshot.modseq === selected.modseq
  if (isSame && snapshot.messages.size === selected.uids.length) return UNCHANGED
  tellKeywords(session, selected)
  if (options.flags !== false) tellFlags(session, selected, options.withUid)
  const hasExpunged = options.expunges && tellExpunged(session, selected)
  const added = options.news === false ? [] : tellNew(session, selected)
  if (options.flags !== false) {
    selected.modseq = snapshot.modseq
    selected.told.clear()
  }
  return { added, hasExpunged }
}

/** New keywords come before the messages that have them. */
export function tellKeywords({ output }: Session, selected: SelectedMailbox): void {
  const { keywords } = selected.snapshot
  if (keywords.size === selected.keywords) return
  selected.keywords = keywords.size
  output.line(flagsLine(keywords.values()))
  output.line(permanentFlagsLine(keywords.values(), selected.isReadOnly))
}

function tellFlags(session: Session, selected: SelectedMailbox, withUid: boolean): void {
  const { snapshot, uids, told } = selected
  for (const [index, uid] of uids.entries()) {
    const message = snapshot.messages.get(uid)
    if (message === undefined || message.modseq <= selected.modseq) continue
    if (told.get(uid) !== message.modseq) tellMessage(session, index + 1, message, withUid)
  }
}

/** The FETCH response of a change; without flags there may be nothing to tell. */
export function tellMessage(
  { output, enabled }: Session,
  number: number,
  { uid, modseq, flags }: StoredMessage,
  withUid: boolean,
  withFlags = true
): void {
  const hasModseq = enabled.has('CONDSTORE')
  if (!withFlags && !hasModseq) return
  const items = [
    ...(withUid || enabled.has('QRESYNC') ? [`UID ${uid}`] : []),
    ...(hasModseq ? [`MODSEQ (${modseq})`] : []),
    ...(withFlags ? [`FLAGS (${flags.join(' ')})`] : [])
  ]
  output.line(`* ${number} FETCH (${items.join(' ')})`)
}

/** From the end, so that numbers are those of before the first of these responses. */
function tellExpunged({ output, enabled }: Session, selected: SelectedMailbox): boolean {
  const { messages } = selected.snapshot
  const kept: number[] = []
  const expunged: number[] = []
  const numbers: number[] = []
  for (const [index, uid] of selected.uids.entries()) {
    if (messages.has(uid)) kept.push(uid)
    else {
      expunged.push(uid)
      numbers.push(index + 1)
    }
  }
  if (expunged.length === 0) return false
  selected.uids = kept
  if (enabled.has('QRESYNC')) output.line(`* VANISHED ${formatNumbers(expunged)}`)
  else for (const number of numbers.reverse()) output.line(`* ${number} EXPUNGE`)
  return true
}

/** RFC 7162 3.2.10: clients of QRESYNC get it with a command that tells of removed messages. */
export function highestModseq({ enabled, selected }: Session): string | undefined {
  return enabled.has('QRESYNC') ? `HIGHESTMODSEQ ${selected?.modseq ?? 1}` : undefined
}

function tellNew({ output }: Session, selected: SelectedMailbox): number[] {
  const { messages, mailbox } = selected.snapshot
  const added: number[] = []
  for (const uid of messages.keys()) if (uid > selected.lastUid) added.push(uid)
  selected.lastUid = Math.max(selected.lastUid, (mailbox?.uidNext ?? 1) - 1)
  if (added.length === 0) return added
  for (const uid of added) selected.uids.push(uid)
  output.line(`* ${selected.uids.length} EXISTS`)
  return added
}
