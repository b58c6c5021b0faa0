import { BadSort, type Field, RESOURCES, type TypeName, UnknownField } from '../contract.ts'
import type { Entry, Universe } from '../dataset/universe.ts'
import { type Parameters, splitList } from './parameters.ts'
import { compareValues, sortKey } from './sort-key.ts'

interface Order {
  readonly field: Field
  readonly sign: 1 | -1
}

export type Compare = (one: Entry, other: Entry) => number

/** `ordering=name,-height`, or `sort=name:asc,height:desc`; undefined if both are missing. */
export function parseOrdering(
  parameters: Parameters,
  type: TypeName,
  era: Universe['era']
): Compare | undefined {
  const ordering = splitList(parameters.get('ordering'))
  const orders =
    ordering.length > 0
      ? ordering.map((name) => parseSigned(name, type))
      : splitList(parameters.get('sort')).map((name) => parseDirected(name, type))
  return orders.length === 0 ? undefined : (one, other) => compareBy(orders, one, other, era)
}

function parseSigned(name: string, type: TypeName): Order {
  const descending = name.startsWith('-')
  const field = findSortable(descending ? name.slice(1) : name, type, 'ordering')
  return { field, sign: descending ? -1 : 1 }
}

function parseDirected(text: string, type: TypeName): Order {
  const [name = '', direction = 'asc'] = text.split(':')
  if (direction !== 'asc' && direction !== 'desc') throw new BadSort(direction)
  return { field: findSortable(name, type, 'sort'), sign: direction === 'asc' ? 1 : -1 }
}

function findSortable(name: string, type: TypeName, parameter: string): Field {
  const sortable = RESOURCES[type].fields.filter(isSortable)
  const found = sortable.find((field) => field.name === name)
  const known = sortable.map((field) => field.name).join(', ')
  if (found === undefined) throw new UnknownField(name, parameter, known)
  return found
}

export function isSortable(field: Field): boolean {
  return !('to' in field) && field.kind !== 'url'
}

function compareBy(
  orders: readonly Order[],
  one: Entry,
  other: Entry,
  era: Universe['era']
): number {
  for (const { field, sign } of orders) {
    const left = sortKey(field, one.values[field.name], era)
    const right = sortKey(field, other.values[field.name], era)
    // Values without a number are last in both directions.
    if (left === undefined || right === undefined) {
      if (left === right) continue
      return left === undefined ? 1 : -1
    }
    const difference = compareValues(left, right)
    if (difference !== 0) return difference * sign
  }
  return 0
}
