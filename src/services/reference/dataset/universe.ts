import { type Field, RESOURCES, TYPES, type TypeName } from '../contract.ts'

/** Strings and numbers as served; links are ids in ascending order. */
export type Value = string | number | null | readonly number[]

export interface Entry {
  readonly id: number
  readonly values: Readonly<Record<string, Value>>
}

export interface Era {
  readonly before: string
  readonly after: string
  readonly event: string
}

export interface Universe {
  readonly name: string
  readonly summary: string
  readonly era: Era
  readonly types: Readonly<Record<TypeName, ReadonlyMap<number, Entry>>>
  /** The newest `edited` of all records. */
  readonly edited: string
}

export type StoredRecord = Readonly<Record<string, Value>> & { readonly id: number }

export interface Dataset {
  readonly universe: { readonly name: string; readonly summary: string; readonly era: Era }
  readonly records: Readonly<Record<TypeName, readonly StoredRecord[]>>
}

export function isDerived(field: Field): boolean {
  return field.kind === 'url' || (field.kind === 'links' && field.mirrors !== undefined)
}

export function idsOf(value: Value | undefined): readonly number[] {
  if (typeof value === 'number') return [value]
  return Array.isArray(value) ? value : []
}

/** Derives the other side of every relation, so that the two cannot disagree. */
export function createUniverse({ universe, records }: Dataset): Universe {
  const types = Object.fromEntries(
    TYPES.map((type) => [type, createEntries(type, records)])
  ) as Record<TypeName, ReadonlyMap<number, Entry>>
  const stamps = TYPES.flatMap((type) => records[type].map(({ edited }) => String(edited)))
  return { ...universe, types, edited: stamps.sort().at(-1) ?? '' }
}

function createEntries(type: TypeName, records: Dataset['records']): ReadonlyMap<number, Entry> {
  const { fields } = RESOURCES[type]
  const mirrors = new Map(fields.map((field) => [field.name, mirror(field, records)]))
  const sorted = [...records[type]].sort((one, other) => one.id - other.id)
  return new Map(
    sorted.map((record) => {
      const values = fields
        .filter(({ kind }) => kind !== 'url')
        .map(({ name }) => [name, mirrors.get(name)?.(record.id) ?? ordered(record[name])])
      return [record.id, { id: record.id, values: Object.fromEntries(values) }]
    })
  )
}

function ordered(value: Value | undefined): Value {
  if (Array.isArray(value)) return [...new Set<number>(value)].sort((one, other) => one - other)
  return value ?? null
}

function mirror(
  field: Field,
  records: Dataset['records']
): ((id: number) => readonly number[]) | undefined {
  if (field.kind !== 'links' || field.mirrors === undefined) return undefined
  const sources = new Map<number, Set<number>>()
  for (const source of records[field.to]) {
    for (const id of idsOf(source[field.mirrors])) {
      sources.set(id, (sources.get(id) ?? new Set()).add(source.id))
    }
  }
  return (id) => [...(sources.get(id) ?? [])].sort((one, other) => one - other)
}

export function nameOf(type: TypeName, { values }: Entry): string {
  return String(values[RESOURCES[type].search[0]])
}
