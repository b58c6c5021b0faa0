import type { PreparedResponse } from '../../../kernel/prepared-response.ts'
import { CountryNotFound, JSON_TYPE } from '../contract.ts'
import { createResponse } from '../response.ts'
import { readSchemaText } from '../schema-text.ts'
import type { Country, World } from '../world/world.ts'
import { writeCsv } from './csv.ts'

/** Renders the data as files, for clients without GraphQL. */
export function renderFile(world: World, path: string): PreparedResponse {
  const [name = ''] = path.split('?', 1)
  if (name === '/schema.graphql') return wrap(world, readSchemaText(), 'text/plain; charset=utf-8')
  if (name === '/countries.csv') {
    return wrap(world, writeCsv(world.countries), 'text/csv; charset=utf-8')
  }
  const value =
    name === '/countries.json' ? world.countries.map(describeCountry) : findCountry(world, name)
  return wrap(world, JSON.stringify(value), JSON_TYPE)
}

function findCountry(world: World, path: string) {
  const code = decodeURIComponent(path.slice('/countries/'.length)).replace(/\.json$/, '')
  const country = world.country(code)
  if (country === undefined) throw new CountryNotFound(code.slice(0, 40))
  return describeCountry(country)
}

export function describeCountry(country: Country) {
  const { code, alpha3, numeric, name, native, aliases, capital, currencies, phones } = country
  const { emoji, emojiU, continent, continents, languages, timezones, awsRegion } = country
  return {
    code,
    alpha3,
    numeric,
    name,
    native,
    aliases,
    capital,
    currencies,
    languages: languages.map(({ countries: _, ...language }) => language),
    phones,
    continent: continent.code,
    continents: continents.map((one) => one.code),
    emoji,
    emojiU,
    timezones: timezones.map((zone) => zone.name),
    awsRegion
  }
}

function wrap(world: World, body: string, type: string): PreparedResponse {
  const headers = { 'content-type': type, 'x-data-version': world.meta.dataVersion }
  return createResponse({ status: 200, body, keep: true, steady: true, headers })
}
