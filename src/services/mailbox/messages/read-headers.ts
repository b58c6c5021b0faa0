import { parseHeader } from '../sandbox/message/header.ts'
import { cleanText, decodeHeaderText } from '../sandbox/message/header-text.ts'

export type HeaderMap = Readonly<Record<string, readonly string[]>>

/** Of one header; the rest is left out. */
export const MAX_HEADER_BYTES = 1024 * 1024

/** Values by names in lower case. The map has no prototype: a sender chooses the names. */
export function headersOf(bytes: Buffer): HeaderMap {
  const headers: Record<string, string[]> = Object.create(null)
  for (const { name, value } of parseHeader(bytes)) {
    const key = cleanText(name).trim().toLowerCase()
    const values = headers[key] ?? []
    values.push(decodeHeaderText(value).trim())
    headers[key] = values
  }
  return headers
}

/** RFC 3834, and fields of programs that are older. */
export function isAutoReply(headers: HeaderMap): boolean {
  const [submitted = ''] = headers['auto-submitted'] ?? []
  const [precedence = ''] = headers.precedence ?? []
  return (
    /^auto-replied\b/i.test(submitted) ||
    /^auto[_-]reply\b/i.test(precedence) ||
    headers['x-autoreply'] !== undefined ||
    headers['x-autorespond'] !== undefined
  )
}
