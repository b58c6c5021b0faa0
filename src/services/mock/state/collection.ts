import type { Operation } from '../model/api.ts'
import type { ServedApi } from '../served-api.ts'
import type { Property, SchemaReader } from './properties.ts'
import type { Action } from './view.ts'

/** A collection of records that the document describes by a pair of paths: `P` and `P/{id}`. */
export interface Collection {
  /** Unique path, prefixed with the name of its document if that has one. */
  key: string
  /** The path template as written, without a slash at its end. */
  path: string
  served: ServedApi
  reader: SchemaReader
  /** Parameters of the path, in order. */
  parents: readonly string[]
  /** The parameter of the item's path. */
  parameter: string
  /** Schema of that parameter. */
  parameterSchema: string | undefined
  /** The collection whose items own this one; undefined if there is none. */
  owner: Collection | undefined
  children: readonly Collection[]
  /** Schema of a record in responses. */
  schema: string | undefined
  properties: ReadonlyMap<string, Property>
  /** The property that holds the id. */
  id: Property | undefined
  actions: ReadonlyMap<Operation, Action>
}

/** Whether a schema probably describes the records of the collection. */
export function isRecordSchema(collection: Collection, pointer: string): boolean {
  const { reader, schema, id, properties } = collection
  if (schema !== undefined && reader.traits(schema).home === reader.traits(pointer).home) {
    return true
  }
  const names = [...reader.properties(pointer).keys()]
  if (id !== undefined && names.includes(id.name)) return true
  const common = names.filter((name) => properties.has(name))
  return common.length > 0 && common.length * 2 >= names.length
}

/** Whether requests can create records, so that the collection is usable without seed data. */
export function canCreate({ actions }: Collection): boolean {
  return [...actions].some(
    ([{ responses }, action]) =>
      action === 'create' || (action === 'replace' && responses.some(({ code }) => code === '201'))
  )
}
