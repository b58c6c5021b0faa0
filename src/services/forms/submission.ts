import type { FormConfig } from './config.ts'
import { hasFile, readFields, toForm } from './form.ts'
import type { Submission } from './inbox.ts'

const FORWARDED = ['email', 'fullName']
/** Credentials of the sender, which are not needed to find out why a form fails. */
const HIDDEN_HEADERS = ['cookie', 'authorization', 'proxy-authorization']

export interface Field {
  readonly name: string
  readonly value: string
  readonly use: 'forwarded' | 'honeypot' | 'dropped'
}

/** What a submission contains; read when it is shown, because most are never shown. */
export interface Contents {
  /** Undefined if the body is not an object or cannot be read. */
  readonly fields: readonly Field[] | undefined
  /** The JSON for the webhook; undefined if a field is missing. */
  readonly form: string | undefined
}

const NO_CONTENTS: Contents = { fields: undefined, form: undefined }

export async function readContents(
  { body, rawHeaders }: Pick<Submission, 'body' | 'rawHeaders'>,
  config: FormConfig
): Promise<Contents> {
  const contentType = headersOf(rawHeaders).find(({ name }) => isNamed(name, 'content-type'))?.value
  try {
    const fields = await readFields({ rawBody: body, contentType }, config)
    return { fields: describeFields(fields, config), form: formOf(fields, config) }
  } catch {
    return NO_CONTENTS
  }
}

function formOf(fields: Readonly<Record<string, unknown>>, config: FormConfig): string | undefined {
  try {
    return JSON.stringify(toForm(fields, config))
  } catch {
    return undefined
  }
}

function describeFields(
  fields: Readonly<Record<string, unknown>>,
  { honeypot, fields: additional = [] }: FormConfig
): readonly Field[] | undefined {
  // The fields of an array, a number or a string are not those of a form.
  if (Object.getPrototypeOf(fields) !== Object.prototype) return undefined
  const isForwarded = (name: string, value: unknown) =>
    FORWARDED.includes(name) || (additional.includes(name) && !hasFile(value))
  return Object.entries(fields).map(([name, value]) => ({
    name,
    value: describeValue(value),
    use: name === honeypot ? 'honeypot' : isForwarded(name, value) ? 'forwarded' : 'dropped'
  }))
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof File) return `file ${value.name}, ${value.size} bytes`
  return JSON.stringify(value)
}

export interface Header {
  readonly name: string
  readonly value: string
}

/** The headers as they were sent, without credentials. */
export function shownHeaders(rawHeaders: readonly string[]): readonly Header[] {
  return headersOf(rawHeaders).filter(
    ({ name }) => !HIDDEN_HEADERS.some((hidden) => isNamed(name, hidden))
  )
}

function headersOf(rawHeaders: readonly string[]): readonly Header[] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, value: rawHeaders[index + 1] ?? '' }] : []
  )
}

function isNamed(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted
}
