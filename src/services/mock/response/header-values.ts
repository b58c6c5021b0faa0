import { validateHeaderName } from '../../../kernel/node-http.ts'
import { writePlain } from '../document/exact-integers.ts'
import { isObject, type Json } from '../document/json.ts'

/** Headers that frame the message or describe its encoding; only the server sets them. */
const OWN_HEADERS = [
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade'
]

export function isSendable(name: string): boolean {
  if (OWN_HEADERS.includes(name)) return false
  try {
    validateHeaderName(name)
    return true
  } catch {
    // The name is not a token of RFC 9110, so no server can send it.
    return false
  }
}

/** Style `simple` of the OpenAPI specification; undefined for null and undefined. */
export function writeHeader(value: Json | undefined, explode: boolean): string | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) return toHeaderText(value.map(writePart).join(','))
  if (!isObject(value)) return toHeaderText(writePart(value))
  const pairs = Object.entries(value).map(([name, member]) => [name, writePart(member)] as const)
  return toHeaderText(pairs.map((pair) => pair.join(explode ? '=' : ',')).join(','))
}

function writePart(value: Json): string {
  return writePlain(value ?? '')
}

const UNSENDABLE = /[^\t\x20-\x7e]/

/** A header value is visible ASCII; other characters are percent-encoded as in a URL. */
export function toHeaderText(text: string): string {
  if (!UNSENDABLE.test(text)) return text
  return text.replace(/[^\t\x20-\x7e]+/gu, (run) => encodeURIComponent(run.toWellFormed()))
}
