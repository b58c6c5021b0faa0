import { InvalidCursorType, InvalidCursorValue } from './contract.ts'
import { checkPage, decodeCursor, encodeCursor } from './cursor.ts'

/** Where a list of all mailboxes continues. */
export interface AllPosition {
  readonly page: number
  /** UIDs by mailbox number: messages from this UID on were shown before, or are new. */
  readonly bounds: ReadonlyMap<number, number>
}

const ENTRY_BYTES = 8
const UINT32_BYTES = 4

export function allCursor({ page, bounds }: AllPosition): string {
  const bytes = Buffer.alloc(bounds.size * ENTRY_BYTES)
  for (const [index, [number, bound]] of [...bounds].entries()) {
    bytes.writeUInt32BE(number, index * ENTRY_BYTES)
    bytes.writeUInt32BE(bound, index * ENTRY_BYTES + UINT32_BYTES)
  }
  return encodeCursor({ page, all: bytes.toString('base64url') })
}

export function parseAllCursor(cursor: string): AllPosition {
  const { page, all } = decodeCursor(cursor)
  if (all === undefined) throw new InvalidCursorType()
  const bytes = typeof all === 'string' ? Buffer.from(all, 'base64url') : undefined
  if (bytes === undefined || bytes.length % ENTRY_BYTES > 0) throw new InvalidCursorValue()
  const bounds = new Map<number, number>()
  for (let at = 0; at < bytes.length; at += ENTRY_BYTES) {
    bounds.set(bytes.readUInt32BE(at), bytes.readUInt32BE(at + UINT32_BYTES))
  }
  return { page: checkPage(page), bounds }
}
