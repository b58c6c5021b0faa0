import { NO_UIDS, parseUidRanges, type UidRanges } from '../changes/uid-ranges.ts'

const VANISHED = /^\* VANISHED (?:\(EARLIER\) )?/i
const SEARCH = /^\* SEARCH(?: |$)/i
const ESEARCH = /^\* ESEARCH(?: \(TAG (?:"[^"]{0,64}"|[^ ()"]{1,64})\))?(?: UID)?/i
const ALL = /^ ALL /i
/** The longest beginning of such lines. */
const MAX_START_BYTES = 128

/** The UIDs of removed messages; undefined for other responses, and if the UIDs are not valid. */
export function parseVanishedLine(payload: Buffer): UidRanges | undefined {
  const match = VANISHED.exec(startOf(payload))
  return match === null ? undefined : parseUidRanges(payload, match[0].length)
}

/** The UIDs of a response to UID SEARCH; undefined for other responses. */
export function parseFoundLine(payload: Buffer): UidRanges | undefined {
  const start = startOf(payload)
  const search = SEARCH.exec(start)
  if (search !== null) return parseUidRanges(payload, search[0].length)
  const esearch = ESEARCH.exec(start)
  if (esearch === null) return undefined
  const at = esearch[0].length
  // Without messages there is no ALL.
  if (at === payload.length) return NO_UIDS
  const all = ALL.exec(start.slice(at))
  return all === null ? undefined : parseUidRanges(payload, at + all[0].length)
}

function startOf(payload: Buffer): string {
  return payload.toString('latin1', 0, MAX_START_BYTES)
}
