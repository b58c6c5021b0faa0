import type { ArchiveEntry } from '../../../../kernel/archive-source/entries.ts'
import { UserError } from '../../../../kernel/errors.ts'
import { type ArrayPosition, ItemScanner, type ScannedItem } from './item-scanner.ts'

/** The longest posts have 25,000 characters, each of up to twelve bytes in JSON. */
export const MAX_ITEM_BYTES = 1024 * 1024
/** Of a file that is read as a whole, such as a manifest. */
const MAX_WHOLE_BYTES = 16 * 1024 * 1024

export type JsonObject = Readonly<Record<string, unknown>>

export interface JsonItem {
  value: JsonObject
  /** The JSON of the item as it is in the file. */
  text: string
  /** Position after the item. */
  end: number
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The items of the array in a file, one after the other; only one chunk is in memory. */
export async function* readItems(
  entry: ArchiveEntry,
  array: ArrayPosition = 'assignment'
): AsyncGenerator<JsonItem, void, void> {
  const scanner = new ItemScanner({
    array,
    maxItemBytes: MAX_ITEM_BYTES,
    fail: (position, problem) => damagedFile(entry, position, problem)
  })
  for await (const chunk of entry.read()) {
    for (const item of scanner.push(chunk)) yield parseItem(entry, item)
  }
  scanner.end()
}

function parseItem(entry: ArchiveEntry, { bytes, start, end }: ScannedItem): JsonItem {
  const text = decode(entry, bytes, start)
  return { value: parseObject(entry, text, start), text, end }
}

function decode(entry: ArchiveEntry, bytes: Uint8Array, start: number): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw damagedFile(entry, start, 'it is not UTF-8', cause)
  }
}

function parseObject(entry: ArchiveEntry, text: string, start: number): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const reason = (cause as Error).message.replace(/\s+/g, ' ')
    throw damagedFile(entry, start, `it is not valid JSON (${reason})`, cause)
  }
  if (isObject(value)) return value
  throw damagedFile(entry, start, 'an object is expected')
}

/** The object in a small file, after the first `=` if it is an assignment. */
export async function readObject(entry: ArchiveEntry): Promise<JsonObject> {
  if (entry.size > MAX_WHOLE_BYTES) {
    throw damagedFile(entry, 0, `it is larger than ${MAX_WHOLE_BYTES} bytes`)
  }
  const chunks: Buffer[] = []
  for await (const chunk of entry.read()) chunks.push(chunk)
  const text = decode(entry, Buffer.concat(chunks), 0)
  const isAssignment = !/^\s*\{/.test(text)
  const start = isAssignment ? text.indexOf('=') + 1 : 0
  return parseObject(entry, text.slice(start).replace(/;\s*$/, ''), start)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function damagedFile(
  entry: ArchiveEntry,
  position: number,
  problem: string,
  cause?: unknown
): UserError {
  const text = `Cannot read ${entry.label} at byte ${position}: ${problem}; download or copy the archive again`
  return new UserError(text, { cause })
}
