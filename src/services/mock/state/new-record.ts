import { createHash } from 'node:crypto'
import { isObject, type Json, type JsonObject, memberOf } from '../document/json.ts'
import type { Collection } from './collection.ts'
import { setOwn } from './fit-to-schema.ts'
import { isGivenId, plain } from './identity.ts'
import type { Property } from './properties.ts'
import type { CollectionRecord } from './records.ts'

/** How values that the client did not send are generated. */
export interface NewRecordInput {
  dynamic: boolean
  /** If undefined, random values differ each time. */
  seed: string | undefined
  now: () => Date
}

/** Names of timestamps that the server maintains. */
const BIRTH = /^(?:date|time)?(?:created|added|inserted|registered|joined|opened|submitted)/
const TOUCH = /^(?:date|time)?(?:last)?(?:updated|modified|changed|edited|touched)/

export function isBirth({ name }: Property): boolean {
  return BIRTH.test(plain(name))
}

export function isTouch({ name }: Property): boolean {
  return TOUCH.test(plain(name))
}

/**
 * The record that a request creates; `parents` has ids by the names of properties that refer to
 * them.
 */
export function makeRecord(
  collection: Collection,
  body: JsonObject,
  number: number,
  parents: ReadonlyMap<string, Json>,
  making: NewRecordInput,
  given?: Json
): CollectionRecord {
  const { properties, id: idProperty } = collection
  const chosen = idProperty && !idProperty.readOnly && memberOf(body, idProperty.name)
  const id = given ?? (isGivenId(chosen) ? chosen : makeId(collection, number, making))
  const sample = sampleOf(collection, number, making)
  const record: JsonObject = {}
  for (const property of properties.values()) {
    const { name } = property
    const sent = property.readOnly ? undefined : memberOf(body, name)
    const other = sent === undefined ? generate(property) : sent
    const value = property === idProperty ? id : other
    if (value !== undefined) setOwn(record, name, value)
  }
  for (const [name, value] of Object.entries(body)) {
    if (!properties.has(name)) setOwn(record, name, value)
  }
  return { id: String(id), record }

  function generate(property: Property): Json | undefined {
    const { name, readOnly, required } = property
    const parent = parents.get(plain(name))
    if (parent !== undefined) return parent
    if (property.default !== undefined) return property.default
    if (property.writeOnly || !(readOnly || required)) return undefined
    const isKept = readOnly || isBirth(property) || isTouch(property)
    if (isKept && property.format === 'date-time') return making.now().toISOString()
    if (isKept && property.format === 'date') return making.now().toISOString().slice(0, 10)
    if (property.format === 'uuid') return makeUuid(collection, `${number} ${name}`, making)
    return sample === undefined ? undefined : memberOf(sample, name)
  }
}

const samples = new WeakMap<Collection, JsonObject | undefined>()

function sampleOf(
  collection: Collection,
  number: number,
  { dynamic, seed }: NewRecordInput
): JsonObject | undefined {
  const { served, schema, key } = collection
  if (schema === undefined) return undefined
  if (dynamic) {
    const own = `${seed ?? Math.random()} ${key} ${number}`
    const options = { ...served.random, datesFromNow: seed === undefined }
    return objectOf(served.generator.random(`#${schema}`, 'response', own, options))
  }
  if (!samples.has(collection)) {
    samples.set(collection, objectOf(served.generator.sample(`#${schema}`, 'response')))
  }
  return samples.get(collection)
}

function objectOf(made: { ok: boolean; value?: unknown }): JsonObject | undefined {
  return made.ok && isObject(made.value) ? made.value : undefined
}

/** The number if the schema allows numbers, otherwise a value that the schema accepts. */
export function makeId(collection: Collection, number: number, making: NewRecordInput): Json {
  const { id, served, parameterSchema } = collection
  const schema = id?.pointer ?? parameterSchema
  const types = schema === undefined ? [] : collection.reader.traits(schema).types
  const format = schema === undefined ? undefined : collection.reader.traits(schema).format
  if (types.includes('integer') || types.includes('number')) return number
  const uuid = makeUuid(collection, String(number), making)
  if (format === 'uuid') return uuid
  if (schema === undefined) return String(number)
  for (const candidate of [String(number), uuid, uuid.replaceAll('-', '')]) {
    if (isValid(collection, schema, candidate)) return candidate
  }
  const seed = `${making.seed ?? 'nonet'} ${collection.key} ${number}`
  const made = served.generator.random(`#${schema}`, 'response', seed)
  return made.ok && isGivenId(made.value) ? made.value : String(number)
}

function isValid({ served }: Collection, schema: string, value: Json): boolean {
  const found = served.schemas.find(`#${schema}`, 'response')
  return found.ok && found.compiled.validate(value).length === 0
}

/** A repeatable UUID in the format of version 4 (RFC 9562). */
function makeUuid({ key }: Collection, what: string, { seed }: NewRecordInput): string {
  const hex = createHash('sha256')
    .update(`${seed ?? 'nonet'}\n${key}\n${what}`)
    .digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32)
  ]
  return parts.join('-')
}

/** Highest number below the minimum of the schema of the id. */
export function floorOf({ id, reader, parameterSchema }: Collection): number {
  const schema = id?.pointer ?? parameterSchema
  const minimum = schema === undefined ? undefined : reader.traits(schema).minimum
  return Math.max(0, Math.ceil(minimum ?? 1) - 1)
}

/**
 * The record after a replacement. The id and read-only properties stay, as do creation times and
 * write-only properties that the client omits.
 */
export function replaceRecord(
  collection: Collection,
  before: JsonObject,
  after: JsonObject,
  { now }: NewRecordInput
): JsonObject {
  const { properties, id } = collection
  const record: JsonObject = {}
  for (const property of properties.values()) {
    const { name, readOnly } = property
    const value = readOnly || property === id ? memberOf(before, name) : memberOf(after, name)
    const isKept = value === undefined && (isBirth(property) || property.writeOnly)
    const kept = isKept ? memberOf(before, name) : value
    if (kept !== undefined) setOwn(record, name, kept)
    const isClock = property.format === 'date-time' && isTouch(property)
    if (isClock && (readOnly || value === undefined)) setOwn(record, name, now().toISOString())
  }
  for (const [name, value] of Object.entries(after)) {
    if (!properties.has(name)) setOwn(record, name, value)
  }
  return record
}
