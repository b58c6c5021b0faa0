import { badInput } from '../engine/errors.ts'
import { fold } from '../world/fold.ts'
import type { Country } from '../world/world.ts'

const MAX_SEARCH = 100

export type Search = (text: string) => (country: Country) => boolean

/** Searches all names, translations included; the index is built at the first search. */
export function createSearch(
  countries: readonly Country[],
  readTranslations: () => Iterable<Readonly<Record<string, string>>>
): Search {
  let index: Map<Country, string> | undefined

  function load(): Map<Country, string> {
    const translations = [...readTranslations()]
    return new Map(
      countries.map((country) => {
        const { code, name, native, aliases } = country
        const names = [name, native, ...aliases, ...translations.map((names) => names[code] ?? '')]
        return [country, [...new Set(names.map(fold))].join('\n')]
      })
    )
  }

  return (text) => {
    if (text.length > MAX_SEARCH)
      throw badInput(`A search may have at most ${MAX_SEARCH} characters`)
    index ??= load()
    const wanted = fold(text.trim())
    const names = index
    return (country) => names.get(country)?.includes(wanted) ?? false
  }
}
