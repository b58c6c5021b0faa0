import { invalidJson, notAnObject } from './errors.ts'
import { MAX_COPY_DEPTH } from './query-copy.ts'

/** Positions in the text; the quotes are part of the key. */
export interface Member {
  readonly keyStart: number
  readonly keyEnd: number
  readonly valueStart: number
  readonly valueEnd: number
}

export interface ScannedObject {
  readonly start: number
  readonly end: number
  /** Depending on the limits of the scan, only those whose names may be reserved. */
  readonly members: readonly Member[]
  /** True if the query copy is certainly the same text. */
  readonly plain: boolean
  /** Maximum depth of the containers in it. */
  readonly depth: number
}

export interface ScannedBody {
  /** Whether the top level is an array. */
  readonly many: boolean
  /** Number of objects; `objects` holds at most `keep` of them. */
  readonly count: number
  readonly objects: readonly ScannedObject[]
}

/** State of the scan of one object. */
interface Notes {
  plain: boolean
  /** Maximum depth of the containers, without the object itself. */
  depth: number
  /** Number of nested objects so far; distinguishes their keys. */
  objects: number
  /** Hashes of (object, key): two equal ones may be a duplicate key. */
  readonly keys: Set<number>
  /** Position beyond which the element is too long. */
  readonly end: number
}

const QUOTE = 0x22
const PLUS = 0x2b
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const UNDERSCORE = 0x5f
const LOWER_E = 0x65
const LOWER_U = 0x75
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const SPACE = 0x20
const TO_LOWER_CASE = 0x20

/** Number of digits that a double always preserves. */
const EXACT_DIGITS = 15
const UNICODE_ESCAPE = /[0-9A-Fa-f]{4}/y
const SHORT_ESCAPES = '"\\/bfnrt'
const LITERALS = ['true', 'false', 'null']

const MEMBERS_PER_STEP = 4096

export interface ScanLimits {
  /** Number of objects to return; the others are only checked and counted. */
  readonly keep: number
  /** Maximum length of one element of an array; beyond it the scan throws ElementTooLong. */
  readonly maxLength: number
  /** Only members whose names may be reserved; all members of 1 MiB can take 20 MB. */
  readonly reservedOnly: boolean
}

const NO_LIMITS: ScanLimits = {
  keep: Number.POSITIVE_INFINITY,
  maxLength: Number.POSITIVE_INFINITY,
  reservedOnly: false
}

export class ElementTooLong extends Error {
  override name = 'ElementTooLong'
}

/** Strict RFC 8259 in one pass: an object, or an array of objects only. */
export function scanBody(text: string, limits: Partial<ScanLimits> = {}): ScannedBody {
  const steps = scanSteps(text, { ...NO_LIMITS, ...limits })
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** `scanBody` in steps: yields after each element of an array and after some members. */
export function* scanSteps(
  text: string,
  limits: ScanLimits
): Generator<undefined, ScannedBody, void> {
  const start = skipSpace(text, 0)
  if (text.charCodeAt(start) === OPEN_BRACKET) return yield* scanArray(text, start, limits)
  if (text.charCodeAt(start) !== OPEN_BRACE) {
    checkEnd(text, endOfValue(text, start, createNotes()))
    throw notAnObject(text, start)
  }
  const object = yield* scanObject(text, start, createNotes(), limits)
  checkEnd(text, object.end)
  return { many: false, count: 1, objects: [object] }
}

/** Throws unless the text is a JSON value; returns its depth. */
export function checkJson(text: string): { readonly depth: number } {
  const notes = createNotes()
  checkEnd(text, endOfValue(text, skipSpace(text, 0), notes))
  return { depth: notes.depth }
}

function* scanArray(
  text: string,
  start: number,
  limits: ScanLimits
): Generator<undefined, ScannedBody, void> {
  const { keep, maxLength } = limits
  const objects: ScannedObject[] = []
  let count = 0
  let foreign: number | undefined
  let at = skipSpace(text, start + 1)
  if (text.charCodeAt(at) !== CLOSE_BRACKET) {
    for (;;) {
      if (text.charCodeAt(at) !== OPEN_BRACE) foreign ??= at
      const notes = createNotes(at + maxLength)
      const isKept = foreign === undefined && count < keep
      const kept = isKept ? yield* scanObject(text, at, notes, limits) : undefined
      if (kept !== undefined) objects.push(kept)
      count++
      at = skipSpace(text, kept?.end ?? endOfValue(text, at, notes))
      if (text.charCodeAt(at) === CLOSE_BRACKET) break
      if (text.charCodeAt(at) !== COMMA) throw invalidJson(text, at, '"," or "]"')
      at = skipSpace(text, at + 1)
      yield
    }
  }
  checkEnd(text, at + 1)
  if (foreign !== undefined) throw notAnObject(text, foreign)
  return { many: true, count, objects }
}

function checkEnd(text: string, end: number): void {
  const at = skipSpace(text, end)
  if (at < text.length) throw invalidJson(text, at, 'the end of the input')
}

function* scanObject(
  text: string,
  start: number,
  notes: Notes,
  { reservedOnly }: ScanLimits
): Generator<undefined, ScannedObject, void> {
  const members: Member[] = []
  let count = 0
  let at = skipSpace(text, start + 1)
  if (text.charCodeAt(at) !== CLOSE_BRACE) {
    for (;;) {
      const keyEnd = endOfKey(text, at, 0, notes)
      const valueStart = startOfMemberValue(text, keyEnd)
      const valueEnd = endOfValue(text, valueStart, notes)
      if (!reservedOnly || mayBeReserved(text, at))
        members.push({ keyStart: at, keyEnd, valueStart, valueEnd })
      if (++count % MEMBERS_PER_STEP === 0) yield
      at = skipSpace(text, valueEnd)
      if (text.charCodeAt(at) === CLOSE_BRACE) break
      if (text.charCodeAt(at) !== COMMA) throw invalidJson(text, at, '"," or "}"')
      at = skipSpace(text, at + 1)
    }
  }
  return { start, end: at + 1, members, plain: notes.plain, depth: notes.depth }
}

/** Reserved names start with an underscore, which may be escaped. */
export function mayBeReserved(text: string, keyStart: number): boolean {
  const first = text.charCodeAt(keyStart + 1)
  return first === UNDERSCORE || first === BACKSLASH
}

function createNotes(end = Number.POSITIVE_INFINITY): Notes {
  return { plain: true, depth: 0, objects: 0, keys: new Set(), end }
}

/** Without recursion, because a body of 1 MiB may be half a million levels deep. */
function endOfValue(text: string, start: number, notes: Notes): number {
  /** The containers around `at`, inside this value: the number of an object, 0 for an array. */
  const open: number[] = []
  let at = start
  do {
    const code = text.charCodeAt(at)
    at =
      code === OPEN_BRACE || code === OPEN_BRACKET
        ? enterContainer(text, at, open, notes)
        : afterValue(text, endOfScalar(text, at, code, notes), open, notes)
    if (at > notes.end) throw new ElementTooLong()
  } while (open.length > 0)
  return at
}

/** Returns the start of the first value, or `afterValue` of an empty container. */
function enterContainer(text: string, start: number, open: number[], notes: Notes): number {
  const code = text.charCodeAt(start)
  const at = skipSpace(text, start + 1)
  const closing = code === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET
  if (text.charCodeAt(at) === closing) return afterValue(text, at + 1, open, notes)
  const object = code === OPEN_BRACE ? ++notes.objects : 0
  open.push(object)
  // The record itself is the first level.
  if (open.length >= MAX_COPY_DEPTH) notes.plain = false
  if (open.length > notes.depth) notes.depth = open.length
  return object === 0 ? at : startOfMemberValue(text, endOfKey(text, at, object, notes))
}

/** Closes the containers that end after a value; returns the next value, or the end of all. */
function afterValue(text: string, end: number, open: number[], notes: Notes): number {
  let at = end
  for (;;) {
    const object = open.at(-1)
    if (object === undefined) return at
    at = skipSpace(text, at)
    const code = text.charCodeAt(at)
    if (code === COMMA) {
      at = skipSpace(text, at + 1)
      return object === 0 ? at : startOfMemberValue(text, endOfKey(text, at, object, notes))
    }
    if (code !== (object === 0 ? CLOSE_BRACKET : CLOSE_BRACE)) {
      throw invalidJson(text, at, object === 0 ? '"," or "]"' : '"," or "}"')
    }
    open.pop()
    at++
  }
}

function endOfKey(text: string, start: number, object: number, notes: Notes): number {
  if (text.charCodeAt(start) !== QUOTE) throw invalidJson(text, start, 'a key in double quotes')
  const end = endOfString(text, start, notes)
  if (notes.plain) noteKey(text, start + 1, end - 1, object, notes)
  return end
}

function noteKey(text: string, start: number, end: number, object: number, notes: Notes): void {
  let hash = Math.imul(object, 0x9e3779b1) ^ 0x811c9dc5
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    // `"\/"` and `"/"` are one key in two spellings.
    if (code === BACKSLASH) notes.plain = false
    hash = Math.imul(hash ^ code, 0x01000193)
  }
  if (notes.keys.has(hash)) notes.plain = false
  notes.keys.add(hash)
}

function startOfMemberValue(text: string, keyEnd: number): number {
  const at = skipSpace(text, keyEnd)
  if (text.charCodeAt(at) !== COLON) throw invalidJson(text, at, '":"')
  return skipSpace(text, at + 1)
}

function endOfScalar(text: string, start: number, code: number, notes: Notes): number {
  if (code === QUOTE) return endOfString(text, start, notes)
  if (code === MINUS || isDigit(code)) return endOfNumber(text, start, notes)
  const literal = LITERALS.find((candidate) => text.startsWith(candidate, start))
  if (literal === undefined) throw invalidJson(text, start, 'a value')
  return start + literal.length
}

function endOfString(text: string, start: number, notes: Notes): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code < SPACE) throw invalidJson(text, at, 'no control character in a string')
    if (code === BACKSLASH) at = lastOfEscape(text, at + 1, notes)
  }
  throw invalidJson(text, text.length, 'the end of the string')
}

function lastOfEscape(text: string, at: number, notes: Notes): number {
  if (text.charCodeAt(at) === LOWER_U) {
    notes.plain = false
    UNICODE_ESCAPE.lastIndex = at + 1
    if (!UNICODE_ESCAPE.test(text)) throw invalidJson(text, at + 1, 'four hexadecimal digits')
    return at + 4
  }
  if (at >= text.length || !SHORT_ESCAPES.includes(text.charAt(at))) {
    throw invalidJson(text, at, 'an escape')
  }
  return at
}

function endOfNumber(text: string, start: number, notes: Notes): number {
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start
  let at = text.charCodeAt(first) === ZERO ? first + 1 : endOfDigits(text, first)
  if (text.charCodeAt(at) === POINT) at = endOfDigits(text, at + 1)
  if (at - first > EXACT_DIGITS) notes.plain = false
  if ((text.charCodeAt(at) | TO_LOWER_CASE) !== LOWER_E) return at
  notes.plain = false
  const sign = text.charCodeAt(at + 1)
  return endOfDigits(text, sign === PLUS || sign === MINUS ? at + 2 : at + 1)
}

function endOfDigits(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at))) at++
  if (at === start) throw invalidJson(text, at, 'a digit')
  return at
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** Skips only the four space characters of RFC 8259; `\s` includes more. */
export function skipSpace(text: string, start: number): number {
  let at = start
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== SPACE && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at++
  }
}
