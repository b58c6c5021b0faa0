import type { World } from '../world/world.ts'
import type { ListSize, ListSizes } from './cost.ts'

/** Sizes of all list fields of the schema, counted once from the data. */
export function countLists(world: World): ListSizes {
  const { countries, continents, languages, currencies } = world
  const own = (count: CountOf) => summarise(countries.map(count), false)
  const shared = (count: CountOf) => summarise(countries.map(count), true)
  return new Map<string, ListSize>([
    ['Query.continents', whole(continents.size)],
    ['Query.countries', whole(countries.length)],
    ['Query.languages', whole(languages.size)],
    ['Query.currencies', whole(currencies.size)],
    ['Country.languages', shared((country) => country.languages.length)],
    ['Country.states', own(({ states }) => states.length)],
    ['Country.subdivisions', own(({ subdivisions }) => subdivisions.length)],
    ['Country.continents', shared((country) => country.continents.length)],
    ['Country.currencyInfo', shared(({ currencyInfo }) => currencyInfo.length)],
    ['Country.timezones', shared(({ timezones }) => timezones.length)],
    ['Continent.countries', reached([...continents.values()], false)],
    ['Language.countries', reached([...languages.values()], true)],
    ['Currency.countries', reached([...currencies.values()], true)],
    ['Meta.sources', whole(world.meta.sources.length)]
  ])
}

type CountOf = (country: World['countries'][number]) => number

function whole(size: number): ListSize {
  return { one: size, each: size, total: size, shared: false }
}

function summarise(sizes: readonly number[], shared: boolean): ListSize {
  const total = sum(sizes)
  return { one: Math.max(...sizes), each: total / sizes.length, total, shared }
}

/**
 * Sizes of groups of countries. The average is weighted by size, because a group is reached through
 * its members.
 */
function reached(groups: readonly { countries: readonly unknown[] }[], shared: boolean): ListSize {
  const sizes = groups.map(({ countries }) => countries.length)
  const total = sum(sizes)
  const each = sum(sizes.map((size) => size * size)) / total
  return { one: Math.max(...sizes), each, total, shared }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
