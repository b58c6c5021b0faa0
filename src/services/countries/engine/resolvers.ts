import { GraphQLError, type GraphQLFieldResolver, responsePathAsArray } from 'graphql'
import {
  type CountryFilter,
  compileCountryFilter,
  compileOperators,
  type Operators
} from '../query/filter.ts'
import { type Order, orderCountries } from '../query/order.ts'
import { cutPage, type Paging } from '../query/page.ts'
import type { Search } from '../query/search.ts'
import type { LocalName } from '../world/local-name.ts'
import { createOffsets } from '../world/offset.ts'
import type { Timezone, World } from '../world/world.ts'
import type { ExecutionContext } from './execution-context.ts'

type Context = { execution: ExecutionContext }
// biome-ignore lint/suspicious/noExplicitAny: sources and arguments are checked by the schema
type Resolver = GraphQLFieldResolver<any, Context, any>
export type Resolvers = Readonly<Record<string, Readonly<Record<string, Resolver>>>>

interface Named {
  code: string
  name: string
}

export interface Library {
  world: World
  search: Search
  localName: LocalName
  /** Country names by language, from our data, so that they do not depend on the Node version. */
  names: () => ReadonlyMap<string, Readonly<Record<string, string>>>
}

/** Resolvers of fields that are not plain properties of their object. */
export function createResolvers(library: Library): Resolvers {
  const { world, localName } = library
  const offsetAt = createOffsets()
  return {
    Query: createQueries(library),
    Country: { name: localized((country, lang) => countryName(library, country, lang)) },
    Language: { name: localized(({ code }, lang) => localName('language', code, lang)) },
    Currency: { name: localized(({ code }, lang) => localName('currency', code, lang)) },
    Timezone: {
      utcOffset({ name }: Timezone, _, { execution }) {
        execution.momentary = true
        return offsetAt(name, execution.now)
      }
    },
    Meta: { sources: () => world.meta.sources }
  }
}

function createQueries({ world, search }: Library): Readonly<Record<string, Resolver>> {
  const continents = [...world.continents.values()]
  const languages = [...world.languages.values()]
  return {
    continent: (_, { code }: { code: string }) => world.continents.get(code.toUpperCase()),
    continents(_, { filter }: { filter?: CodeFilter | null }, { execution }) {
      if (filter === null) return []
      const fits = compileOperators(filter?.code, execution)
      return continents.filter(({ code }) => fits([code]))
    },
    country: (_, { code }: { code: string }) => world.country(code),
    countries(_, asked: CountriesArguments, { execution }) {
      const fits = compileCountryFilter(asked.filter, execution)
      const found = asked.search ? world.countries.filter(search(asked.search)) : world.countries
      return cutPage(orderCountries(found.filter(fits), asked.orderBy), asked)
    },
    language: (_, { code }: { code: string }) => world.languages.get(code.toLowerCase()),
    languages(_, asked: LanguagesArguments, { execution }) {
      if (asked.filter === null) return []
      const fitsCode = compileOperators(asked.filter?.code, execution)
      const fitsName = compileOperators(asked.filter?.name, execution)
      const found = languages.filter(({ code, name }) => fitsCode([code]) && fitsName([name]))
      return cutPage(found, asked)
    },
    currency: (_, { code }: { code: string }) => world.currencies.get(code.toUpperCase()),
    currencies: () => [...world.currencies.values()],
    _meta: () => world.meta
  }
}

interface CountriesArguments extends Paging {
  filter?: CountryFilter | null
  search?: string | null
  orderBy?: Order | null
}

interface CodeFilter {
  code?: Operators | null
}

interface LanguagesArguments extends Paging {
  filter?: (CodeFilter & { name?: Operators | null }) | null
}

type Translate = (thing: Named, lang: string) => string | null | undefined

function countryName({ names, localName }: Library, { code }: Named, lang: string) {
  return names().get(lang)?.[code] ?? localName('region', code, lang)
}

const ENGLISH = /^en(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i

/** Names in the requested language; the English name of the data if CLDR has no other. */
function localized(translate: Translate): Resolver {
  return (thing: Named, { lang }: { lang?: string | null }, _, info) => {
    if (lang === undefined || lang === null || ENGLISH.test(lang)) return thing.name
    const name = translate(thing, lang)
    if (name !== undefined) return name ?? thing.name
    // Message and path are those of countries.trevorblades.com.
    throw new GraphQLError('Invalid input', {
      nodes: info.fieldNodes,
      path: [...responsePathAsArray(info.path), 'lang'],
      extensions: { code: 'VALIDATION_ERROR' }
    })
  }
}
