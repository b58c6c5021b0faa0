import type { World } from '../world/world.ts'
import type { ListSize, ListSizes } from './cost.ts'

/** How long every list of the schema is, counted once in the data. */
export function countLists(world: World): ListSizes {
  const { countries, continents, languages, currencies } = world
  const perCountry = (count: (country: World['countries'][number]) => number) =>
    summarise(countries.map(count))
  const subdivisions = perCountry((country) => country.subdivisions.length)
  return new Map<string, ListSize>([
    ['Query.continents', whole(continents.size)],
    ['Query.countries', whole(countries.length)],
    ['Query.languages', whole(languages.size)],
    ['Query.currencies', whole(currencies.size)],
    ['Country.phones', perCountry(({ phones }) => phones.length)],
    ['Country.languages', perCountry((country) => country.languages.length)],
    ['Country.states', subdivisions],
    ['Country.subdivisions', subdivisions],
    ['Country.continents', perCountry((country) => country.continents.length)],
    ['Country.currencyInfo', perCountry(({ currencyInfo }) => currencyInfo.length)],
    ['Country.timezones', perCountry(({ timezones }) => timezones.length)],
    ['Continent.countries', reached([...continents.values()])],
    ['Language.countries', reached([...languages.values()])],
    ['Currency.countries', reached([...currencies.values()])],
    ['Meta.sources', whole(world.meta.sources.length)]
  ])
}

function whole(size: number): ListSize {
  return { one: size, each: size }
}

function summarise(sizes: readonly number[]): ListSize {
  return { one: Math.max(...sizes), each: sum(sizes) / sizes.length }
}

/** A group is met as often as it has members, so large ones weigh more in the average. */
function reached(groups: readonly { countries: readonly unknown[] }[]): ListSize {
  const sizes = groups.map(({ countries }) => countries.length)
  return {
    one: Math.max(...sizes),
    each: sum(sizes.map((size) => size * size)) / sum(sizes)
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
