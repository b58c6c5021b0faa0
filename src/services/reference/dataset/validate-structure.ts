import { isObject } from '../../../kernel/json.ts'
import type { Finding } from '../../../kernel/service.ts'
import { type Field, RESOURCES, TYPES, type TypeName } from '../contract.ts'
import { type Dataset, idsOf, isDerived, type StoredRecord } from './universe.ts'

/** Fields that are allowed in the data but never served. */
const UNSERVED: Readonly<Partial<Record<TypeName, readonly string[]>>> = { films: ['set_in'] }

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/

export const FILE_NAMES = ['universe.json', ...TYPES.map((type) => `${type}.json`)]

export interface ParsedDataset {
  /** Undefined if there is an error. */
  readonly dataset: Dataset | undefined
  readonly findings: readonly Finding[]
}

type Loose = Readonly<Record<string, unknown>>

/** Checks that the files have the structure that the code relies on. */
export function parseDataset(files: ReadonlyMap<string, unknown>): ParsedDataset {
  const findings = [...checkUniverse(files.get('universe.json'))]
  for (const type of TYPES) findings.push(...checkType(type, files.get(`${type}.json`)))
  const complete = FILE_NAMES.every((name) => files.has(name))
  if (!complete || hasErrors(findings)) return { dataset: undefined, findings }
  const dataset = {
    universe: files.get('universe.json'),
    records: Object.fromEntries(TYPES.map((type) => [type, files.get(`${type}.json`)]))
  } as Dataset
  findings.push(...checkReferences(dataset))
  return { dataset: hasErrors(findings) ? undefined : dataset, findings }
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'error')
}

function checkUniverse(universe: unknown): Finding[] {
  if (universe === undefined) return []
  const where = 'universe.json'
  const { era, ...texts } = isObject(universe) ? universe : {}
  const { before, after, event } = isObject(era) ? era : {}
  return Object.entries({ name: texts.name, summary: texts.summary, before, after, event })
    .filter(([, value]) => typeof value !== 'string')
    .map(([name]) => ({ level: 'error', where, text: `${name} must be a string` }))
}

function checkType(type: TypeName, records: unknown): Finding[] {
  if (records === undefined) return []
  const where = `${type}.json`
  if (!Array.isArray(records)) return [{ level: 'error', where, text: 'must be an array' }]
  const seen = new Set<unknown>()
  return records.flatMap((record: unknown, index) => {
    if (!isObject(record)) return reject(`${where} #${index + 1}`, 'must be an object')
    const { id } = record
    if (!isId(id)) return reject(`${where} #${index + 1}`, 'id must be a whole number from 1')
    if (seen.has(id)) return reject(`${where} id ${id}`, 'the id is used twice')
    seen.add(id)
    return checkRecord(type, record, `${where} id ${id}`)
  })
}

function reject(where: string, text: string): Finding[] {
  return [{ level: 'error', where, text }]
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0
}

function checkRecord(type: TypeName, record: Loose, where: string): Finding[] {
  const stored = RESOURCES[type].fields.filter((field) => !isDerived(field))
  const known = new Set(['id', ...stored.map(({ name }) => name), ...(UNSERVED[type] ?? [])])
  const missing = stored
    .filter((field) => !isWellTyped(field, record[field.name]))
    .flatMap((field) => reject(where, `${field.name} must be ${expected(field)}`))
  const unknown = Object.keys(record)
    .filter((name) => !known.has(name))
    .map((name): Finding => ({ level: 'warning', where, text: `${name} is an unknown field` }))
  return [...missing, ...unknown]
}

function isWellTyped(field: Field, value: unknown): boolean {
  if (field.kind === 'integer') return Number.isSafeInteger(value)
  if (field.kind === 'link') return value === null || isId(value)
  if (field.kind === 'links') return Array.isArray(value) && value.every(isId)
  return typeof value === 'string' && (field.kind !== 'time' || isTimestamp(value))
}

function isTimestamp(text: string): boolean {
  if (!TIMESTAMP.test(text) || Number.isNaN(Date.parse(text))) return false
  // Date.parse accepts 30 February as a day in March.
  return new Date(text).toISOString().slice(0, 10) === text.slice(0, 10)
}

function expected({ kind }: Field): string {
  if (kind === 'integer') return 'a whole number'
  if (kind === 'link') return 'an id or null'
  if (kind === 'links') return 'an array of ids'
  return kind === 'time' ? 'a UTC timestamp with six fraction digits and Z' : 'a string'
}

function checkReferences({ records }: Dataset): Finding[] {
  const ids = new Map(TYPES.map((type) => [type, new Set(records[type].map(({ id }) => id))]))
  return eachLink(records).flatMap(({ type, record, field }) => {
    const where = `${type}.json id ${record.id}`
    return idsOf(record[field.name])
      .filter((id) => !ids.get(field.to)?.has(id))
      .flatMap((id) =>
        reject(where, `${field.name} refers to ${field.to} ${id}, which does not exist`)
      )
  })
}

type Link = Extract<Field, { to: TypeName }>

function eachLink(
  records: Dataset['records']
): { type: TypeName; record: StoredRecord; field: Link }[] {
  return TYPES.flatMap((type) => {
    const links = RESOURCES[type].fields
      .filter((field) => field.kind === 'link' || field.kind === 'links')
      .filter((field) => !isDerived(field))
    return records[type].flatMap((record) => links.map((field) => ({ type, record, field })))
  })
}
