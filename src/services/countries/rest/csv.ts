import type { Country } from '../world/world.ts'

const COLUMNS: Readonly<Record<string, (country: Country) => string | null>> = {
  code: ({ code }) => code,
  alpha3: ({ alpha3 }) => alpha3,
  numeric: ({ numeric }) => numeric,
  name: ({ name }) => name,
  native: ({ native }) => native,
  capital: ({ capital }) => capital,
  currencies: ({ currencies }) => currencies.join(' '),
  languages: ({ languages }) => languages.map(({ code }) => code).join(' '),
  phones: ({ phones }) => phones.join(' '),
  continent: ({ continent }) => continent.code,
  emoji: ({ emoji }) => emoji,
  timezones: ({ timezones }) => timezones.map(({ name }) => name).join(' '),
  awsRegion: ({ awsRegion }) => awsRegion
}

/** RFC 4180; elements of an array are separated by spaces. */
export function writeCsv(countries: readonly Country[]): string {
  const rows = countries.map((country) =>
    Object.values(COLUMNS).map((read) => quote(read(country) ?? ''))
  )
  return [Object.keys(COLUMNS), ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
