import { RESOURCES, type TypeName } from '../contract.ts'
import type { Entry, Universe } from '../dataset/universe.ts'
import { parseFilters } from './filter.ts'
import { parseOrdering } from './ordering.ts'
import { type Paging, parsePaging } from './paging.ts'
import type { Parameters } from './parameters.ts'

export interface Selection extends Paging {
  readonly count: number
  /** The records of this page. */
  readonly entries: readonly Entry[]
}

/** Searches, filters, orders and cuts one page. */
export function select(universe: Universe, type: TypeName, parameters: Parameters): Selection {
  const { era, types } = universe
  const terms = parseTerms(parameters.get('search'))
  const filters = parseFilters(parameters, type, era)
  const compare = parseOrdering(parameters, type, era)
  const found = [...types[type].values()].filter(
    (entry) => hasTerms(entry, terms, type) && filters.every((filter) => filter(entry))
  )
  if (compare !== undefined) found.sort(compare)
  const paging = parsePaging(parameters, found.length)
  const start = (paging.page - 1) * paging.size
  return { ...paging, count: found.length, entries: found.slice(start, start + paging.size) }
}

function parseTerms(search: string | undefined): string[] {
  const terms = new Set((search ?? '').toLowerCase().split(/[\s,]+/))
  terms.delete('')
  return [...terms]
}

/** Every term must occur in some search field. */
function hasTerms({ values }: Entry, terms: readonly string[], type: TypeName): boolean {
  return terms.every((term) =>
    RESOURCES[type].search.some((name) => String(values[name]).toLowerCase().includes(term))
  )
}
