import type { Copied, Mailbox } from '../../mail-store.ts'
import { scanMailbox } from '../mailbox-names.ts'
import { selectUids } from '../session/message-set.ts'
import {
  accountOf,
  type Command,
  EXPUNGED,
  type Invocation,
  READ_ONLY,
  type Session,
  selectedOf
} from '../session/session.ts'
import { mailboxMissing } from '../wire/errors.ts'
import { formatOrdered } from '../wire/sequence-set.ts'

const NO_MESSAGES = { text: 'No messages found.' }

export const copy: Command = {
  state: 'selected',
  hasUidForm: true,
  async run(session, invocation) {
    const { uids, name } = scanTransfer(session, invocation)
    if (uids.length === 0) return NO_MESSAGES
    const target = await findTarget(session, name)
    if (await hasExpunged(session, uids)) return EXPUNGED
    const { store } = session.server.context
    const copied = await store.copy(selectedOf(session).id, uids, target.id)
    if (copied === undefined) throw mailboxMissing(name, 'TRYCREATE')
    if (copied.from.length === 0) return NO_MESSAGES
    return { text: 'Copy completed.', code: copyUid(session, copied) }
  }
}

export const move: Command = {
  state: 'selected',
  hasUidForm: true,
  extensions: ['MOVE'],
  async run(session, invocation) {
    const { uids, name } = scanTransfer(session, invocation)
    const selected = selectedOf(session)
    if (uids.length === 0) return NO_MESSAGES
    const target = await findTarget(session, name)
    if (selected.isReadOnly) return READ_ONLY
    if (await hasExpunged(session, uids)) return EXPUNGED
    const moved = await session.server.context.store.move(selected.id, uids, target.id)
    if (moved === undefined) throw mailboxMissing(name, 'TRYCREATE')
    if (moved.from.length === 0) return NO_MESSAGES
    const code = copyUid(session, moved)
    if (code !== undefined) session.output.line(`* OK [${code}] Moved UIDs.`)
    return { text: 'Move completed.' }
  }
}

function scanTransfer(
  session: Session,
  { scanner, isUid }: Invocation
): { uids: readonly number[]; name: string } {
  scanner.space()
  const set = scanner.sequenceSet()
  scanner.space()
  const name = scanMailbox(scanner)
  scanner.end()
  return { uids: selectUids(selectedOf(session), set, isUid), name }
}

/** Whether messages that the client still knows do not exist any more; none is copied then. */
async function hasExpunged(session: Session, uids: readonly number[]): Promise<boolean> {
  const { snapshot } = selectedOf(session)
  await snapshot.refresh()
  return uids.some((uid) => !snapshot.messages.has(uid))
}

async function findTarget(session: Session, name: string): Promise<Mailbox> {
  const target = await session.server.context.store.findMailbox(accountOf(session).id, name)
  if (target === undefined) throw mailboxMissing(name, 'TRYCREATE')
  return target
}

function copyUid({ server }: Session, { uidValidity, from, to }: Copied): string | undefined {
  if (!server.extensions.has('UIDPLUS')) return undefined
  return `COPYUID ${uidValidity} ${formatOrdered(from)} ${formatOrdered(to)}`
}
