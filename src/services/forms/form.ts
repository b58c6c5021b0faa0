import { charsetOf, decodeText } from './charset.ts'
import { DEFAULT_MAX_BYTES, type FormConfig, type FormInput } from './config.ts'
import { errors, type Form } from './contract.ts'
import { readFormFields } from './form-fields.ts'

const FORM_TYPES = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i

export function isEmpty(rawBody: FormInput['rawBody']): boolean {
  return rawBody === null || rawBody === undefined || rawBody.length === 0
}

/** Whether the body is a plain HTML form. JSON with a form type (`curl -d`) is JSON. */
export function isFormPost(input: FormInput, config: FormConfig): boolean {
  return config.acceptForms === true && isFormType(input) && !isJson(input)
}

function isFormType({ contentType }: FormInput): boolean {
  return FORM_TYPES.test(contentType ?? '')
}

/** Reads the fields without checking them; a value that is not an object has no fields. */
export async function readFields(
  input: FormInput,
  config: FormConfig
): Promise<Readonly<Record<string, unknown>>> {
  if (isEmpty(input.rawBody)) throw errors.bodyMissing()
  const bytes = bytesOf(input)
  if (bytes.length > (config.maxBytes ?? DEFAULT_MAX_BYTES)) throw errors.bodyTooLarge()
  if (isFormPost(input, config)) {
    return readFormFields(bytes, input.contentType ?? '', config.fields ?? [])
  }
  if (isFormType(input) && !isJson(input)) throw errors.formNotJson()
  return Object(JSON.parse(textOf(input)))
}

/** The text of the body without a byte-order mark, which JSON.parse would reject. */
function textOf(input: FormInput): string {
  const { rawBody, isBase64, contentType } = input
  // A platform that passes a string has decoded it.
  if (typeof rawBody === 'string' && !isBase64) return rawBody.replace(/^\ufeff/, '')
  return decodeText(bytesOf(input), charsetOf(contentType))
}

/** Bytes that are invalid in the charset do not decide: JSON with such bytes is not a form. */
function isJson(input: FormInput): boolean {
  try {
    JSON.parse(textOf(input))
    return true
  } catch (error) {
    return !(error instanceof SyntaxError) && isJson({ rawBody: lossyText(input) })
  }
}

function lossyText(input: FormInput): string {
  return new TextDecoder().decode(bytesOf(input))
}

/** By specification, email is checked first and both are strings; other values count as missing. */
export function toForm(
  fields: Readonly<Record<string, unknown>>,
  { fields: additional = [] }: FormConfig
): Form {
  const { email, fullName } = fields
  if (typeof email !== 'string' || email === '') throw errors.emailMissing()
  if (typeof fullName !== 'string' || fullName === '') throw errors.nameMissing()
  const sent = additional.filter((name) => Object.hasOwn(fields, name) && !hasFile(fields[name]))
  return { email, fullName, ...Object.fromEntries(sent.map((name) => [name, fields[name]])) }
}

/** A file has no form in JSON. */
export function hasFile(value: unknown): boolean {
  return value instanceof Blob || (Array.isArray(value) && value.some(hasFile))
}

function bytesOf({ rawBody, isBase64 }: FormInput): Uint8Array<ArrayBuffer> {
  if (typeof rawBody !== 'string') return new Uint8Array(rawBody ?? [])
  if (!isBase64) return new TextEncoder().encode(rawBody)
  return Uint8Array.from(atob(rawBody), (character) => character.charCodeAt(0))
}
