/** Two times count as equal if they differ by less than this. */
const TIME_APART_MS = 120_000
const DAYS = 'Mon|Tue|Wed|Thu|Fri|Sat|Sun'
const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TOKEN = new RegExp(
  [
    `(?<http>(?:${DAYS}), \\d\\d (?:${MONTHS}) \\d{4} \\d\\d:\\d\\d:\\d\\d GMT)`,
    '(?<iso>\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:\\d\\d)?)',
    '(?<jwt>eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]*)',
    '(?<word>[A-Za-z0-9_-]{8,})',
    '(?<number>\\d+(?:\\.\\d+)?(?:e-?\\d+)?)'
  ].join('|'),
  'g'
)

/** Numbers that a server measures or generates; `#` marks the number in its surroundings. */
const MEASURED = [
  /"(?:duration|durationMs|took|tookMs|elapsed|elapsedMs|uptime|pid)": ?#/,
  /\nprocess_\w+ #/,
  /\nnonet_\w*(?:seconds|bytes)\w*(?:\{[^}]*\})? #/,
  // Records that scenarios returns without storing them.
  /"id":"#","createdAt":"/
]

/** Numbers that are compared as ids: positions of changes in boxes, which the engine generates. */
const DRAWN = [/"(?:seq|since)": ?#/, /\nid: #/]

/** Remembers pairs of values, because values that are equal on one side must be so on the other. */
export function createValues(sides) {
  const known = sides.map(() => new Map())
  let count = 0

  /** Undefined if both values correspond; else the kind of difference. */
  function judge(kind, values, around) {
    const [old, present] = values
    if (values.every(isNumber) && MEASURED.some((pattern) => pattern.test(around))) return undefined
    const times = values.map((value) => timeOf(kind, value))
    if (times.every((time) => time !== undefined)) {
      return old === present || isClose(times) ? undefined : 'time'
    }
    if (old === present && !known.some((map, side) => map.has(values[side]))) return undefined
    if (old !== present && !isDrawn(kind, values, around)) return 'text'
    const numbers = known.map((map, side) => map.get(values[side]))
    if (numbers[0] !== undefined && numbers[0] === numbers[1]) return undefined
    count += 1
    for (const [side, map] of known.entries()) map.set(values[side], count)
    return numbers.every((number) => number === undefined) ? undefined : 'identity'
  }

  function neutral(text, side) {
    let result = text
    for (const [value, name] of sides[side].names) result = result.replaceAll(value, name)
    // An index of boxes is built after the response; it may be ready before it is described.
    result = result.replaceAll('"state":"building"', '"state":"ready"')
    return result.replace(/(?<![\d.])\d{4,5}(?!\d)/g, (port) => sides[side].ports.get(port) ?? port)
  }

  /** Undefined if the strings differ only in such values; else an excerpt of both. */
  function compareTexts(texts) {
    const neutrals = texts.map(neutral)
    if (neutrals[0] === neutrals[1]) return undefined
    const [old, present] = neutrals.map(tokenise)
    for (const [index, piece] of old.entries()) {
      const other = present[index]
      const same = piece.kind === 'literal' && piece.text === other?.text
      if (same) continue
      const judged = comparable(piece, other)
        ? judge(mixed(piece, other), [piece.text, other.text], surroundings(neutrals[0], piece))
        : 'text'
      if (judged !== undefined) return excerpt(judged, neutrals, piece, other)
    }
    return present.length > old.length
      ? excerpt('text', neutrals, undefined, present[old.length])
      : undefined
  }

  return { compareTexts }
}

function comparable(piece, other) {
  if (other === undefined || piece.kind === 'literal') return false
  if (piece.kind === other.kind) return true
  return [piece.kind, other.kind].every((kind) => kind === 'word' || kind === 'number')
}

function mixed(piece, other) {
  return piece.kind === other.kind ? piece.kind : 'word'
}

function isDrawn(kind, values, around) {
  if (kind === 'jwt' || unlikeParts(values).some(looksRandom)) return true
  return values.every(isNumber) && DRAWN.some((pattern) => pattern.test(around))
}

function surroundings(text, { at, text: { length } }) {
  return `${text.slice(Math.max(0, at - 120), at)}#${text.slice(at + length, at + length + 20)}`
}

function isNumber(value) {
  return /^\d+(?:\.\d+)?(?:e-?\d+)?$/.test(value)
}

function tokenise(text) {
  const pieces = []
  let at = 0
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > at) pieces.push({ kind: 'literal', text: text.slice(at, match.index), at })
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined)
    pieces.push({ kind, text: match[0], at: match.index })
    at = match.index + match[0].length
  }
  if (at < text.length) pieces.push({ kind: 'literal', text: text.slice(at), at })
  return pieces
}

function timeOf(kind, value) {
  if (kind === 'http' || kind === 'iso')
    return Date.parse(value.replace(' ', kind === 'iso' ? 'T' : ' '))
  const [, seconds, fraction] = /^(1\d{9})(\d{0,3})(?:\d{3})?$/.exec(value) ?? []
  if (seconds === undefined || fraction.length % 3 > 0) return undefined
  return Number(seconds + fraction.padEnd(3, '0'))
}

function isClose([old, present]) {
  return Math.abs(old - present) < TIME_APART_MS
}

/** The parts after the last common separator: `box_` and `demo-` are not part of an id. */
function unlikeParts([old, present]) {
  if (UUID.test(old) && UUID.test(present)) return [old, present]
  let start = 0
  for (let at = 0; at < old.length && old[at] === present[at]; at += 1) {
    if (old[at] === '_' || old[at] === '-') start = at + 1
  }
  return [old.slice(start), present.slice(start)]
}

/** At least 8 hexadecimal digits with a letter, or 10 characters with digit and both cases. */
function looksRandom(value) {
  if (/^(?=.*\d)(?=.*[a-f])[0-9a-f-]{8,}$/.test(value)) return true
  return value.length >= 10 && /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value)
}

function excerpt(kind, texts, ...pieces) {
  const parts = texts.map((text, side) => {
    const at = pieces[side]?.at ?? text.length
    return text.slice(Math.max(0, at - 50), at + 90)
  })
  const shared = pieces[0]?.kind === 'literal' ? sharedLength(pieces) : 0
  if (shared < 40) return { kind, old: parts[0], present: parts[1] }
  const later = texts.map((text, side) => {
    const at = (pieces[side]?.at ?? text.length) + shared
    return text.slice(Math.max(0, at - 50), at + 90)
  })
  return { kind, old: later[0], present: later[1] }
}

function sharedLength([one, other]) {
  if (other === undefined) return 0
  let length = 0
  while (length < one.text.length && one.text[length] === other.text[length]) length += 1
  return length
}
