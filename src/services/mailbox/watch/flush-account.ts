import type { ImapIndexer } from '../accounts/account.ts'
import type { MailboxContext } from '../context.ts'
import { AccountNotFound } from '../contract.ts'
import {
  changeMailAccount,
  findMailAccount,
  mailAccountOf,
  nextRevision
} from '../store/mail-accounts.ts'
import { notifyWatching } from '../store/wanted-events.ts'
import { detailsOf, dropIndex, findWatchedAccount } from '../store/watched-accounts.ts'

/** After this time another request begins again: the server may not be reachable for long. */
const MAX_FLUSH_MS = 10 * 60_000

export interface FlushOptions {
  readonly notifyFrom?: string
  readonly imapIndexer?: ImapIndexer
}

/**
 * Forgets what is known about the mailboxes of an account; they are read again without events, except
 * of mail since `notifyFrom`. False while an earlier request is not done.
 */
export async function flushAccount(
  context: MailboxContext,
  id: string,
  { notifyFrom, imapIndexer }: FlushOptions
): Promise<boolean> {
  const { database, now } = context.kernel
  const time = now().getTime()
  const from = new Date(notifyFrom ?? time).toISOString()
  // What is being compared must not be stored after the index is gone.
  const resume = await context.watch.watcher()?.pause(id)
  try {
    return await database.write(function* () {
      const row = yield* findMailAccount(id)
      if (row === undefined) throw new AccountNotFound()
      const watched = yield* findWatchedAccount(id)
      const { flushedAt = 0 } = detailsOf(watched)
      if (watched?.initialized_at === null && time - flushedAt < MAX_FLUSH_MS) return false
      const account = mailAccountOf(row, 0)
      const settings = {
        ...account.settings,
        notifyFrom: from,
        ...(imapIndexer !== undefined && { imapIndexer })
      }
      yield* changeMailAccount({ ...account, settings }, row.secrets)
      yield* nextRevision(id, 'init', time)
      yield* dropIndex(id, time)
      yield* notifyWatching()
      return true
    })
  } finally {
    resume?.()
    const { connections } = await context.daemon()
    connections.reset(id)
    context.watch.wake()
  }
}
