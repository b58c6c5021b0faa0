import { isStorageError } from '../../../kernel/errors.ts'
import type { MailboxContext } from '../context.ts'
import { findUnwanted, wantEvents } from '../store/wanted-events.ts'

/** How long the accounts of the sandbox are watched after their events were read. */
const WANTED_MS = 10 * 60_000
/** Readers renew it this often at most. */
export const RENEW_MS = 60_000

/** Keeps the accounts of a reader of events watched; undefined stands for all. */
export async function wantEventsOf(
  { kernel: { database, now }, watch }: Pick<MailboxContext, 'kernel' | 'watch'>,
  accounts: readonly string[] | undefined
): Promise<void> {
  const time = now().getTime()
  // Rows that are valid for long enough are not written again.
  const unwanted = await database.read(() => findUnwanted(accounts, time + WANTED_MS - RENEW_MS))
  if (unwanted?.length === 0) return
  try {
    await database.write(() => wantEvents(unwanted, time + WANTED_MS, time))
  } catch (error) {
    // The log can be read while the disk is full.
    if (isStorageError(error)) return
    throw error
  }
  watch.wake()
}
