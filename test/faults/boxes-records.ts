import type { Candidate } from '../../src/services/boxes/query/filter.ts'
import { parseQueryCopy } from '../../src/services/boxes/text/query-copy.ts'
import { readBody } from '../../src/services/boxes/text/record-text.ts'
import type { Random } from '../support/random.ts'

/**
 * Random records and questions about them, as JSON text, so that spellings (escapes, exponents,
 * duplicate names) are part of them. Names and values come from short lists, and two names of
 * five are `a`, so that questions find something.
 *
 * A value is 30 % a small number, 24 % a text, 10 % a number at the edge of a double, 8 % null,
 * 8 % a boolean, 12 % an array (a third of its elements objects) and 8 % an object, of up to three
 * members and three levels.
 * A record has 2 to 6 members, and in every fifth one of them comes twice.
 */
export const NAMES = ['a', 'b', 'n', 'tags'] as const
const ODD_NAMES = [
  ...['0', '1', '', 'a.b', 'q"uote', 'back\\slash', "it's", 'new\nline', 'é', 'e\u0301'],
  ...['\u212a', '😀', '__proto__', 'constructor', '$set', '/', '~', 'x y', 'nul\0', '-a']
] as const

/** Upper and lower case beyond ASCII, equal letters in two forms, and order beyond U+FFFF. */
export const TEXTS = [
  ...['k', 'K', '\u212a', 'i', 'I', '\u0130', 'i\u0307', 'ß', 'SS', 'ss', 'ẞ', 'é', 'e\u0301'],
  ...['É', 'E\u0301', '😀', '\uffff', '\ue000', 'abc', 'ABC', 'aBcd', 'xabc', '', ' ', 'Σ', 'ς'],
  ...['10', '9', 'true', 'null', 'a,b', 'a:b', '*', '%', '_', "'", '"', '\\', 'x\0y', '\ud800'],
  ...['2020-05-01', 'ａ', 'ﬁ', '\u007f', 'a\nb']
] as const
export const EDGE_NUMBERS = [
  ...['1e400', '-1e400', '1.7976931348623157e308', '5e-324', '1e-400', '-0', '0.1', '1.0'],
  ...['12345678901234567890', '9007199254740993', '9007199254740992', '1234567890123456789'],
  ...['0.1234567890123456789012345', '1E5', '100000', '123456789012345.6', '7.5e282']
] as const

export function createGenerator(random: Random) {
  const chance = (percent: number) => random.below(100) < percent
  const list = (size: number, item: () => string) => Array.from({ length: size }, item)

  function name(likely = 40): string {
    if (chance(likely)) return 'a'
    return chance(60) ? random.pick(NAMES) : random.pick(ODD_NAMES)
  }

  /** In one of its spellings. */
  function quote(text: string): string {
    if (chance(85)) return JSON.stringify(text)
    const units = text.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
    return `"${units.map((unit) => `\\u${unit}`).join('')}"`
  }

  function scalar(): string {
    const roll = random.below(80)
    if (roll < 30) return String(random.below(5) - 1)
    if (roll < 54) return quote(random.pick(TEXTS))
    if (roll < 64) return random.pick(EDGE_NUMBERS)
    if (roll < 72) return 'null'
    return chance(50) ? 'true' : 'false'
  }

  function value(depth = 0): string {
    const roll = random.below(100)
    if (depth > 2 || roll < 80) return scalar()
    if (roll >= 92) return object(random.below(4), depth + 1)
    const element = () => (chance(30) ? object(2, depth + 1) : value(depth + 1))
    return `[${list(random.below(4), element).join(',')}]`
  }

  function object(size: number, depth = 0): string {
    const members = list(size, () => `${quote(name())}:${value(depth)}`)
    return `{${members.join(',')}}`
  }

  function record(): string {
    const members = list(2 + random.below(5), () => `${quote(name())} : ${value()}`)
    if (chance(20)) members.push(`${members[0]?.split(' : ')[0]} : ${value()}`)
    return `{${members.join(',')}}`
  }

  return { chance, list, name, quote, scalar, value, record }
}

export type Generator = ReturnType<typeof createGenerator>

const START_MS = Date.UTC(2020, 0, 1)
const STEPS_MS = [0, 0, 100, 86_400_000, 31 * 86_400_000, -1] as const
const COLLECTIONS = [null, null, 'People', 'people', 'é'] as const

/** Random records with their query copies; of five, three were never changed. */
export function createCandidates(random: Random, generator: Generator, count: number) {
  const date = () => START_MS + random.pick(STEPS_MS)
  return createCandidatesOf(Array.from({ length: count }, generator.record), () => ({
    id: Buffer.from(random.bytes(12)).toString('hex'),
    collection: random.pick(COLLECTIONS),
    createdMs: date(),
    updatedMs: generator.chance(40) ? date() : null
  }))
}

/** The last comes first, so that the order of insertion is nobody's accident. */
export function createCandidatesOf(
  records: readonly string[],
  about: (index: number) => Omit<Candidate, 'pk' | 'doc'> = describe
): Map<Candidate, string> {
  const candidates = records.map((record, index): [Candidate, string] => {
    const [sent] = readBody(record).records
    if (sent === undefined) throw new Error(record)
    const doc = parseQueryCopy(sent.raw)
    return [{ ...about(index), pk: index + 1, doc }, sent.doc]
  })
  return new Map(candidates.reverse())
}

function describe(index: number): Omit<Candidate, 'pk' | 'doc'> {
  return {
    id: String(index).padStart(24, '0'),
    collection: COLLECTIONS[index % COLLECTIONS.length] ?? null,
    createdMs: START_MS + (STEPS_MS[index % STEPS_MS.length] ?? 0),
    updatedMs: index % 2 === 0 ? START_MS - 1 : null
  }
}

/** In per cent of the records. */
export function sharesOf(records: readonly string[]): Readonly<Record<string, number>> {
  const share = (has: (record: string) => boolean) =>
    Math.round((100 * records.filter(has).length) / records.length)
  const namesOf = (record: string) => Object.keys(JSON.parse(record))
  return {
    array: share((record) => record.includes('[')),
    object: share((record) => record.includes('{', 1)),
    twice: share((record) => record.split(' : ').length - 1 > namesOf(record).length - 1),
    edge: share((record) => EDGE_NUMBERS.some((number) => record.includes(number))),
    beyondAscii: share((record) => /[^\0-\x7f]|\\u/.test(record)),
    odd: share((record) => namesOf(record).some((name) => !/^[a-z]+$/.test(name))),
    missing: share((record) => !namesOf(record).includes('a'))
  }
}
