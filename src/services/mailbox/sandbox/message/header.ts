/** A header field; name and value are binary strings, in which each character is one byte. */
export interface HeaderField {
  readonly name: string
  /** Unfolded: without line ends and without space at the start. */
  readonly value: string
}

/** More than any mail program writes; the rest is ignored. */
const MAX_FIELDS = 5000

/** Fields of a header in order; lines without a colon are left out. */
export function parseHeader(bytes: Buffer): readonly HeaderField[] {
  const fields: HeaderField[] = []
  for (const line of fieldLines(bytes)) {
    if (fields.length >= MAX_FIELDS) break
    const text = bytes.toString('latin1', line.start, line.end)
    const colon = text.indexOf(':')
    if (colon > 0) {
      fields.push({
        name: text.slice(0, colon).trimEnd(),
        value: unfold(text.slice(colon + 1))
      })
    }
  }
  return fields
}

/** Unfolded lines of a header, also those that are no field. */
export function headerLines(bytes: Buffer): readonly string[] {
  const lines = Array.from(fieldLines(bytes))
  return lines
    .slice(0, MAX_FIELDS)
    .map(({ start, end }) => unfold(bytes.toString('latin1', start, end)))
}

/** Lines of a header with the folded lines that belong to them; the end is that of the last one. */
export function* fieldLines(bytes: Buffer): Iterable<{ start: number; end: number }> {
  let start = 0
  while (start < bytes.length) {
    const end = fieldEnd(bytes, start)
    const first = bytes[start]
    const isEmpty = first === LF || (first === CR && bytes[start + 1] === LF)
    if (isEmpty) return
    yield { start, end }
    start = end
  }
}

const LF = 10
const CR = 13
const SPACE = 32
const TAB = 9

function fieldEnd(bytes: Buffer, start: number): number {
  let end = start
  for (;;) {
    const lineEnd = bytes.indexOf(LF, end)
    if (lineEnd === -1) return bytes.length
    end = lineEnd + 1
    if (bytes[end] !== SPACE && bytes[end] !== TAB) return end
  }
}

/** NUL cannot be sent by IMAP nor stored by PostgreSQL. */
function unfold(value: string): string {
  return value
    .replace(/\r?\n/g, '')
    .replaceAll('\r', ' ')
    .replace(/^[ \t]+/, '')
    .replaceAll('\0', '\u0080')
}

/** Values of the fields of a name, in order. */
export function fieldValues(fields: readonly HeaderField[], name: string): readonly string[] {
  const wanted = name.toLowerCase()
  return fields.filter((field) => field.name.toLowerCase() === wanted).map(({ value }) => value)
}
