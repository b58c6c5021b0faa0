import { MAX_UID } from '../changes/uid-ranges.ts'

/** What a response of FETCH tells about a message. */
export interface MessageLine {
  readonly uid: number
  readonly flags?: readonly string[] | undefined
  /** Of Gmail. */
  readonly labels?: readonly string[] | undefined
  /** Of its arrival, such as `17-Jul-1996 02:44:25 -0700`. */
  readonly internalDate?: string | undefined
}

/** Longer ones are left to imapflow. */
const MAX_BYTES = 64 * 1024

const LINE = /^\* \d{1,10} FETCH \(/i
/** `UID 5`, `FLAGS (\Seen)`, `MODSEQ (7)`, `INTERNALDATE "…"`; nothing with literals or brackets. */
const ITEM =
  /([A-Z0-9.-]+) (?:\(((?:[^()"{]|"(?:[^"\\]|\\.)*")*)\)|"((?:[^"\\]|\\.)*)"|([^\s()"{]+))/iy
const LABEL = /"((?:[^"\\]|\\.)*)"|([^\s"]+)/g

/**
 * The UID with flags or a date; undefined for all other responses. It takes 2 µs, and 50 with
 * imapflow: a mailbox may have a hundred thousand messages.
 */
export function parseFetchLine(payload: Buffer): MessageLine | undefined {
  if (payload.length > MAX_BYTES) return undefined
  const text = payload.toString()
  const start = LINE.exec(text)
  if (start === null) return undefined
  let uid = 0
  let flags: readonly string[] | undefined
  let labels: readonly string[] | undefined
  let internalDate: string | undefined
  ITEM.lastIndex = start[0].length
  for (;;) {
    const item = ITEM.exec(text)
    if (item === null) return undefined
    const [, name = '', list, quoted, atom] = item
    switch (name.toUpperCase()) {
      case 'UID':
        uid = Number(atom)
        break
      case 'FLAGS':
        flags = list?.split(' ').filter((flag) => flag !== '')
        break
      case 'X-GM-LABELS':
        labels = list === undefined ? undefined : labelsOf(list)
        break
      case 'INTERNALDATE':
        internalDate = quoted
    }
    const end = ITEM.lastIndex
    if (text[end] === ' ') ITEM.lastIndex++
    else if (text[end] === ')' && end === text.length - 1) break
    else return undefined
  }
  const isUid = Number.isInteger(uid) && uid >= 1 && uid <= MAX_UID
  if (!isUid || (flags === undefined && internalDate === undefined)) return undefined
  return { uid, flags, labels, internalDate }
}

function labelsOf(list: string): string[] {
  return Array.from(list.matchAll(LABEL), ([, quoted, atom]) =>
    quoted === undefined ? (atom ?? '') : quoted.replace(/\\(.)/g, '$1')
  )
}
