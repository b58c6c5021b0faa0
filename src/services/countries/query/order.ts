import { fold } from '../world/fold.ts'
import type { Country } from '../world/world.ts'

export type Order = 'CODE_ASC' | 'CODE_DESC' | 'NAME_ASC' | 'NAME_DESC'

/** `countries` are sorted by code. Names are compared without case and accents, then by code. */
export function orderCountries(
  countries: readonly Country[],
  order: Order | null | undefined
): readonly Country[] {
  if (!order || order === 'CODE_ASC') return countries
  const ordered = order === 'CODE_DESC' ? countries : byName(countries)
  return order.endsWith('DESC') ? ordered.toReversed() : ordered
}

function byName(countries: readonly Country[]): Country[] {
  const keyed = countries.map((country) => ({ country, key: fold(country.name) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ country }) => country)
}
