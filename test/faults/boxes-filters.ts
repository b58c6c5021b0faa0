import type { Random } from '../support/random.ts'
import { type Generator, TEXTS } from './boxes-records.ts'

const TEXT_OPERATORS = [
  ...['$startsWith', '$endsWith', '$contains', '$ieq', '$istartsWith', '$iendsWith', '$icontains']
] as const
const TYPES = ['null', 'number', 'string', 'object', 'array', 'boolean'] as const
const COLUMN_TEXTS = ['0', 'a', 'People', 'people', 'é'] as const
const DATES = ['2020', '2020-01', '2020-01-01', '2020-01-01T00:00:00.100Z', '2021'] as const

/**
 * `where` texts: 50 % of the members are one operator, 6 % equality, 7 % an element of an array,
 * 8 % something the service knows, 29 % a combination of up to three. A path has one segment in
 * 80 %, else two or three, most often `a`, and is a JSON Pointer in half of the cases and where it must be.
 */
export function createFilters(random: Random, generator: Generator) {
  const { chance, list, name, quote, scalar, value } = generator
  const text = () => quote(random.pick(TEXTS))

  function path(): string {
    const names = list(chance(80) ? 1 : 2 + random.below(2), () => name(70))
    const asPointer = names.some((part) => /^[$/]|[.]/.test(part)) || names[0] === ''
    if (!asPointer && chance(50)) return names.join('.')
    return names.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  }

  function operator(): string {
    const roll = random.below(100)
    if (roll < 30) return `"${random.pick(['$gt', '$gte', '$lt', '$lte'])}":${scalar()}`
    if (roll < 56) return `"${random.pick(TEXT_OPERATORS)}":${text()}`
    if (roll < 68) return `"${random.pick(['$eq', '$ne'])}":${value()}`
    if (roll < 78) {
      return `"${random.pick(['$in', '$nin', '$all'])}":[${list(1 + random.below(4), value)}]`
    }
    if (roll < 87) return `"$exists":${chance(80)}`
    if (roll < 95) return `"$type":"${random.pick(TYPES)}"`
    return `"$size":${random.below(4)}`
  }

  /** An object may have a name that looks like an operator. */
  function equal(operand: string): string {
    return operand.startsWith('{') ? `{"$eq":${operand}}` : operand
  }

  function systemMember(): string {
    if (chance(50)) {
      const sign = random.pick(['$gt', '$gte', '$lt', '$lte', '$eq'])
      return `"${random.pick(['_createdOn', '_updatedOn'])}":{"${sign}":"${random.pick(DATES)}"}`
    }
    if (chance(30)) return `"${random.pick(['_updatedOn', '_collection'])}":{"$exists":true}`
    const sign = random.pick([...TEXT_OPERATORS, '$gte', '$lt', '$eq'])
    return `"${random.pick(['_id', '_collection'])}":{"${sign}":"${random.pick(COLUMN_TEXTS)}"}`
  }

  function member(depth: number): string {
    const roll = random.below(100)
    if (roll < 50) return `${quote(path())}:{${operator()}}`
    if (roll < 56) return `${quote(path())}:${equal(value())}`
    if (roll < 63) {
      const inside = chance(50) ? operator() : `${quote(path())}:{${operator()}}`
      return `${quote(path())}:{"$elemMatch":{${inside}}}`
    }
    if (roll < 71 || depth > 2) return systemMember()
    if (chance(25)) return `"$not":${filter(depth + 1)}`
    const parts = list(1 + random.below(3), () => filter(depth + 1))
    return `"${random.pick(['$and', '$or', '$or', '$or', '$nor'])}":[${parts}]`
  }

  function filter(depth = 0): string {
    return `{${member(depth)}}`
  }

  /** `q` texts of one or two terms. */
  function q(): string {
    return list(1 + random.below(2), () => `${term(name(70))}:${termValue()}`).join(',')
  }

  function term(part: string): string {
    return part === '' ? 'a' : part.replaceAll(/[,:.*\\<>=]/g, '\\$&')
  }

  function termValue(): string {
    const roll = random.below(100)
    if (roll < 40) return `${random.pick(['>=', '<=', '>', '<', '='])}${random.below(5) - 1}`
    if (roll < 50) return `${random.pick(['>=', '<'])}${term(random.pick(TEXTS))}`
    if (roll < 58) return random.pick(['true', 'false'])
    const words = random.pick(TEXTS).replaceAll(/[,:.*\\<>=]/g, '\\$&')
    return random.pick([`*${words}*`, `*${words}`, `${words}*`, words, '*'])
  }

  return { where: filter, q }
}

const SORT_FIELDS = [
  ...['a', 'a', 'b', 'n', 'tags', 'a.a', 'a.b', 'a.0', '0', 'a.a.a', 'é', '\u212a', '😀'],
  ...['a\\.b', 'q"uote', 'back\\\\slash', "it's", 'new\nline', '__proto__', '\\-a', 'x y', 'a.'],
  ...['_id', '_createdOn', '_updatedOn', '_collection']
] as const

/** One to three fields, each in either direction. */
export function createSorts(random: Random, count: number): string[] {
  const field = () => `${random.pick(['', '-'])}${random.pick(SORT_FIELDS)}`
  const fields = () => Array.from({ length: 1 + random.below(3) }, field).join(',')
  return Array.from({ length: count }, fields)
}
