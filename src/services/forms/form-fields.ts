import { charsetOf, decodeText } from './charset.ts'
import { errors } from './contract.ts'

/** A form has few fields; more than this many are not read, because each of them takes time. */
const MAX_FIELDS = 1000

/** Characters beyond ASCII, and the escapes of bytes beyond ASCII. */
const BEYOND_ASCII = /%([89a-f][0-9a-f])|[\u0080-\u00ff]/gi

type Entry = readonly [name: string, value: string | File]

/** The fields of an HTML form; of repeated ones the last, of `repeatable` ones all. */
export async function readFormFields(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  repeatable: readonly string[]
): Promise<Readonly<Record<string, unknown>>> {
  if (countFields(bytes, contentType) > MAX_FIELDS) throw errors.tooManyFields(MAX_FIELDS)
  const entries = await readEntries(bytes, contentType)
  const fields = new Map<string, unknown>(entries)
  for (const name of repeatable) {
    const values = entries.flatMap(([key, value]) => (key === name ? [value] : []))
    if (values.length > 1) fields.set(name, values)
  }
  return Object.fromEntries(fields)
}

function isMultipart(contentType: string): boolean {
  return /^\s*multipart\//i.test(contentType)
}

/** The number of fields, or a number over the limit. */
function countFields(bytes: Uint8Array, contentType: string): number {
  const text = new TextDecoder('latin1').decode(bytes)
  if (!isMultipart(contentType)) return text.split('&', MAX_FIELDS + 1).length
  const boundary = /;\s*boundary="?([^";]+)/i.exec(contentType)?.[1] ?? ''
  // There is one more boundary than there are fields.
  return text.split(`--${boundary}`, MAX_FIELDS + 3).length - 2
}

/**
 * Parsers of forms replace bytes that are not UTF-8. So the form is parsed with one character per
 * byte, and its names and values are decoded here; files are those of the form as it is.
 */
async function readEntries(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string
): Promise<readonly Entry[]> {
  const parsed = await parseByteStrings(bytes, contentType)
  const declared = parsed.find(([name]) => name === '_charset_')?.[1]
  const charset = charsetOf(contentType) ?? (typeof declared === 'string' ? declared : undefined)
  const decode = (text: string) => decodeText(bytesOfString(text), charset)
  const files = parsed.some(([, value]) => typeof value !== 'string')
    ? [...(await parseMultipart(bytes, contentType))]
    : parsed
  return parsed.map(([name, value], index) => {
    return [decode(name), typeof value === 'string' ? decode(value) : (files[index]?.[1] ?? value)]
  })
}

async function parseByteStrings(bytes: Uint8Array, contentType: string): Promise<readonly Entry[]> {
  const text = stringOfBytes(bytes)
  if (isMultipart(contentType)) {
    return [...(await parseMultipart(new TextEncoder().encode(text), contentType))]
  }
  const escaped = text.replace(BEYOND_ASCII, (character, hexadecimal?: string) =>
    encodeURIComponent(
      hexadecimal === undefined ? character : String.fromCharCode(Number.parseInt(hexadecimal, 16))
    )
  )
  return [...new URLSearchParams(escaped)]
}

async function parseMultipart(bytes: Uint8Array<ArrayBuffer>, contentType: string) {
  const response = new Response(bytes, { headers: { 'content-type': contentType } })
  return response.formData()
}

/** The arguments of one call are limited by the engine. */
const BYTES_PER_CALL = 8192

function stringOfBytes(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += BYTES_PER_CALL) {
    text += String.fromCharCode(...bytes.subarray(from, from + BYTES_PER_CALL))
  }
  return text
}

function bytesOfString(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
