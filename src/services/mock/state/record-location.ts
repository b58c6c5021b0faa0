import { isObject, type Json } from '../document/json.ts'
import type { MediaType } from '../model/api.ts'
import { declaredExamples } from '../response/content-value.ts'
import type { ServedApi } from '../served-api.ts'
import { plain } from './identity.ts'
import type { SchemaReader } from './properties.ts'

/** Where in a response a record or an array of records is. */
export interface RecordLocation {
  /** The member that contains it; undefined if the response is the record or the array itself. */
  member: string | undefined
  /** Schema of one record. */
  schema: string | undefined
}

const LIST_NAMES = ['data', 'items', 'results', 'records', 'content', 'entries', 'values', 'list']

/** A bare array, or the one array of records in an object; undefined if there is none. */
export function findList(
  served: ServedApi,
  reader: SchemaReader,
  media: MediaType,
  segment: string
): RecordLocation | undefined {
  if (media.schema === undefined) return findListIn(declaredExamples(served, media)[0]?.value)
  const { types, items } = reader.traits(media.schema)
  if (types.includes('array') || (types.length === 0 && items !== undefined)) {
    return { member: undefined, schema: items }
  }
  const all = [...reader.properties(media.schema).values()].filter(
    ({ items }) => items !== undefined
  )
  const described = all.filter(({ items = '' }) => reader.properties(items).size > 0)
  const open = all.filter(({ items = '' }) => reader.traits(items).types.length === 0)
  const lists = described.length > 0 ? described : open
  const names = [plain(segment), ...LIST_NAMES]
  const named = names.flatMap((name) => lists.filter((list) => plain(list.name) === name))
  const found = named[0] ?? (lists.length === 1 ? lists[0] : undefined)
  return found && { member: found.name, schema: found.items }
}

function findListIn(value: Json | undefined): RecordLocation | undefined {
  if (Array.isArray(value)) return { member: undefined, schema: undefined }
  if (!isObject(value)) return undefined
  const lists = Object.keys(value).filter((name) => {
    const list = value[name]
    return Array.isArray(list) && list.length > 0 && list.every(isObject)
  })
  return lists.length === 1 ? { member: lists[0], schema: undefined } : undefined
}

/** The record itself, or the one member that contains it; undefined if there is none. */
export function findRecord(
  reader: SchemaReader,
  schema: string | undefined,
  isOwn: (pointer: string) => boolean
): RecordLocation | undefined {
  if (schema === undefined) return { member: undefined, schema }
  if (isOwn(schema)) return { member: undefined, schema }
  const members = [...reader.properties(schema).values()].filter(({ pointer }) => isOwn(pointer))
  const [only] = members
  return members.length === 1 && only ? { member: only.name, schema: only.pointer } : undefined
}
