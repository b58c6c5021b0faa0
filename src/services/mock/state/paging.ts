import type { Json } from '../document/json.ts'
import type { Operation, Parameter } from '../model/api.ts'
import type { RequestValues } from '../request/check.ts'
import { plain } from './identity.ts'
import type { SchemaReader } from './properties.ts'
import type { CollectionRecord } from './records.ts'

/** Names of parameters and response members that concern paging. */
const LIMITS = ['limit', 'perpage', 'pagesize', 'size', 'maxresults', 'take', 'top', 'first']
const OFFSETS = ['offset', 'skip', 'start', 'startindex', 'from']
const PAGES = ['page', 'pagenumber', 'pageno', 'currentpage', 'p']
const CURSORS = ['cursor', 'after', 'startingafter', 'pagetoken', 'nexttoken', 'token']
const UNTOLD_SIZE = 20

export interface Page {
  records: readonly CollectionRecord[]
  total: number
  offset: number
  /** Undefined if all remaining records are shown. */
  limit: number | undefined
  /** Page number as the client counts: from 0 or from 1. */
  number: number
  pages: number
  /** Offset of the next page; undefined on the last page. */
  next: number | undefined
}

export type CutPage = (all: readonly CollectionRecord[], values: RequestValues) => Page

/** Paging by the documented parameters of an operation only. */
export function createPaging({ parameters }: Operation, reader: SchemaReader): CutPage {
  const find = (names: readonly string[]) =>
    names
      .map((name) => parameters.find((one) => one.in === 'query' && plain(one.name) === name))
      .find((one) => one !== undefined)
  const [limits, offsets, pages, cursors] = [LIMITS, OFFSETS, PAGES, CURSORS].map(find)
  const limitOf = numberReader(limits, reader)
  const offsetOf = numberReader(offsets, reader)
  const pageOf = numberReader(pages, reader)
  const firstPage = firstOf(pages, reader)

  return function cutPage(all, values) {
    const asked = limitOf(values)
    const limit = asked ?? (pages === undefined ? undefined : UNTOLD_SIZE)
    const page = Math.max(0, (pageOf(values) ?? firstPage) - firstPage)
    const cursor = cursors && queryValue(cursors, values)
    const offset = Math.min(
      all.length,
      cursor === undefined ? (offsetOf(values) ?? page * (limit ?? 0)) : readCursor(cursor, all)
    )
    const end = limit === undefined ? all.length : Math.min(all.length, offset + limit)
    return {
      records: all.slice(offset, end),
      total: all.length,
      offset,
      limit,
      number: firstPage + (limit ? Math.floor(offset / limit) : 0),
      pages: limit ? Math.max(1, Math.ceil(all.length / limit)) : 1,
      next: end < all.length && limit !== 0 ? end : undefined
    }
  }
}

type NumberOf = (values: RequestValues) => number | undefined

function numberReader(parameter: Parameter | undefined, reader: SchemaReader): NumberOf {
  if (parameter === undefined) return () => undefined
  const usual = wholeOf(parameter.schema && reader.traits(parameter.schema).default)
  return (values) => wholeOf(queryValue(parameter, values)) ?? usual
}

function wholeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined
}

function queryValue({ name }: Parameter, { query }: RequestValues): unknown {
  return query[name.toLowerCase()]
}

/** Pages are counted from 1 unless the minimum or the default of the schema is 0. */
function firstOf(parameter: Parameter | undefined, reader: SchemaReader): number {
  if (parameter?.schema === undefined) return 1
  const { minimum, default: usual } = reader.traits(parameter.schema)
  return minimum === 0 || usual === 0 ? 0 : 1
}

const CURSOR = /^after(\d{1,9})$/

/** The cursor is opaque to clients. */
export function writeCursor(offset: number): string {
  return Buffer.from(`after${offset}`).toString('base64url')
}

/** Offset in a cursor of this service, or after the record with this id; otherwise 0. */
function readCursor(cursor: unknown, all: readonly CollectionRecord[]): number {
  const text = String(cursor)
  const [, offset] = CURSOR.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (offset !== undefined) return Number(offset)
  return all.findIndex(({ id }) => id === text) + 1
}

const TOTALS = [
  'total',
  'totalcount',
  'totalitems',
  'totalresults',
  'totalelements',
  'totalrecords'
]
const COUNTS = ['count', 'pagecount', 'itemcount', 'returned', 'numberofelements']
const PAGE_TOTALS = ['pages', 'totalpages', 'lastpage', 'pagestotal', 'numpages']
const MORES = ['hasmore', 'hasnext', 'hasnextpage', 'more']
const NEXTS = ['nextcursor', 'nextpagetoken', 'nexttoken', 'cursor', 'endcursor', 'next']

/** Value of a response member that concerns paging; undefined if there is none for this name. */
export function pageMember(name: string, types: readonly string[], page: Page): Json | undefined {
  const word = plain(name)
  const isText = types.includes('string')
  if (types.includes('integer') || types.includes('number')) return numberMember(word, page)
  if (types.includes('boolean')) return MORES.includes(word) ? page.next !== undefined : undefined
  if (!isText || !NEXTS.includes(word)) return undefined
  if (page.next !== undefined) return writeCursor(page.next)
  return types.includes('null') ? null : undefined
}

function numberMember(word: string, page: Page): number | undefined {
  if (TOTALS.includes(word)) return page.total
  if (COUNTS.includes(word)) return word === 'count' ? page.total : page.records.length
  if (PAGE_TOTALS.includes(word)) return page.pages
  if (PAGES.includes(word)) return page.number
  if (OFFSETS.includes(word)) return page.offset
  return LIMITS.includes(word) ? (page.limit ?? page.records.length) : undefined
}

/** Whether a member may only exist if another page follows. */
export function isNextMember(name: string): boolean {
  return NEXTS.includes(plain(name))
}
