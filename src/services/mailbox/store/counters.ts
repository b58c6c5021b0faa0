import { query, type Transaction } from '../../../kernel/database/transaction.ts'

// The tables may have been emptied, so the rows are made at first use.
const TAKE_NUMBERS = `
  insert into sandbox_counters (name, value) values ('messages', ?)
  on conflict (name) do update set value = sandbox_counters.value + excluded.value
  returning value`

/**
 * The first of so many numbers for messages. Other transactions wait for the commit, so a number is
 * visible before all greater ones. Contents and files must be changed before: they are shared, too.
 */
export function* takeNumbers(count: number): Transaction<number> {
  const [row] = yield* query<{ value: number }>(TAKE_NUMBERS, count)
  return (row?.value ?? count) - count + 1
}

const TAKE_MAILBOX_IDS = `
  insert into sandbox_counters (name, value) values ('mailboxes', ?)
  on conflict (name) do update set value = case
    when sandbox_counters.value + ? > excluded.value then sandbox_counters.value + ?
    else excluded.value end
  returning value`

/** The first of so many ids: the Unix seconds, or one more than the last id if that is more. */
export function* takeMailboxIds(count: number, now: number): Transaction<number> {
  const last = Math.floor(now / 1000) + count - 1
  const [row] = yield* query<{ value: number }>(TAKE_MAILBOX_IDS, last, count, count)
  return (row?.value ?? last) - count + 1
}
