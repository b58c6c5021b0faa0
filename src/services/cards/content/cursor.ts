import { ContentInvalid } from '../contract.ts'

/** Values of the columns that sort, of the last card of a page. */
export type Position = readonly (string | number)[]

/** `key` tells the query that the cursor continues. */
export function writeCursor(key: string, position: Position): string {
  return Buffer.from(JSON.stringify([key, ...position])).toString('base64url')
}

/** Any text may be sent, so types and number of values are compared with `example`. */
export function readCursor(cursor: string, key: string, example: Position): Position {
  const [of, ...position] = parse(cursor)
  if (of !== key) {
    throw new ContentInvalid('The cursor is of another query; send the same parameters')
  }
  const isValid =
    position.length === example.length &&
    position.every((value, index) => typeof value === typeof example[index] && isStorable(value))
  if (!isValid) throw new ContentInvalid('The cursor is not one of this API')
  return position as Position
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(value)) return value
  } catch {
    // Any text may be sent as a cursor; the same error follows.
  }
  throw new ContentInvalid('The cursor is not one of this API')
}

/** PostgreSQL cannot compare NUL or half of a surrogate pair. */
function isStorable(value: unknown): boolean {
  if (typeof value !== 'string') return Number.isFinite(value)
  return value.isWellFormed() && !value.includes('\0')
}
