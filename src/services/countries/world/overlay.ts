import { readFileSync } from 'node:fs'
import { UserError } from '../../../kernel/errors.ts'
import { isObject } from '../../../kernel/json.ts'
import type { CountryRecord, LanguageRecord, Records } from './folder.ts'

type Check = (value: unknown, records: Records) => boolean

const isText: Check = (value) => typeof value === 'string' && value !== ''
const isTextOrNull: Check = (value) => value === null || isText(value, NOTHING)
const isCurrency = (value: unknown) => typeof value === 'string' && /^[A-Z]{3}$/.test(value)
const isZone = (value: unknown) =>
  typeof value === 'string' && /^[A-Z]/i.test(value) && opens(value)
const isContinent: Check = (value, { meta }) =>
  typeof value === 'string' && Object.hasOwn(meta.continents, value)
const isLanguage: Check = (value, { languages }) => languages.some(({ code }) => code === value)
const listOf =
  (check: Check): Check =>
  (value, records) =>
    Array.isArray(value) && value.every((item) => check(item, records))

const NOTHING: Records = {
  countries: [],
  languages: [],
  currencies: [],
  meta: { dataVersion: '', updated: '', continents: {}, sources: [] }
}

const COUNTRY_FIELDS: Readonly<Record<string, { check: Check; wanted: string }>> = {
  name: { check: isText, wanted: 'a string' },
  native: { check: isText, wanted: 'a string' },
  capital: { check: isTextOrNull, wanted: 'a string or null' },
  aliases: { check: listOf(isText), wanted: 'an array of strings' },
  phones: { check: listOf(isText), wanted: 'an array of strings' },
  currencies: { check: listOf(isCurrency), wanted: 'an array of ISO 4217 codes' },
  languages: { check: listOf(isLanguage), wanted: 'an array of known language codes' },
  continent: { check: isContinent, wanted: 'a continent code' },
  continents: { check: listOf(isContinent), wanted: 'an array of continent codes' },
  timezones: { check: listOf(isZone), wanted: 'an array of IANA time zones' },
  awsRegion: { check: isText, wanted: 'a string' }
}

interface Row {
  code: string
  field: string
  value: unknown
}

/** Applies the corrections of the operator's file; throws if one of them is invalid. */
export function applyOwnCorrections(records: Records, path: string): Records {
  const { countries, languages } = readRows(path)
  const corrected: Records = {
    ...records,
    countries: records.countries.map((country) => ({ ...country })),
    languages: [...records.languages]
  }
  for (const row of languages) correctLanguage(corrected, row, path)
  for (const row of countries) correctCountry(corrected, row, path)
  return corrected
}

function readRows(path: string): { countries: Row[]; languages: Row[] } {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UserError(`Cannot read corrections from ${path}: ${(error as Error).message}`)
  }
  const { countries = [], languages = [], ...others } = asObject(parsed, path)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) reject(path, `unknown key ${unknown}`)
  return { countries: asRows(countries, path), languages: asRows(languages, path) }
}

function asObject(value: unknown, path: string): Record<string, unknown> {
  if (isObject(value)) return value
  return reject(path, 'expected an object with countries and languages')
}

function asRows(value: unknown, path: string): Row[] {
  if (!Array.isArray(value)) return reject(path, 'countries and languages must be arrays')
  return value.map((item) => {
    const row = asObject(item, path)
    const { code, field } = row
    if (typeof code !== 'string' || typeof field !== 'string' || !('value' in row)) {
      return reject(path, `each entry must have code, field and value: ${JSON.stringify(item)}`)
    }
    return { code, field, value: row.value }
  })
}

function correctCountry(records: Records, { code, field, value }: Row, path: string): void {
  const country = records.countries.find((one) => one.code === code.toUpperCase())
  const rule = Object.hasOwn(COUNTRY_FIELDS, field) ? COUNTRY_FIELDS[field] : undefined
  if (country === undefined) reject(path, `unknown country ${code}`)
  if (rule === undefined) {
    reject(path, `${code}: unknown field ${field}; known fields: ${listNames(COUNTRY_FIELDS)}`)
  }
  if (!rule.check(value, records)) reject(path, `${code}: ${field} must be ${rule.wanted}`)
  const { name, continents } = country
  country[field as 'name'] = value as CountryRecord['name']
  // The former name is kept as an alias, so that it can still be searched.
  if (name !== country.name) country.aliases = [...new Set([...country.aliases, name])]
  if (field === 'continent') {
    country.continents = [...new Set([country.continent, ...continents])]
  }
}

/** The field `whole` adds or replaces a language. */
function correctLanguage(records: Records, { code, field, value }: Row, path: string): void {
  const { languages } = records
  const index = languages.findIndex((one) => one.code === code.toLowerCase())
  const given = field === 'whole' ? asObject(value, path) : { ...languages[index], [field]: value }
  const language = { code: code.toLowerCase(), ...given } as LanguageRecord
  const { name, native, rtl, ...others } = language
  const fine =
    isText(name, records) &&
    isText(native, records) &&
    typeof rtl === 'boolean' &&
    Object.keys(others).join() === 'code'
  if (!fine) reject(path, `${code}: a language must have name, native and rtl (true or false)`)
  if (index === -1) languages.push(language)
  else languages[index] = language
  languages.sort((a, b) => (a.code < b.code ? -1 : 1))
}

/** Accepts every name of a zone; `Intl.supportedValuesOf` lists only one name per zone. */
function opens(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined
  } catch {
    return false
  }
}

function listNames(fields: object): string {
  return Object.keys(fields).join(', ')
}

function reject(path: string, text: string): never {
  throw new UserError(`Corrections in ${path} cannot be used: ${text}`)
}
