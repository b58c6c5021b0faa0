import { isObject, type Json, type JsonObject } from '../../../kernel/json.ts'
import { invalidQuery, UnknownOperator } from './errors.ts'
import {
  type Comparison,
  type Filter,
  foldCase,
  type Scalar,
  type Test,
  type TextOperator,
  type TypeName
} from './filter.ts'
import { MAX_LIST_VALUES } from './limits.ts'

/** Applies a test to the path of the operators. */
export type Leaf = (test: Test) => Filter

type ParseElement = (operand: Json) => Filter

interface Given {
  readonly name: string
  readonly operand: Json
  readonly leaf: Leaf
  readonly parseElement: ParseElement
}

const TYPES: readonly string[] = ['null', 'number', 'string', 'object', 'array', 'boolean']

const OPERATORS: Readonly<Record<string, (given: Given) => Filter>> = {
  $eq: ({ leaf, operand }) => leaf({ op: 'in', values: [operand] }),
  $ne: ({ leaf, operand }) => negate(leaf({ op: 'in', values: [operand] })),
  $gt: (given) => compare(given, 'gt'),
  $gte: (given) => compare(given, 'gte'),
  $lt: (given) => compare(given, 'lt'),
  $lte: (given) => compare(given, 'lte'),
  $in: (given) => given.leaf({ op: 'in', values: listOf(given) }),
  $nin: (given) => negate(given.leaf({ op: 'in', values: listOf(given) })),
  $exists: (given) => {
    const exists = given.leaf({ op: 'exists' })
    return booleanOf(given) ? exists : negate(exists)
  },
  $type: (given) => given.leaf({ op: 'type', types: typesOf(given) }),
  $size: (given) => given.leaf({ op: 'size', size: sizeOf(given) }),
  $all: (given) => holdAll(given),
  $elemMatch: ({ leaf, operand, parseElement }) =>
    leaf({ op: 'element', filter: parseElement(operand), bare: isBare(operand) }),
  $startsWith: (given) => findText(given, 'startsWith', false),
  $endsWith: (given) => findText(given, 'endsWith', false),
  $contains: (given) => findText(given, 'contains', false),
  $ieq: (given) => findText(given, 'equals', true),
  $istartsWith: (given) => findText(given, 'startsWith', true),
  $iendsWith: (given) => findText(given, 'endsWith', true),
  $icontains: (given) => findText(given, 'contains', true)
}

/** `{"$gt":5}`; an object without such names is compared for equality. */
export function hasOperators(operand: Json): operand is JsonObject {
  return isObject(operand) && Object.keys(operand).some((name) => name.startsWith('$'))
}

/** Whether there are operators on values; `$and` and the like contain filters. */
export function isBare(operand: Json): operand is JsonObject {
  return isObject(operand) && Object.keys(operand).some((name) => Object.hasOwn(OPERATORS, name))
}

export function parseOperators(
  operators: JsonObject,
  leaf: Leaf,
  parseElement: ParseElement
): Filter {
  const filters = Object.entries(operators).map(([name, operand]) => {
    if (!name.startsWith('$')) throw invalidQuery(`"${name}" is not an operator`)
    const create = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined
    if (create === undefined) throw new UnknownOperator(name)
    return create({ name, operand, leaf, parseElement })
  })
  return { kind: 'and', filters }
}

function negate(filter: Filter): Filter {
  return { kind: 'not', filter }
}

function compare({ name, operand, leaf }: Given, op: Comparison): Filter {
  if (!isScalar(operand)) throw invalidQuery(`${name} expects a number, string, boolean or null`)
  return leaf({ op, value: operand })
}

function isScalar(value: Json): value is Scalar {
  return typeof value !== 'object' || value === null
}

/** Each value is in the array; without values, nothing matches. */
function holdAll(given: Given): Filter {
  const filters = listOf(given).map((value) => given.leaf({ op: 'in', values: [value] }))
  return filters.length === 0 ? { kind: 'or', filters } : { kind: 'and', filters }
}

function findText({ name, operand, leaf }: Given, op: TextOperator, folded: boolean): Filter {
  if (typeof operand !== 'string') throw invalidQuery(`${name} expects a string`)
  return leaf({ op, text: folded ? foldCase(operand) : operand, folded })
}

function listOf({ name, operand }: Given): readonly Json[] {
  if (!Array.isArray(operand)) throw invalidQuery(`${name} expects an array`)
  if (operand.length > MAX_LIST_VALUES) {
    throw invalidQuery(`${name} expects at most ${MAX_LIST_VALUES} values`)
  }
  return operand
}

function booleanOf({ name, operand }: Given): boolean {
  if (typeof operand !== 'boolean') throw invalidQuery(`${name} expects true or false`)
  return operand
}

function sizeOf({ name, operand }: Given): number {
  if (!Number.isSafeInteger(operand) || Number(operand) < 0) {
    throw invalidQuery(`${name} expects a whole number, 0 or greater`)
  }
  return Number(operand)
}

function typesOf({ name, operand }: Given): TypeName[] {
  const types = Array.isArray(operand) ? operand : [operand]
  if (!types.every(isTypeName)) throw invalidQuery(`${name} expects one of ${TYPES.join(', ')}`)
  return types.filter(isTypeName)
}

function isTypeName(value: Json): value is TypeName {
  return typeof value === 'string' && TYPES.includes(value)
}
