import { numberOfMailbox } from '../messages/mailbox-numbers.ts'
import type { WatchedMailboxRow } from '../store/watched-mailboxes.ts'
import { firstReading } from './first-reading.ts'
import { indexKindOf } from './index-kind.ts'
import { parseDetails } from './mailbox-details.ts'
import { createMessageIndex, decodeIndex, type MessageIndex } from './message-index.ts'
import { nextReading } from './next-reading.ts'
import type { OpenedMailbox, Reading } from './reading.ts'
import { storeChanges } from './store-changes.ts'

/** Compares the selected mailbox with its row, and stores the difference with its events. */
export async function compareMailbox(opened: OpenedMailbox): Promise<void> {
  const { session, row, snapshot } = opened
  const kind = await indexKindOf(session)
  const index = row && (await decodeIndex(row.message_index))
  const isKnown = row !== undefined && isReadable(row, index)
  const reading =
    isKnown && row.uid_validity === snapshot.uidValidity
      ? await nextReading(opened, row, index ?? createMessageIndex(), kind)
      : await firstReading(opened, isKnown, kind)
  if (reading !== undefined) await store(opened, reading)
}

function isReadable({ details }: WatchedMailboxRow, index: MessageIndex | undefined): boolean {
  const { kind } = parseDetails(details)
  return kind === 'fast' || (kind === 'full' && index !== undefined)
}

async function store(opened: OpenedMailbox, reading: Reading): Promise<void> {
  const { session, state, row, snapshot } = opened
  const { client, account, context } = session
  const number = await numberOfMailbox(context.kernel.database, client, account.id, snapshot)
  const { path, specialUse } = state
  const mailbox = { account: account.id, path, specialUse, number }
  await storeChanges({ ...reading, session, mailbox, snapshot, revision: row?.revision ?? 0 })
}
