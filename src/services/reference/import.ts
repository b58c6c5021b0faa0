import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../../kernel/errors.ts'
import { isObject } from '../../kernel/json.ts'
import type { Finding } from '../../kernel/service.ts'
import { type Field, RESOURCES, TYPES, type TypeName } from './contract.ts'
import { readJson } from './dataset/folder.ts'
import { isDerived } from './dataset/universe.ts'
import { FILE_NAMES, hasErrors, parseDataset } from './dataset/validate-structure.ts'
import { isNumeric, isSpecialWord } from './dataset/words.ts'

type Fields = Readonly<Record<string, unknown>>
type Fixture = ReadonlyMap<number, Fields>

/** The fixtures have the fields that vehicles and starships share in `transport.json`. */
const SHARED = 'transport.json'

const UNIVERSE = {
  name: 'Imported data set',
  summary: 'Records imported from Django fixtures.',
  era: { before: 'BBY', after: 'ABY', event: 'The event that the year suffixes refer to.' }
}

/** Converts the seven public Django fixture files to our layout; ids are kept. */
export async function importFixtures(from: string, to: string): Promise<string> {
  const { files, findings } = await readJson(from, [...TYPES.map((type) => `${type}.json`), SHARED])
  if (findings.length > 0) throw new UserError(rejection(from, findings))
  const fixtures = new Map([...files].map(([name, content]) => [name, readFixture(name, content)]))
  const imported = new Map<string, unknown>([['universe.json', UNIVERSE]])
  for (const type of TYPES) imported.set(`${type}.json`, convertType(type, fixtures))
  const shaped = parseDataset(imported)
  if (hasErrors(shaped.findings)) throw new UserError(rejection(from, shaped.findings))
  await mkdir(to, { recursive: true })
  for (const name of FILE_NAMES) await writeFile(join(to, name), print(imported.get(name)))
  const counts = TYPES.map((type) => `${fixtures.get(`${type}.json`)?.size} ${type}`)
  return `Imported ${counts.join(', ')} into ${to}.`
}

function print(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`
}

function rejection(from: string, findings: readonly Finding[]): string {
  const [first] = findings
  return `${from} cannot be imported. ${first?.where}: ${first?.text}.`
}

function readFixture(name: string, content: unknown): Fixture {
  if (!Array.isArray(content))
    throw new UserError(`${name} is not an array of {model, pk, fields}.`)
  return new Map(content.map((item: unknown) => readItem(name, item)))
}

function readItem(name: string, item: unknown): [number, Fields] {
  const { pk, fields } = isObject(item) ? item : {}
  if (typeof pk !== 'number' || !isObject(fields)) {
    throw new UserError(`${name} holds an item without pk or fields.`)
  }
  return [pk, fields]
}

function convertType(type: TypeName, fixtures: ReadonlyMap<string, Fixture>): object[] {
  const shared = fixtures.get(SHARED)
  const stored = RESOURCES[type].fields.filter((field) => !isDerived(field))
  return [...(fixtures.get(`${type}.json`) ?? [])]
    .sort(([one], [other]) => one - other)
    .map(([id, own]) => {
      const isCraft = type === 'vehicles' || type === 'starships'
      const fields = isCraft ? { ...shared?.get(id), ...own } : own
      return {
        id,
        ...Object.fromEntries(
          stored.map((field) => [field.name, convert(field, fields[field.name])])
        )
      }
    })
}

function convert(field: Field, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (field.kind === 'time') return sixDigits(value)
  if (field.kind !== 'text' || field.name === 'opening_crawl') return value
  return withUnit(field, tidy(value))
}

function tidy(value: string): string {
  const trimmed = value.trim()
  if (isSpecialWord(trimmed.toLowerCase())) return trimmed.toLowerCase()
  return /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed
}

function withUnit(field: Extract<Field, { kind: 'text' }>, value: string): string {
  return field.unit !== undefined && isNumeric(value) ? `${value} ${field.unit}` : value
}

/** Adds missing digits: Django writes milliseconds, microseconds or no fraction at all. */
function sixDigits(value: string): string {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(?:Z|\+00:00)$/.exec(value)
  return match === null ? value : `${match[1]}.${(match[2] ?? '').padEnd(6, '0')}Z`
}
