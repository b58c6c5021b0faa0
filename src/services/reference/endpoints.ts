import type { Page } from '../../kernel/page.ts'
import type { PreparedResponse } from '../../kernel/prepared-response.ts'
import { createAnswer } from './answer.ts'
import {
  IMAGE_HEADERS,
  MAX_IDS,
  NotFound,
  RESOURCES,
  TooManyIds,
  TYPES,
  type TypeName
} from './contract.ts'
import type { Entry, Universe } from './dataset/universe.ts'
import { listPage } from './pages/list.ts'
import { recordPage } from './pages/record.ts'
import { rootPage } from './pages/root.ts'
import { drawPicture } from './picture/draw.ts'
import { pageQuery } from './query/paging.ts'
import { select } from './query/selection.ts'
import { defaultView, parseImage, parseUnits, parseView } from './query/view.ts'
import { createWriter, type WireRecord } from './record.ts'
import { draft4Schema } from './schema.ts'
import type { Visit } from './visit.ts'

/** What one address answers, before it is put into a form. */
export interface Endpoint {
  json: (visit: Visit) => unknown
  /** Without one, JSON is the answer whatever is asked for. */
  page?: (visit: Visit) => Page
  /** For `Last-Modified`. */
  edited: string
}

export interface Endpoints {
  /** Name of the data set. */
  universe: string
  root: Endpoint
  everything: Endpoint
  list: (type: TypeName) => Endpoint
  records: (type: TypeName, ids: string) => Endpoint
  schema: (type: TypeName) => Endpoint
  image: (type: TypeName, id: string) => PreparedResponse
}

/** `units` is what an answer has when the request does not say. */
export function createEndpoints(universe: Universe, units: boolean): Endpoints {
  const { edited, types } = universe

  function write(type: TypeName, entries: readonly Entry[], visit: Visit): WireRecord[] {
    const view = parseView(visit.parameters, type, units)
    const writeOne = createWriter(universe, visit.base, view)
    return entries.map((entry) => writeOne(type, entry))
  }

  function single(type: TypeName, entry: Entry): Endpoint {
    return {
      json: (visit) => write(type, [entry], visit)[0],
      page: () => recordPage(universe, type, entry),
      edited: String(entry.values.edited)
    }
  }

  function several(type: TypeName, entries: readonly Entry[]): Endpoint {
    return {
      json: (visit) => write(type, entries, visit),
      page: () => listPage(universe, type, { entries }),
      edited
    }
  }

  return {
    universe: universe.name,
    root: {
      json: ({ base }) => Object.fromEntries(TYPES.map((type) => [type, `${base}/api/${type}/`])),
      page: ({ base }) => rootPage(universe, base),
      edited
    },
    everything: { json: (visit) => writeEverything(universe, visit, units), edited },
    list: (type) => ({
      json: (visit) => {
        const selection = select(universe, type, visit.parameters)
        const { count, page, pages, entries } = selection
        const list = `${visit.base}/api/${type}/`
        return {
          count,
          next: page < pages ? list + pageQuery(visit.query, page + 1) : null,
          previous: page > 1 ? list + pageQuery(visit.query, page - 1) : null,
          results: write(type, entries, visit)
        }
      },
      page: ({ parameters, query }) => {
        const selection = select(universe, type, parameters)
        return listPage(universe, type, { ...selection, query, search: parameters.get('search') })
      },
      edited
    }),
    records: (type, ids) => {
      const entries = findEntries(types[type], ids)
      const [first] = entries
      return first !== undefined && entries.length === 1
        ? single(type, first)
        : several(type, entries)
    },
    schema: (type) => ({ json: () => draft4Schema(type), edited }),
    image: (type, id) => {
      const [entry, ...others] = findEntries(types[type], id)
      if (entry === undefined || others.length > 0) throw new NotFound()
      return createAnswer(drawPicture(type, entry), IMAGE_HEADERS, String(entry.values.edited))
    }
  }
}

export function findEntries(entries: ReadonlyMap<number, Entry>, ids: string): Entry[] {
  const parts = ids.split(',')
  if (parts.length > MAX_IDS) throw new TooManyIds()
  return parts.map((part) => {
    const entry = /^[1-9]\d{0,14}$/.test(part) ? entries.get(Number(part)) : undefined
    if (entry === undefined) throw new NotFound()
    return entry
  })
}

function writeEverything(universe: Universe, { base, parameters }: Visit, units: boolean): object {
  const view = {
    ...defaultView(parseUnits(parameters.get('units'), units)),
    image: parseImage(parameters.get('include'))
  }
  const write = createWriter(universe, base, view)
  return Object.fromEntries(
    TYPES.map((type) => [
      type,
      [...universe.types[type].values()].map((entry) => write(type, entry))
    ])
  )
}

/** Names that the original's OPTIONS answers carry. */
export function listName(type: TypeName): string {
  return `${RESOURCES[type].view} List`
}

export function recordName(type: TypeName): string {
  return `${RESOURCES[type].view} Instance`
}
