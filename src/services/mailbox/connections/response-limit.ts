import type { ResponseCount } from './guard-responses.ts'

/** Maximum number of responses to one command; imapflow collects them in memory. */
const LIMITS: ReadonlyMap<string, number> = new Map([
  ['LIST', 20_000],
  ['LSUB', 20_000],
  ['XLIST', 20_000],
  ['FETCH', 100_000],
  ['SEARCH', 1000],
  ['STATUS', 1000]
])
/** STORE, MOVE and EXPUNGE respond with a line for each message. */
const OTHER_LIMIT = 5_000_000
/** Without a command: changes of the mailbox that the server reports. */
const IDLE_LIMIT = 10_000
/** Of all responses to one command; downloads are fetched in small pieces. */
const MAX_BYTES = 128 * 1024 * 1024
/** Of a byte in a line that imapflow parses, compared to all others. */
const LINE_WEIGHT = 8

/** `5 UID FETCH 1:20 (…)`, as the log of imapflow has commands. */
const COMMAND = /^(\S+) (?:UID )?([A-Z]+)/i

/** Counts what a server sends. */
export interface ResponseLimit {
  /** A command was sent, or the rest of one. */
  sent: (line: string) => void
  /** False if this is more than is allowed. */
  received: (response: ResponseCount) => boolean
}

export function createResponseLimit(): ResponseLimit {
  let tag = ''
  let limit = OTHER_LIMIT
  let count = 0
  let takenCount = 0
  let bytes = 0

  function begin(responses: number): void {
    limit = responses
    count = 0
    takenCount = 0
    bytes = 0
  }

  return {
    sent(line) {
      const [, newTag, name = ''] = COMMAND.exec(line) ?? []
      if (newTag === undefined) return
      tag = `${newTag} `
      begin(LIMITS.get(name.toUpperCase()) ?? OTHER_LIMIT)
    },
    received({ line, lineBytes, literalBytes, isTaken }) {
      if (isTaken) takenCount++
      else count++
      bytes += (isTaken ? 1 : LINE_WEIGHT) * lineBytes + literalBytes
      const isAllowed = count <= limit && takenCount <= OTHER_LIMIT && bytes <= MAX_BYTES
      if (tag !== '' && line.startsWith(tag)) begin(IDLE_LIMIT)
      return isAllowed
    }
  }
}
