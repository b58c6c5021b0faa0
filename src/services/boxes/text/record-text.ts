import { SYSTEM_FIELDS } from '../contract.ts'
import { queryCopy } from './query-copy.ts'
import { type Member, type ScanLimits, type ScannedObject, scanBody, scanSteps } from './scan.ts'

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

const UNDERSCORE = 0x5f
const BACKSLASH = 0x5c
const SPACE = /^[ \t\n\r]*$/

export function readBody(text: string, keep?: number): SentBody {
  const { many, count, objects } = scanBody(text, keep)
  return { many, count, records: objects.map((object) => readObject(text, object)) }
}

/** `readBody` that yields to the event loop between records and during long ones. */
export async function readBodySlowly(
  text: string,
  limits: ScanLimits,
  yieldToEventLoop: () => Promise<void> | undefined
): Promise<SentBody> {
  const steps = scanSteps(text, limits)
  let step = steps.next()
  for (; !step.done; step = steps.next()) {
    const pause = yieldToEventLoop()
    if (pause !== undefined) await pause
  }
  const { many, count, objects } = step.value
  const records: SentRecord[] = []
  for (const object of objects) {
    const pause = yieldToEventLoop()
    if (pause !== undefined) await pause
    records.push(readObject(text, object))
  }
  return { many, count, records }
}

function readObject(text: string, object: ScannedObject): SentRecord {
  const raw = cutReserved(text, object)
  return { raw, doc: queryCopy(raw, object.plain) }
}

/** The text of the object without the reserved members and the space around them. */
export function cutReserved(text: string, { start, end, members }: ScannedObject): string {
  if (!members.some((member) => isReserved(text, member))) return text.slice(start, end)
  const kept: string[] = []
  let from = start + 1
  members.forEach((member, index) => {
    const isLast = index === members.length - 1
    const to = isLast ? end - 1 : text.indexOf(',', member.valueEnd)
    if (!isReserved(text, member)) kept.push(text.slice(from, to))
    from = to + 1
  })
  return `{${kept.join(',')}}`
}

function isReserved(text: string, { keyStart, keyEnd }: Member): boolean {
  const first = text.charCodeAt(keyStart + 1)
  if (first !== UNDERSCORE && first !== BACKSLASH) return false
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
