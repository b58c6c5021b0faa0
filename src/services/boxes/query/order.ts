import { isObject, type Json } from '../../../kernel/json.ts'
import { typeOf } from './evaluate.ts'
import type { Candidate, Path, SystemField, TypeName } from './filter.ts'
import type { Sort, SortField } from './sort-syntax.ts'
import { compareTexts } from './text-order.ts'

/** The order of types in MongoDB; a missing value has the rank of null. */
export const RANKS: Readonly<Record<TypeName, number>> = {
  null: 0,
  number: 1,
  string: 2,
  object: 3,
  array: 4,
  boolean: 5
}

/** The sort key of a value; all objects are equal, and all arrays are equal. */
export interface SortKey {
  readonly rank: number
  /** 0 or 1 for a boolean. */
  readonly value?: number | string
}

/** Position of a record in a list: its sort keys, then its order of insertion. */
export interface Position {
  readonly keys: readonly SortKey[]
  readonly pk: number
}

export function positionOf(sort: Sort, candidate: Candidate): Position {
  return { keys: sort.map((field) => keyOf(field, candidate)), pk: candidate.pk }
}

export function comparePositions(sort: Sort, one: Position, other: Position): number {
  for (const [index, { descending }] of sort.entries()) {
    const difference = compareKeys(one.keys[index], other.keys[index])
    if (difference !== 0) return descending ? -difference : difference
  }
  // As in jsonbox, equal records are in the order of insertion, whatever the direction.
  return one.pk - other.pk
}

const MISSING: SortKey = { rank: RANKS.null }

function keyOf({ path, system }: SortField, candidate: Candidate): SortKey {
  return system === undefined ? sortKeyOf(candidate.doc, path) : systemKey(system, candidate)
}

function systemKey(field: SystemField, candidate: Candidate): SortKey {
  const { id, collection, createdMs, updatedMs } = candidate
  if (field === '_id') return { rank: RANKS.string, value: id }
  if (field === '_createdOn') return { rank: RANKS.number, value: createdMs }
  if (field === '_updatedOn') {
    return updatedMs === null ? MISSING : { rank: RANKS.number, value: updatedMs }
  }
  return collection === null ? MISSING : { rank: RANKS.string, value: collection }
}

/** Follows objects only: in an array the path may have several values. */
export function sortKeyOf(doc: Json, path: Path): SortKey {
  let value = doc
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return MISSING
    value = value[name] ?? null
  }
  const rank = RANKS[typeOf(value)]
  if (typeof value === 'boolean') return { rank, value: Number(value) }
  return typeof value === 'number' || typeof value === 'string' ? { rank, value } : { rank }
}

function compareKeys(one = MISSING, other = MISSING): number {
  if (one.rank !== other.rank) return one.rank - other.rank
  if (typeof one.value === 'string' && typeof other.value === 'string') {
    return compareTexts(one.value, other.value)
  }
  return Number(one.value ?? 0) - Number(other.value ?? 0)
}
