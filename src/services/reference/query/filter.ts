import { BadFilter, type Field, RESOURCES, type TypeName, UnknownOperator } from '../contract.ts'
import { type Entry, idsOf, type Universe } from '../dataset/universe.ts'
import { type Parameters, splitList } from './parameters.ts'
import { compareValues, sortKey } from './sort-key.ts'

export type Filter = (entry: Entry) => boolean

/** `field=value`, `field__in=a,b`, `field__gte=1`, `field__lte=1`, `field__contains=part`. */
const OPERATORS = ['in', 'gte', 'lte', 'contains'] as const
type Operator = (typeof OPERATORS)[number] | 'is'

export function parseFilters(
  parameters: Parameters,
  type: TypeName,
  era: Universe['era']
): Filter[] {
  const filters: Filter[] = []
  for (const [name, value] of parameters) {
    const [fieldName = '', operator] = name.split('__')
    const field = RESOURCES[type].fields.find((candidate) => candidate.name === fieldName)
    if (field === undefined || field.kind === 'url') continue
    filters.push(createFilter(field, parseOperator(field, operator, name), value, era))
  }
  return filters
}

function parseOperator(field: Field, operator: string | undefined, name: string): Operator {
  if (operator === undefined) return 'is'
  const known = 'to' in field ? OPERATORS.slice(0, 1) : OPERATORS
  const found = known.find((candidate) => candidate === operator)
  if (found === undefined) {
    throw new UnknownOperator(name, known.map((candidate) => `__${candidate}`).join(', '))
  }
  return found
}

function createFilter(
  field: Field,
  operator: Operator,
  value: string,
  era: Universe['era']
): Filter {
  const wanted = operator === 'in' ? splitList(value) : [value]
  if ('to' in field) return createLinkFilter(field.name, wanted)
  if (operator === 'contains') return createPartFilter(field.name, value)
  if (operator === 'gte') return createRangeFilter(field, `${field.name}__gte`, value, era, 1)
  if (operator === 'lte') return createRangeFilter(field, `${field.name}__lte`, value, era, -1)
  return createEqualFilter(field, wanted)
}

/** Accepts ids and URLs that end in an id. */
function createLinkFilter(name: string, wanted: readonly string[]): Filter {
  const ids = new Set(
    wanted.map((one) => {
      const match = /(?:^|\/)([1-9]\d*)\/?$/.exec(one)
      if (match === null) throw new BadFilter(name, 'ids')
      return Number(match[1])
    })
  )
  return ({ values }) => idsOf(values[name]).some((id) => ids.has(id))
}

function createPartFilter(name: string, part: string): Filter {
  const wanted = part.toLowerCase()
  return ({ values }) => String(values[name]).toLowerCase().includes(wanted)
}

function createRangeFilter(
  field: Field,
  name: string,
  bound: string,
  era: Universe['era'],
  sign: 1 | -1
): Filter {
  const limit = sortKey(field, bound, era)
  if (limit === undefined) throw new BadFilter(name, 'a number')
  return ({ values }) => {
    const key = sortKey(field, values[field.name], era)
    return key !== undefined && compareValues(key, limit) * sign >= 0
  }
}

/** `height=171` finds `171 cm`: a bare number is compared with the number in the string. */
function createEqualFilter(field: Field, wanted: readonly string[]): Filter {
  const texts = new Set(wanted.map((one) => one.toLowerCase()))
  const isNumeric = field.kind === 'text' && field.numeric === true
  const numbers = new Set(isNumeric ? wanted.filter((one) => /^[\d.]+$/.test(one)).map(Number) : [])
  return ({ values }) => {
    const text = String(values[field.name]).toLowerCase()
    return texts.has(text) || (numbers.size > 0 && hasNumber(numbers, Number.parseFloat(text)))
  }
}

/** Unlike in a set, NaN is equal to nothing. */
function hasNumber(numbers: ReadonlySet<number>, value: number): boolean {
  return !Number.isNaN(value) && numbers.has(value)
}
