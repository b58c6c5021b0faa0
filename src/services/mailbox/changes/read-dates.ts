import type { ImapFlow } from 'imapflow'
import type { MessageLine } from '../connections/fetch-line.ts'
import { collectLines } from '../connections/line-sinks.ts'
import { setsOf, type UidRanges } from './uid-ranges.ts'

/**
 * UIDs of the selected mailbox, of these, that arrived at a time or later, in Unix milliseconds.
 * Those without a valid date count as later.
 */
export async function readArrivals(
  client: ImapFlow,
  uids: UidRanges,
  since: number
): Promise<ReadonlySet<number>> {
  const arrivals = new Set<number>()
  function add(uid: number, date: Date | string): void {
    const time = new Date(date).getTime()
    if (Number.isNaN(time) || time >= since) arrivals.add(uid)
  }
  const message = ({ uid, internalDate }: MessageLine) => {
    if (internalDate !== undefined) add(uid, internalDate)
  }
  const query = { uid: true, internalDate: true }
  for (const set of setsOf(uids)) {
    await collectLines(client, { message }, async () => {
      // Only responses that are not simple lines.
      for await (const { uid, internalDate } of client.fetch(set, query, { uid: true })) {
        if (uid > 0 && internalDate !== undefined) add(uid, internalDate)
      }
    })
  }
  return arrivals
}
