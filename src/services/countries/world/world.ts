import { countryFlag, countryFlagCodes, subdivisionFlag } from './flag.ts'
import type { Attribution, CountryRecord, Meta, Records, SubdivisionRecord } from './folder.ts'
import type { LocalName } from './local-name.ts'

/** A country as in the schema; fields with arguments or the current time are in the resolvers. */
export interface Country extends Omit<CountryRecord, LinkedField> {
  phone: string
  currency: string | null
  emoji: string
  emojiU: string
  continent: Continent
  continents: readonly Continent[]
  languages: readonly Language[]
  currencyInfo: readonly Currency[]
  timezones: readonly Timezone[]
  readonly subdivisions: readonly Subdivision[]
  readonly states: readonly State[]
}
type LinkedField = 'continent' | 'continents' | 'languages' | 'timezones'

export interface Continent {
  code: string
  name: string
  countries: Country[]
}

export interface Language {
  code: string
  name: string
  native: string
  rtl: boolean
  countries: Country[]
}

export interface Currency {
  code: string
  name: string
  symbol: string
  digits: number
  countries: Country[]
}

export interface Timezone {
  name: string
}

export interface Subdivision {
  code: string
  name: string
  emoji: string | null
  readonly parent: Subdivision | null
}

export interface State {
  code: string
  name: string
  country: Country
}

export interface World {
  countries: readonly Country[]
  continents: ReadonlyMap<string, Continent>
  languages: ReadonlyMap<string, Language>
  currencies: ReadonlyMap<string, Currency>
  meta: { dataVersion: string; updated: string; sources: readonly Attribution[] }
  /** Finds a country by alpha-2, alpha-3 or numeric code, in upper or lower case. */
  country: (code: string) => Country | undefined
}

/** Links countries with continents, languages, currencies and subdivisions. */
export function createWorld(
  records: Records,
  subdivisionRecords: readonly SubdivisionRecord[],
  localName: LocalName
): World {
  const continents = createContinents(records.meta)
  const languages = new Map(
    records.languages.map((language) => [
      language.code,
      { ...language, countries: [] as Country[] }
    ])
  )
  const currencies = createCurrencies(records, localName)
  const subdivisions = createSubdivisions(subdivisionRecords)
  const links = { continents, languages, currencies, subdivisions }
  const countries = records.countries.map((record) => createCountry(record, links))
  for (const country of countries) {
    country.continent.countries.push(country)
    for (const language of country.languages) language.countries.push(country)
    for (const currency of country.currencyInfo) currency.countries.push(country)
  }
  const byCode = new Map(
    countries.flatMap((country) =>
      [country.code, country.alpha3, country.numeric].map((code) => [code, country] as const)
    )
  )
  const { dataVersion, updated, sources } = records.meta
  return {
    countries,
    continents,
    languages,
    currencies,
    meta: { dataVersion, updated, sources },
    country: (code) =>
      byCode.get(/^\d{1,3}$/.test(code) ? code.padStart(3, '0') : code.toUpperCase())
  }
}

interface Links {
  continents: ReadonlyMap<string, Continent>
  languages: ReadonlyMap<string, Language>
  currencies: ReadonlyMap<string, Currency>
  subdivisions: (country: string) => readonly Subdivision[]
}

function createCountry(record: CountryRecord, links: Links): Country {
  const { code, phones, currencies } = record
  const country: Country = {
    ...record,
    phone: phones.join(','),
    currency: currencies.join(',') || null,
    emoji: countryFlag(code),
    emojiU: countryFlagCodes(code),
    continent: get(links.continents, record.continent),
    continents: record.continents.map((one) => get(links.continents, one)),
    languages: record.languages.map((one) => get(links.languages, one)),
    currencyInfo: currencies.map((one) => get(links.currencies, one)),
    timezones: record.timezones.map((name) => ({ name })),
    get subdivisions() {
      return links.subdivisions(code)
    },
    get states() {
      return links
        .subdivisions(code)
        .filter(({ parent }) => parent === null)
        .map((one) => ({ code: one.code.slice(code.length + 1), name: one.name, country }))
    }
  }
  return country
}

function createContinents({ continents }: Meta): Map<string, Continent> {
  return new Map(
    Object.entries(continents).map(([code, name]) => [code, { code, name, countries: [] }])
  )
}

/** A correction may add a currency that is not in the data; its name is taken from Node's CLDR. */
function createCurrencies(records: Records, localName: LocalName): Map<string, Currency> {
  const known = new Map(records.currencies.map((one) => [one.code, one]))
  const used = [...new Set(records.countries.flatMap(({ currencies }) => currencies))].sort()
  return new Map(
    used.map((code) => {
      const name = localName('currency', code, 'en') ?? code
      const record = known.get(code) ?? { code, name, symbol: code, digits: 2 }
      return [code, { ...record, countries: [] }]
    })
  )
}

function createSubdivisions(records: readonly SubdivisionRecord[]) {
  const all = new Map<string, Subdivision>()
  for (const { code, name, parent } of records) {
    all.set(code, {
      code,
      name,
      emoji: subdivisionFlag(code),
      get parent() {
        return parent === null ? null : (all.get(parent) ?? null)
      }
    })
  }
  const byCountry = Map.groupBy(all.values(), ({ code }) => code.slice(0, 2))
  return (country: string): readonly Subdivision[] => byCountry.get(country) ?? []
}

function get<T>(things: ReadonlyMap<string, T>, code: string): T {
  const thing = things.get(code)
  if (thing === undefined) throw new Error(`The data names ${code}, which it does not hold`)
  return thing
}
