import { FolderNotFound } from '../messages/contract.ts'
import { isRejected } from '../messages/rejected-command.ts'
import {
  findWatchedMailbox,
  MailboxChanged,
  type WatchedMailboxRow
} from '../store/watched-mailboxes.ts'
import type { ChangeSession } from './change-session.ts'
import { compareMailbox } from './compare-mailbox.ts'
import { parseDetails } from './mailbox-details.ts'
import type { MailboxState } from './mailbox-state.ts'
import { needsComparison } from './needs-comparison.ts'
import { type MailboxSnapshot, openSnapshot } from './open-snapshot.ts'
import { canBeSelected, countRejection, forgetRejections } from './rejected-mailboxes.ts'

/** For a moment another process may watch the account too. */
const MAX_ATTEMPTS = 3

/**
 * Compares a mailbox with what is stored about it, and stores the difference with its events. The
 * mailbox is selected afterwards, unless its status shows that nothing has changed. A mailbox that
 * is gone or cannot be selected is left as it is.
 */
export async function reconcileMailbox(session: ChangeSession, state: MailboxState): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      await reconcile(session, state)
      return
    } catch (error) {
      if (!(error instanceof MailboxChanged)) throw error
    }
  }
}

async function reconcile(session: ChangeSession, state: MailboxState): Promise<void> {
  const { account, context } = session
  const { database, now } = context.kernel
  const row = await database.read(() => findWatchedMailbox(account.id, state.path))
  if (row !== undefined && parseDetails(row.details).kind === 'unwatched') return
  if (!isDue(row, state, now().getTime(), session.flagsSince)) return
  const snapshot = await open(session, state)
  if (snapshot !== undefined) await compareMailbox({ session, state, row, snapshot })
}

/** Without CONDSTORE the status does not tell of changed flags. */
function isDue(
  row: WatchedMailboxRow | undefined,
  state: MailboxState,
  time: number,
  flagsSince: number | undefined
): boolean {
  const { status, isNoticed } = state
  if (isNoticed && (row?.highest_modseq === null || status?.highestModseq === undefined))
    return true
  return needsComparison(row, status, time, flagsSince)
}

async function open(
  { client, context }: ChangeSession,
  { path, status }: MailboxState
): Promise<MailboxSnapshot | undefined> {
  const time = context.kernel.now().getTime()
  if (!canBeSelected(client, path, status, time)) return undefined
  try {
    const snapshot = await openSnapshot(client, path)
    forgetRejections(client, path)
    return snapshot
  } catch (error) {
    // The next list tells that it is gone.
    if (error instanceof FolderNotFound) return undefined
    if (!isRejected(error)) throw error
    countRejection(client, path, status, time)
    return undefined
  }
}
