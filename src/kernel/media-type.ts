import { splitOutsideQuotes, unquote } from './quoted-string.ts'

/** Type and subtype in lower case; either is `*` in a range. */
export interface MediaRange {
  type: string
  subtype: string
  parameters: ReadonlyMap<string, string>
}

const TOKEN = /^[!#$%&'*+\-.^`|~\w]+$/
const NO_PARAMETERS: ReadonlyMap<string, string> = new Map()
const MAX_KNOWN = 500
const known = new Map<string, MediaRange | undefined>()

/** RFC 9110 8.3.1; undefined if it is not a media type. */
export function parseMediaType(text: string): MediaRange | undefined {
  if (known.has(text)) return known.get(text)
  const parsed = parse(text)
  // Limited, because a client can send any number of different types.
  if (known.size >= MAX_KNOWN) known.clear()
  if (text.length <= MAX_KNOWN) known.set(text, parsed)
  return parsed
}

function parse(text: string): MediaRange | undefined {
  const semicolon = text.indexOf(';')
  const essence = (semicolon === -1 ? text : text.slice(0, semicolon)).trim().toLowerCase()
  const slash = essence.indexOf('/')
  if (slash === -1) return undefined
  const type = essence.slice(0, slash)
  const subtype = essence.slice(slash + 1)
  if (!TOKEN.test(type) || !TOKEN.test(subtype)) return undefined
  const parameters = semicolon === -1 ? NO_PARAMETERS : parseParameters(text.slice(semicolon + 1))
  return { type, subtype, parameters }
}

function parseParameters(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const part of splitOutsideQuotes(text, ';')) {
    const equals = part.indexOf('=')
    const name = part.slice(0, Math.max(0, equals)).trim().toLowerCase()
    if (name === '' || parameters.has(name)) continue
    parameters.set(name, unquote(part.slice(equals + 1).trim()))
  }
  return parameters
}

/** `application/vnd.pet+json; v=1` → `application/vnd.pet+json`. */
export function essenceOf(type: string): string {
  const end = type.indexOf(';')
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase()
}

export function isRange(type: string): boolean {
  return essenceOf(type).includes('*')
}

export function isJson(type: MediaRange | string): boolean {
  return hasSyntax(type, 'json')
}

export function isXml(type: MediaRange | string): boolean {
  return hasSyntax(type, 'xml')
}

export function isText(type: string): boolean {
  return essenceOf(type).startsWith('text/')
}

/** By name or by suffix (RFC 6838 4.2.8). */
function hasSyntax(type: MediaRange | string, syntax: 'json' | 'xml'): boolean {
  const range = typeof type === 'string' ? parseMediaType(type) : type
  if (range === undefined) return false
  if (range.subtype !== syntax) return range.subtype.endsWith(syntax === 'json' ? '+json' : '+xml')
  return range.type === 'application' || range.type === 'text'
}

/** Whether a media type or range covers a concrete type. */
export function covers(range: string, concrete: string): boolean {
  const sent = parseMediaType(concrete)
  return sent !== undefined && matchContent([{ type: range }], sent) !== undefined
}

/** Whether `concrete` has all parameters of `range`; a missing `charset` is accepted. */
export function hasParametersOf(range: string, concrete: string): boolean {
  const wanted = parseMediaType(range)?.parameters
  if (wanted === undefined || wanted.size === 0) return true
  const given = parseMediaType(concrete)?.parameters
  return [...wanted].every(
    ([name, value]) =>
      given?.get(name)?.toLowerCase() === value.toLowerCase() ||
      (name === 'charset' && !given?.has(name))
  )
}

/** The content whose type matches `sent` best; only types of `contents` may be ranges. */
export function matchContent<T extends { type: string }>(
  contents: readonly T[],
  sent: MediaRange
): T | undefined {
  let best: T | undefined
  let bestRank = 0
  for (const content of contents) {
    const range = parseMediaType(content.type)
    const rank = range === undefined ? 0 : rankOf(range, sent)
    if (rank > bestRank) {
      best = content
      bestRank = rank
    }
  }
  return best
}

/** Parameters change the rank but never exclude a content: `charset` and `boundary` vary. */
function rankOf(range: MediaRange, sent: MediaRange): number {
  const rank = rankOfType(range, sent)
  if (rank === 0 || range.parameters.size === 0) return rank
  const agrees = [...range.parameters].every(
    ([name, value]) => sent.parameters.get(name)?.toLowerCase() === value.toLowerCase()
  )
  return agrees ? rank + 0.2 : rank - 0.2
}

function rankOfType(range: MediaRange, sent: MediaRange): number {
  if (range.type === '*') return range.subtype === '*' ? 1 : 0
  if (range.type !== sent.type) return 0
  if (range.subtype === sent.subtype) return 4
  if (range.subtype === '*') return 2
  if (range.subtype.startsWith('*+')) return sent.subtype.endsWith(range.subtype.slice(1)) ? 3 : 0
  return 0
}

/** One JSON value per line: JSON Lines under its several names, or JSON text sequences. */
export function isLineType(type: string): boolean {
  return /^application\/(?:(?:x-)?(?:ndjson|jsonl|json-lines|jsonlines)|json-seq)$/.test(
    essenceOf(type)
  )
}

/** A type whose body is a sequence of items: lines or an event stream. */
export function isSequenceType(type: string): boolean {
  return isLineType(type) || essenceOf(type) === 'text/event-stream'
}
