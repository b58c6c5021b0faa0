import type { ImapFlow } from 'imapflow'
import type { ChangeSession } from './change-session.ts'
import { readArrivals } from './read-dates.ts'
import { searchSince } from './search-all.ts'

const DAY_MS = 24 * 60 * 60_000
const SECOND_MS = 1000

/** Unix milliseconds: mail that arrived earlier is not announced. Servers know whole seconds. */
export function notifyFromOf({ account, notifyFrom }: ChangeSession): number {
  const named = Date.parse(account.settings.notifyFrom ?? '')
  const time = notifyFrom ?? (Number.isFinite(named) ? named : account.createdAt)
  return wholeSeconds(time)
}

export function wholeSeconds(time: number): number {
  return Math.floor(time / SECOND_MS) * SECOND_MS
}

/** UIDs of the selected mailbox that arrived at a time or later. */
export async function findArrivals(client: ImapFlow, since: number): Promise<ReadonlySet<number>> {
  // SEARCH compares days, of whatever time zone the server has.
  const candidates = await searchSince(client, new Date(since - DAY_MS))
  return readArrivals(client, candidates, since)
}
