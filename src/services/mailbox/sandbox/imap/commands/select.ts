import { scanMailbox } from '../mailbox-names.ts'
import { flagsLine, permanentFlagsLine } from '../session/flags.ts'
import {
  accountOf,
  type Command,
  type Completion,
  type Invocation,
  type SelectedMailbox,
  type Session,
  selectedOf,
  unselect
} from '../session/session.ts'
import type { Snapshot } from '../session/snapshot.ts'
import { tellMessage } from '../session/sync.ts'
import { mailboxMissing } from '../wire/errors.ts'
import { formatNumbers, selectNumbers } from '../wire/sequence-set.ts'
import { mailboxId } from './mailboxes.ts'
import { type KnownState, scanSelectOptions } from './select-options.ts'

export const select: Command = {
  state: 'authenticated',
  run: (session, invocation) => open(session, invocation, false)
}

export const examine: Command = {
  state: 'authenticated',
  run: (session, invocation) => open(session, invocation, true)
}

async function open(
  session: Session,
  { scanner }: Invocation,
  isReadOnly: boolean
): Promise<Completion> {
  scanner.space()
  const name = scanMailbox(scanner)
  const { enablesCondstore, known } = scanSelectOptions(session, scanner)
  if (session.selected !== undefined) {
    unselect(session)
    session.output.line('* OK [CLOSED] Previous mailbox closed.')
  }
  const { context, snapshots } = session.server
  const mailbox = await context.store.findMailbox(accountOf(session).id, name)
  const snapshot = mailbox === undefined ? undefined : await snapshots.acquire(mailbox)
  if (snapshot === undefined) throw mailboxMissing(name)
  if (enablesCondstore) session.enabled.add('CONDSTORE')
  const selected = selectedFrom(snapshot, isReadOnly)
  session.selected = selected
  tellMailbox(session, selected)
  if (known !== undefined) await tellSince(session, selected, known)
  return {
    text: isReadOnly ? 'Examine completed.' : 'Select completed.',
    code: isReadOnly ? 'READ-ONLY' : 'READ-WRITE',
    isSynced: true
  }
}

function selectedFrom(snapshot: Snapshot, isReadOnly: boolean): SelectedMailbox {
  const { mailbox, modseq, messages, keywords } = snapshot
  return {
    snapshot,
    id: mailbox?.id ?? 0,
    isReadOnly,
    uids: [...messages.keys()],
    lastUid: (mailbox?.uidNext ?? 1) - 1,
    modseq,
    told: new Map(),
    keywords: keywords.size
  }
}

function tellMailbox({ output, server }: Session, selected: SelectedMailbox): void {
  const { snapshot, uids, isReadOnly } = selected
  const { mailbox, keywords, messages, modseq } = snapshot
  output.line(flagsLine(keywords.values()))
  output.line(permanentFlagsLine(keywords.values(), isReadOnly))
  output.line(`* ${uids.length} EXISTS`)
  output.line('* 0 RECENT')
  const unseen = uids.findIndex((uid) => messages.get(uid)?.flags.includes('\\Seen') === false)
  if (unseen !== -1) output.line(`* OK [UNSEEN ${unseen + 1}] First unseen.`)
  output.line(`* OK [UIDVALIDITY ${mailbox?.uidValidity ?? 1}] UIDs valid`)
  output.line(`* OK [UIDNEXT ${mailbox?.uidNext ?? 1}] Predicted next UID`)
  if (server.extensions.has('CONDSTORE')) output.line(`* OK [HIGHESTMODSEQ ${modseq}] Highest`)
  if (server.extensions.has('OBJECTID')) {
    output.line(`* OK [MAILBOXID (${mailboxId(selected.id)})] Ok`)
  }
}

/** RFC 7162 3.2.5: what has changed since the client was here. */
async function tellSince(
  session: Session,
  { snapshot, uids, id, lastUid }: SelectedMailbox,
  known: KnownState
): Promise<void> {
  if (snapshot.mailbox?.uidValidity !== known.uidValidity) return
  const selectKnown = (numbers: readonly number[]) =>
    known.uids === undefined ? numbers : selectNumbers(known.uids, numbers)
  const { expunged } = await session.server.context.store.changesSince(id, known.modseq)
  const gone = expunged.filter((uid) => uid <= lastUid && !snapshot.messages.has(uid))
  const vanished = selectKnown(gone.toSorted((left, right) => left - right))
  if (vanished.length > 0) session.output.line(`* VANISHED (EARLIER) ${formatNumbers(vanished)}`)
  const told = new Set(selectKnown(uids))
  for (const [index, uid] of uids.entries()) {
    const message = snapshot.messages.get(uid)
    if (message === undefined || message.modseq <= known.modseq || !told.has(uid)) continue
    tellMessage(session, index + 1, message, true)
  }
}

export const close: Command = {
  state: 'selected',
  async run(session, { scanner }) {
    scanner.end()
    const { id, isReadOnly, uids } = selectedOf(session)
    if (!isReadOnly) await session.server.context.store.expunge(id, uids)
    unselect(session)
    return { text: 'Close completed.' }
  }
}

export const unselectMailbox: Command = {
  state: 'selected',
  extensions: ['UNSELECT'],
  async run(session, { scanner }) {
    scanner.end()
    unselect(session)
    return { text: 'Unselect completed.' }
  }
}
