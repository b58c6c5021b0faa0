import { loadOnce } from '../../kernel/load-once.ts'
import type { Page } from '../../kernel/page.ts'
import type { PreparedResponse } from '../../kernel/prepared-response.ts'
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
import { drawImage } from './images/draw.ts'
import { pageQuery } from './query/paging.ts'
import { select } from './query/selection.ts'
import { defaultView, parseImage, parseUnits, parseView } from './query/view.ts'
import { createWriter, type WireRecord } from './record.ts'
import type { ResourceRequest } from './resource-request.ts'
import { createResponse } from './response.ts'
import { draft4Schema } from './schema.ts'

/** Content of one URL, before a representation is chosen. */
export interface Endpoint {
  json: (resource: ResourceRequest) => unknown
  /** If undefined, the response is JSON, also for browsers. */
  page?: (resource: ResourceRequest) => Promise<Page>
  /** Time for `Last-Modified`. */
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

/** Loaded with the first page: programs read no pages. */
const loadPages = loadOnce(() => import('./pages/pages.ts'))

/** `units` is the default for requests without that parameter. */
export function createEndpoints(universe: Universe, units: boolean): Endpoints {
  const { edited, types } = universe

  function write(
    type: TypeName,
    entries: readonly Entry[],
    resource: ResourceRequest
  ): WireRecord[] {
    const view = parseView(resource.parameters, type, units)
    const writeOne = createWriter(universe, resource.base, view)
    return entries.map((entry) => writeOne(type, entry))
  }

  function single(type: TypeName, entry: Entry): Endpoint {
    const json = (resource: ResourceRequest) => write(type, [entry], resource)[0]
    return {
      json,
      page: async (resource) => {
        const { recordPage } = await loadPages()
        return recordPage(universe, type, entry, resource, json(resource))
      },
      edited: String(entry.values.edited)
    }
  }

  function several(type: TypeName, entries: readonly Entry[]): Endpoint {
    return {
      json: (resource) => write(type, entries, resource),
      page: async (resource) => {
        const { severalPage } = await loadPages()
        return severalPage(universe, type, resource, entries)
      },
      edited
    }
  }

  return {
    universe: universe.name,
    root: {
      json: ({ base }) => Object.fromEntries(TYPES.map((type) => [type, `${base}/api/${type}/`])),
      page: async ({ base }) => (await loadPages()).rootPage(universe, base),
      edited
    },
    everything: { json: (resource) => writeEverything(universe, resource, units), edited },
    list: (type) => ({
      json: (resource) => {
        const selection = select(universe, type, resource.parameters)
        const { count, page, pages, entries } = selection
        const list = `${resource.base}/api/${type}/`
        return {
          count,
          next: page < pages ? list + pageQuery(resource.query, page + 1) : null,
          previous: page > 1 ? list + pageQuery(resource.query, page - 1) : null,
          results: write(type, entries, resource)
        }
      },
      page: async (resource) => {
        const { listPage } = await loadPages()
        return listPage(universe, type, resource, select(universe, type, resource.parameters))
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
      return createResponse(drawImage(type, entry), IMAGE_HEADERS, String(entry.values.edited))
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

function writeEverything(
  universe: Universe,
  { base, parameters }: ResourceRequest,
  units: boolean
): object {
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

/** Names in SWAPI's responses to OPTIONS. */
export function listName(type: TypeName): string {
  return `${RESOURCES[type].view} List`
}

export function recordName(type: TypeName): string {
  return `${RESOURCES[type].view} Instance`
}
