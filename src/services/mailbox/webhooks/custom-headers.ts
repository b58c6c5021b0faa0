/** Headers that operators and clients add to deliveries. */
import { MASK, MASK_MESSAGE } from '../api/schemas/parts.ts'
import type { InvalidField } from '../contract.ts'

export interface CustomHeader {
  readonly key: string
  readonly value: string
}

const MAX_BYTES = 16 * 1024

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** What HTTP allows in a value; other characters have no encoding there. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** Belong to the connection, to the body or to the signatures. */
const RESERVED = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp'
])

/** What is wrong with headers that a client sent. */
export function headerProblems(name: string, headers: readonly CustomHeader[]): InvalidField[] {
  const seen = new Set<string>()
  const problems = headers.flatMap(({ key, value }, index) => {
    const lower = key.toLowerCase()
    const message = nameProblem(lower, seen)
    seen.add(lower)
    if (message !== undefined) return [{ key: `${name}.${index}.key`, message }]
    const wrong = valueProblem(value)
    return wrong === undefined ? [] : [{ key: `${name}.${index}.value`, message: wrong }]
  })
  const bytes = headers.reduce((sum, { key, value }) => sum + key.length + value.length, 0)
  const message = `must have at most ${MAX_BYTES} characters in all`
  return bytes > MAX_BYTES ? [...problems, { key: name, message }] : problems
}

function nameProblem(lower: string, seen: ReadonlySet<string>): string | undefined {
  if (!NAME.test(lower)) return 'must be a name of an HTTP header'
  if (RESERVED.has(lower) || lower.startsWith('x-ee-wh-')) return 'is set by nonet'
  return seen.has(lower) ? 'is a header that the list already has' : undefined
}

function valueProblem(value: string): string | undefined {
  if (value === MASK) return MASK_MESSAGE
  if (!VALUE.test(value))
    return 'must have only characters of ISO 8859-1, without control characters'
  return undefined
}

export function maskHeaders(headers: readonly CustomHeader[]): readonly CustomHeader[] {
  return headers.map(({ key }) => ({ key, value: MASK }))
}

/** By names in lower case; the last value of a name counts. */
export function headerRecord(headers: readonly CustomHeader[]): Record<string, string> {
  return Object.fromEntries(headers.map(({ key, value }) => [key.toLowerCase(), value.trim()]))
}
