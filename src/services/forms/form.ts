import { DEFAULT_MAX_BYTES, type FormConfig, type FormInput } from './config.ts'
import { errors, type Form } from './contract.ts'

const FORM_TYPES = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i

export function isEmpty(rawBody: FormInput['rawBody']): boolean {
  return rawBody === null || rawBody === undefined || rawBody.length === 0
}

/** Whether the body is a plain HTML form. JSON with a form type (`curl -d`) is JSON. */
export function isFormPost(input: FormInput, config: FormConfig): boolean {
  const isLabelled = config.acceptForms === true && FORM_TYPES.test(input.contentType ?? '')
  return isLabelled && !isJson(input)
}

/** Reads the fields without checking them; a value that is not an object has no fields. */
export async function readFields(
  input: FormInput,
  config: FormConfig
): Promise<Readonly<Record<string, unknown>>> {
  if (isEmpty(input.rawBody)) throw errors.bodyMissing()
  const bytes = bytesOf(input)
  if (bytes.length > (config.maxBytes ?? DEFAULT_MAX_BYTES)) throw errors.bodyTooLarge()
  if (isFormPost(input, config)) return readFormFields(bytes, input.contentType ?? '')
  return Object(parseJson(bytes))
}

function parseJson(bytes: Uint8Array): unknown {
  // The decoder removes a byte-order mark, which JSON.parse would reject.
  return JSON.parse(new TextDecoder().decode(bytes))
}

function isJson(input: FormInput): boolean {
  try {
    parseJson(bytesOf(input))
    return true
  } catch {
    return false
  }
}

/** By specification, email is checked first and both are strings; other values count as missing. */
export function toForm({ email, fullName }: Readonly<Record<string, unknown>>): Form {
  if (typeof email !== 'string' || email === '') throw errors.emailMissing()
  if (typeof fullName !== 'string' || fullName === '') throw errors.nameMissing()
  return { email, fullName }
}

function bytesOf({ rawBody, isBase64 }: FormInput): Uint8Array<ArrayBuffer> {
  if (typeof rawBody !== 'string') return new Uint8Array(rawBody ?? [])
  if (!isBase64) return new TextEncoder().encode(rawBody)
  return Uint8Array.from(atob(rawBody), (character) => character.charCodeAt(0))
}

/** A form has two fields; more than this many are not read, because each of them takes time. */
const MAX_FIELDS = 1000

async function readFormFields(bytes: Uint8Array<ArrayBuffer>, contentType: string) {
  if (countFields(bytes, contentType) > MAX_FIELDS) throw errors.tooManyFields(MAX_FIELDS)
  const response = new Response(bytes, { headers: { 'content-type': contentType } })
  return Object.fromEntries(await response.formData())
}

/** The number of fields, or a number over the limit. */
function countFields(bytes: Uint8Array, contentType: string): number {
  const text = new TextDecoder('latin1').decode(bytes)
  if (!/^\s*multipart\//i.test(contentType)) return text.split('&', MAX_FIELDS + 1).length
  const boundary = /;\s*boundary="?([^";]+)/i.exec(contentType)?.[1] ?? ''
  // There is one more boundary than there are fields.
  return text.split(`--${boundary}`, MAX_FIELDS + 3).length - 2
}
