import { isObject, type Json } from '../../../kernel/json.ts'
import {
  type Candidate,
  type Comparison,
  type Filter,
  foldCase,
  type Path,
  type Scalar,
  type SystemField,
  type Test,
  type TypeName
} from './filter.ts'
import { compareTexts } from './text-order.ts'

const INDEX = /^(?:0|[1-9]\d*)$/

/** Decides whether a record matches; SQL only excludes records that cannot match. */
export function matches(filter: Filter, candidate: Candidate): boolean {
  return holds(filter, candidate.doc, candidate)
}

function holds(filter: Filter, value: Json, candidate: Candidate): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((part) => holds(part, value, candidate))
    case 'or':
      return filter.filters.some((part) => holds(part, value, candidate))
    case 'not':
      return !holds(filter.filter, value, candidate)
    case 'member':
      return someEnd(value, filter.path, 0, (end) => passes(filter.test, end, candidate))
    case 'system': {
      const known = systemValue(filter.field, candidate)
      return known !== null && passes(filter.test, known, candidate)
    }
    case 'date': {
      const { createdMs, updatedMs } = candidate
      const ms = filter.field === '_createdOn' ? createdMs : updatedMs
      return ms !== null && ms >= filter.from && ms < filter.to
    }
  }
}

function systemValue(field: SystemField, candidate: Candidate): string | null {
  if (field === '_id') return candidate.id
  if (field === '_collection') return candidate.collection
  const ms = field === '_createdOn' ? candidate.createdMs : candidate.updatedMs
  return ms === null ? null : new Date(ms).toISOString()
}

/** In an array, the name is tried as an index, and the path on every object in the array. */
function someEnd(value: Json, path: Path, at: number, passesEnd: (end: Json) => boolean): boolean {
  const name = path[at]
  if (name === undefined) return passesEnd(value)
  if (Array.isArray(value)) {
    const indexed = INDEX.test(name) ? value[Number(name)] : undefined
    if (indexed !== undefined && someEnd(indexed, path, at + 1, passesEnd)) return true
    return value.some((element) => isObject(element) && someEnd(element, path, at, passesEnd))
  }
  if (!isObject(value) || !Object.hasOwn(value, name)) return false
  return someEnd(value[name] ?? null, path, at + 1, passesEnd)
}

/** An array passes if the array itself or one of its elements passes. */
function passes(test: Test, value: Json, candidate: Candidate): boolean {
  if (test.op === 'size') return Array.isArray(value) && value.length === test.size
  if (test.op === 'element') {
    return Array.isArray(value) && value.some((element) => elementPasses(test, element, candidate))
  }
  return (
    valuePasses(test, value) ||
    (Array.isArray(value) && value.some((one) => valuePasses(test, one)))
  )
}

function elementPasses(
  { filter, bare }: Extract<Test, { op: 'element' }>,
  element: Json,
  candidate: Candidate
): boolean {
  return (bare || isObject(element)) && holds(filter, element, candidate)
}

function valuePasses(
  test: Exclude<Test, { op: 'size' } | { op: 'element' }>,
  value: Json
): boolean {
  switch (test.op) {
    case 'exists':
      return true
    case 'in':
      return test.values.some((wanted) => isEqual(value, wanted))
    case 'type':
      return test.types.includes(typeOf(value))
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return comparesAs(test.op, value, test.value)
    default:
      return typeof value === 'string' && textPasses(test, value)
  }
}

function textPasses({ op, text, folded }: Extract<Test, { text: string }>, value: string): boolean {
  const subject = folded ? foldCase(value) : value
  return op === 'equals' ? subject === text : subject[op === 'contains' ? 'includes' : op](text)
}

export function typeOf(value: Json): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'number' || type === 'string' || type === 'boolean' ? type : 'object'
}

/** False if the types differ; null is equal to null, and never smaller or greater. */
function comparesAs(op: Comparison, value: Json, wanted: Scalar): boolean {
  if (typeOf(value) !== typeOf(wanted)) return false
  const difference =
    typeof value === 'string' && typeof wanted === 'string'
      ? compareTexts(value, wanted)
      : Number(value) - Number(wanted)
  if (op === 'gt') return difference > 0
  if (op === 'gte') return difference >= 0
  return op === 'lt' ? difference < 0 : difference <= 0
}

/** The order of members does not matter. */
function isEqual(one: Json, other: Json): boolean {
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((element, index) => isEqual(element, other[index] ?? null))
    )
  }
  if (!isObject(one)) return one === other
  if (!isObject(other) || Object.keys(one).length !== Object.keys(other).length) return false
  return Object.entries(one).every(
    ([name, value]) => Object.hasOwn(other, name) && isEqual(value, other[name] ?? null)
  )
}
