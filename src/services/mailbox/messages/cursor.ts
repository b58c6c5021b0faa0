import { isObject } from '../../../kernel/json.ts'
import { InvalidCursorType, InvalidCursorValue } from './contract.ts'

const PREFIX = 'imap_'
const MAX_PAGE = 1_048_576

/** The page of a list of one mailbox. */
export function pageCursor(page: number): string {
  return encodeCursor({ page })
}

export function parsePageCursor(cursor: string): number {
  const { page, ...more } = decodeCursor(cursor)
  if (Object.keys(more).length > 0) throw new InvalidCursorType()
  return checkPage(page)
}

export function encodeCursor(value: object): string {
  return PREFIX + Buffer.from(JSON.stringify(value)).toString('base64url')
}

export function decodeCursor(cursor: string): Readonly<Record<string, unknown>> {
  if (!cursor.startsWith(PREFIX)) throw new InvalidCursorType()
  try {
    const text = Buffer.from(cursor.slice(PREFIX.length), 'base64url').toString()
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Not JSON.
  }
  throw new InvalidCursorValue()
}

export function checkPage(page: unknown): number {
  if (typeof page === 'number' && Number.isInteger(page) && page >= 0 && page <= MAX_PAGE) {
    return page
  }
  throw new InvalidCursorValue()
}
