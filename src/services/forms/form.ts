import { DEFAULT_MAX_BYTES, type FormConfig, type FormInput } from './config.ts'
import { errors, type Form } from './contract.ts'

const FORM_TYPES = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i

export function isEmpty(rawBody: FormInput['rawBody']): boolean {
  return rawBody === null || rawBody === undefined || rawBody.length === 0
}

/** A plain HTML form, where those are taken. `curl -d` labels JSON as one too: it stays JSON. */
export function isFormPost(input: FormInput, config: FormConfig): boolean {
  const isLabelled = config.acceptForms === true && FORM_TYPES.test(input.contentType ?? '')
  return isLabelled && !isJson(input)
}

/** The body's fields before anything is checked; a value that is not an object has none. */
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
  // The decoder drops one byte-order mark, which JSON.parse would trip over.
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

/** The seed checks email first and types both as string, so anything else counts as lacking. */
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

async function readFormFields(bytes: Uint8Array<ArrayBuffer>, contentType: string) {
  const response = new Response(bytes, { headers: { 'content-type': contentType } })
  return Object.fromEntries(await response.formData())
}
