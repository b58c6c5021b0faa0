import { query, type Transaction } from '../../../kernel/database/transaction.ts'

/** Events after a number in their order, or before one with the newest first. */
export type EventRange = { readonly after: number } | { readonly before: number | undefined }

/** Numbers of events that one read looks at: some milliseconds, as SQLite runs nothing else then. */
export const LOG_WINDOW = 10_000

export interface LogPart {
  /** The last number that is looked at. */
  readonly end: number
  /** Whether there are no others behind it. */
  readonly isLast: boolean
}

/** The numbers of a range that one read looks at: all without `window`. */
export function* partOf(
  range: EventRange,
  head: number,
  window = Number.POSITIVE_INFINITY
): Transaction<LogPart> {
  const [row] = yield* query<{ tail: number | null }>('select min(number) as tail from events')
  const tail = row?.tail ?? 0
  if ('after' in range) {
    const end = Math.max(range.after, tail - 1) + window
    return end < head ? { end, isLast: false } : { end: head, isLast: true }
  }
  const end = Math.min(range.before ?? head + 1, head + 1) - window
  return end > tail ? { end, isLast: false } : { end: tail, isLast: true }
}
