import { BadPageSize, MAX_PAGE_SIZE, NotFound, PAGE_SIZE } from '../contract.ts'
import type { Parameters } from './parameters.ts'

export interface Paging {
  readonly page: number
  readonly pages: number
  readonly size: number
}

/** An empty result has one empty page. */
export function parsePaging(parameters: Parameters, count: number): Paging {
  const size = parseSize(parameters.get('page_size') ?? parameters.get('limit'))
  const pages = Math.max(1, Math.ceil(count / size))
  return { page: parsePage(parameters.get('page'), pages), pages, size }
}

function parseSize(value: string | undefined): number {
  if (value === undefined) return PAGE_SIZE
  const size = /^\d{1,9}$/.test(value) ? Number(value) : 0
  if (size < 1 || size > MAX_PAGE_SIZE) throw new BadPageSize()
  return size
}

function parsePage(value: string | undefined, pages: number): number {
  if (value === undefined) return 1
  if (value === 'last') return pages
  const page = /^\d{1,9}$/.test(value) ? Number(value) : 0
  if (page < 1 || page > pages) throw new NotFound()
  return page
}

/** The query string of the request with another page; other parameters are kept. */
export function pageQuery(query: string, page: number): string {
  const parameters = new URLSearchParams(query)
  parameters.set('page', String(page))
  return `?${parameters}`
}
