import type { Transaction } from '../../../kernel/database/transaction.ts'
import { removeOldEventCounts } from '../store/event-counts.ts'
import { removeOldKeys } from '../store/submission-keys.ts'
import { removeEndedSubmissions } from '../store/submissions.ts'

const DAY_MS = 24 * 60 * 60_000
/** How long ended messages are shown, without their content. */
const SUBMITTED_MS = DAY_MS
const FAILED_MS = 7 * DAY_MS
/** Old rows are removed with one of so many messages that end. */
const EVERY = 20

/** Belongs to the transaction that ends a message. The newest `queueKeep` messages stay. */
export function* cleanUp(queueKeep: number, time: number): Transaction<void> {
  if (Math.random() * EVERY >= 1) return
  yield* removeEndedSubmissions('submitted', time - SUBMITTED_MS, queueKeep)
  yield* removeEndedSubmissions('failed', time - FAILED_MS, queueKeep)
  yield* removeOldKeys(time)
  yield* removeOldEventCounts(time)
}
