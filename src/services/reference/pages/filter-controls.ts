import { type Field, RESOURCES, type TypeName } from '../contract.ts'
import { idsOf, type Universe } from '../dataset/universe.ts'
import { compareValues } from '../query/sort-key.ts'
import { recordName } from './links.ts'
import { isNumber, labelOf, unitOf } from './wording.ts'

export interface Choice {
  readonly value: string
  readonly text: string
}

/** A field of the form; `name` is the parameter that it sets. */
export interface FilterControl {
  readonly name: string
  readonly label: string
  /** Shown instead of the label at the end of a range, next to which the beginning has the name. */
  readonly shortLabel?: string
  readonly input: 'choice' | 'text' | 'number' | 'year' | 'date' | 'id'
  readonly choices?: readonly Choice[]
}

/** The controls of one field: two for a range, otherwise one. */
export interface FieldFilter {
  readonly field: Field
  readonly controls: readonly FilterControl[]
}

/** Data sets of users may have any number of values. */
const MAX_CHOICES = 100
const MAX_CHOICES_LENGTH = 3000

const known = new WeakMap<Universe, Map<TypeName, readonly FieldFilter[]>>()

/** One filter for every field, except those that `search` searches. */
export function filtersOf(universe: Universe, type: TypeName): readonly FieldFilter[] {
  const types = known.get(universe) ?? new Map<TypeName, readonly FieldFilter[]>()
  known.set(universe, types)
  const found = types.get(type) ?? createFilters(universe, type)
  types.set(type, found)
  return found
}

function createFilters(universe: Universe, type: TypeName): FieldFilter[] {
  const { fields, search } = RESOURCES[type]
  return fields
    .filter(({ name, kind }) => kind !== 'url' && !search.includes(name))
    .map((field) => ({ field, controls: controlsOf(universe, type, field) }))
}

function controlsOf(universe: Universe, type: TypeName, field: Field): FilterControl[] {
  const { name } = field
  const label = labelOf(name)
  if ('to' in field) return [linkControl(universe, type, field, label)]
  if (field.kind === 'time') return range(name, label, 'date', 'before')
  if (field.kind === 'date') return range(name, label, 'date', 'to')
  if (name === 'birth_year') return range(name, label, 'year', 'to')
  if (isNumber(field)) return range(name, withUnit(label, field), 'number', 'to')
  const choices = valuesOf(universe, type, name)
  return choices === undefined
    ? [{ name: `${name}__contains`, label: `${label} contains`, input: 'text' }]
    : [{ name, label, input: 'choice', choices }]
}

/** A time is later than the date at which it begins, so the end of a range of times is excluded. */
function range(
  name: string,
  label: string,
  input: FilterControl['input'],
  end: 'to' | 'before'
): FilterControl[] {
  return [
    { name: `${name}__gte`, label: `${label} from`, input },
    { name: `${name}__lte`, label: `${label} ${end}`, shortLabel: end, input }
  ]
}

function withUnit(label: string, field: Field): string {
  const unit = unitOf(field)
  return unit === undefined ? label : `${label} (${unit})`
}

function linkControl(
  universe: Universe,
  type: TypeName,
  { name, to }: Extract<Field, { to: TypeName }>,
  label: string
): FilterControl {
  const entries = [...universe.types[type].values()]
  const ids = new Set(entries.flatMap(({ values }) => idsOf(values[name])))
  const choices = toChoices(
    [...ids].map((id) => ({ value: String(id), text: recordName(universe, to, id) }))
  )
  return choices === undefined
    ? { name, label: `${label} (id)`, input: 'id' }
    : { name, label, input: 'choice', choices }
}

/** Undefined if most records have a value of their own: then a part of it is more useful. */
function valuesOf(
  { types }: Universe,
  type: TypeName,
  name: string
): readonly Choice[] | undefined {
  const entries = [...types[type].values()]
  const values = new Set(entries.map((entry) => String(entry.values[name])))
  if (values.size * 2 > entries.length) return undefined
  return toChoices([...values].map((value) => ({ value, text: value })))
}

function toChoices(choices: readonly Choice[]): readonly Choice[] | undefined {
  const length = choices.reduce((sum, { text }) => sum + text.length, 0)
  if (choices.length > MAX_CHOICES || length > MAX_CHOICES_LENGTH) return undefined
  return [...choices].sort((one, other) => compareValues(one.text, other.text))
}
