import { SYSTEM_FIELDS } from '../contract.ts'
import { queryCopy } from './query-copy.ts'
import {
  type Member,
  mayBeReserved,
  type ScanLimits,
  type ScannedObject,
  scanBody,
  scanSteps,
  skipSpace
} from './scan.ts'

/** One record as it is stored. */
export interface SentRecord {
  /** The object as it was sent, byte for byte, without the reserved members. */
  readonly raw: string
  /** The copy for queries. */
  readonly doc: string
}

export interface SentBody {
  readonly many: boolean
  /** Number of records sent; `records` holds at most `keep` of them. */
  readonly count: number
  readonly records: readonly SentRecord[]
}

/** Members that the service adds to a record in a response. */
export interface SystemMembers {
  readonly id: string
  readonly createdOn: string
  readonly updatedOn?: string | undefined
  readonly collection?: string | undefined
}

const SPACE_CODE = 0x20
const SPACE = /^[ \t\n\r]*$/

export function readBody(text: string): SentBody {
  const { many, count, objects } = scanBody(text, { reservedOnly: true })
  const records = objects.map((object) => {
    const raw = cutReserved(text, object)
    return { raw, doc: queryCopy(raw, object) }
  })
  return { many, count, records }
}

/** `readBody` that yields to the event loop between records and during long ones. */
export async function readBodySlowly(
  text: string,
  limits: Omit<ScanLimits, 'reservedOnly'>,
  yieldToEventLoop: () => Promise<void> | undefined
): Promise<SentBody> {
  const steps = scanSteps(text, { ...limits, reservedOnly: true })
  let step = steps.next()
  for (; !step.done; step = steps.next()) {
    const pause = yieldToEventLoop()
    if (pause !== undefined) await pause
  }
  const { many, count, objects } = step.value
  const records: SentRecord[] = []
  for (const object of objects) {
    const raw = cutReserved(text, object)
    let pause = yieldToEventLoop()
    if (pause !== undefined) await pause
    records.push({ raw, doc: queryCopy(raw, object) })
    pause = yieldToEventLoop()
    if (pause !== undefined) await pause
  }
  return { many, count, records }
}

/** The text of the object without the reserved members and the space around them. */
export function cutReserved(text: string, { start, end, members }: ScannedObject): string {
  const reserved = members.filter((member) => isReserved(text, member))
  if (reserved.length === 0) return text.slice(start, end)
  const kept: string[] = []
  let from = start + 1
  for (const { keyStart, valueEnd } of reserved) {
    const separator = skipSpaceBefore(text, keyStart)
    if (separator > from) kept.push(text.slice(from, separator))
    from = skipSpace(text, valueEnd) + 1
  }
  if (from < end) kept.push(text.slice(from, end - 1))
  return `{${kept.join(',')}}`
}

/** Position of the comma or brace before a key. */
function skipSpaceBefore(text: string, keyStart: number): number {
  let at = keyStart - 1
  while (text.charCodeAt(at) <= SPACE_CODE) at--
  return at
}

function isReserved(text: string, { keyStart, keyEnd }: Member): boolean {
  if (!mayBeReserved(text, keyStart)) return false
  return SYSTEM_FIELDS.includes(JSON.parse(text.slice(keyStart, keyEnd)))
}

/** The response for a stored record, which is not parsed for it. */
export function splice(raw: string, system: SystemMembers): string {
  const inside = raw.slice(1, -1)
  let text = `{"_id":"${system.id}"${SPACE.test(inside) ? '' : ','}${inside}`
  text += `,"_createdOn":"${system.createdOn}"`
  if (system.updatedOn !== undefined) text += `,"_updatedOn":"${system.updatedOn}"`
  if (system.collection !== undefined) {
    text += `,"_collection":${JSON.stringify(system.collection)}`
  }
  return `${text}}`
}

export function joinList(records: readonly string[]): string {
  return `[${records.join(',')}]`
}
