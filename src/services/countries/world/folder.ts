import { readFileSync } from 'node:fs'

/** The folder `data` is next to `src` in a clone and next to `dist` in the package. */
const FOLDER = new URL('../../../../data/countries/', import.meta.url)

export interface CountryRecord {
  code: string
  alpha3: string
  numeric: string | null
  name: string
  native: string
  aliases: string[]
  continent: string
  continents: string[]
  capital: string | null
  currencies: string[]
  languages: string[]
  phones: string[]
  timezones: string[]
  awsRegion: string
}

export interface LanguageRecord {
  code: string
  name: string
  native: string
  rtl: boolean
}

export interface CurrencyRecord {
  code: string
  name: string
  symbol: string
  digits: number
}

export interface SubdivisionRecord {
  code: string
  name: string
  parent: string | null
}

export interface Attribution {
  name: string
  version: string
  licence: string
}

export interface Meta {
  dataVersion: string
  updated: string
  continents: Record<string, string>
  sources: Attribution[]
}

/** Contents of the data files, before records are linked. */
export interface Records {
  countries: CountryRecord[]
  languages: LanguageRecord[]
  currencies: CurrencyRecord[]
  meta: Meta
}

export function readRecords(): Records {
  return {
    countries: readFile('countries'),
    languages: readFile('languages'),
    currencies: readFile('currencies'),
    meta: readFile('meta')
  }
}

export function readSubdivisions(): SubdivisionRecord[] {
  return readFile('subdivisions')
}

/** Country names in the languages of countries.trevorblades.com, by language and country code. */
export function readNames(): Map<string, Readonly<Record<string, string>>> {
  const rows: { language: string; names: Record<string, string> }[] = readFile('names')
  return new Map(rows.map(({ language, names }) => [language, names]))
}

function readFile<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'))
}
