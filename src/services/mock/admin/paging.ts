import { html, type Markup } from '../../../kernel/html.ts'

/** Bytes of rows on a page, so that a page stays below 100 KB with its style and frame. */
const MAX_ROW_BYTES = 48 * 1024

export interface PageOf<T> {
  shown: readonly T[]
  /** Starts at 1. */
  page: number
  pages: number
  total: number
}

/** The page of a list that a query selects; a page that does not exist is the last one. */
export function pageOf<T>(all: readonly T[], wanted: string | null, size: number): PageOf<T> {
  const pages = Math.max(1, Math.ceil(all.length / size))
  const number = /^\d{1,6}$/.test(wanted ?? '') ? Number(wanted) : 1
  const page = Math.min(Math.max(number, 1), pages)
  return { shown: all.slice((page - 1) * size, page * size), page, pages, total: all.length }
}

/** Links to the pages before and after, with the other parameters of the query kept. */
export function pageLinks(path: string, query: URLSearchParams, of: PageOf<unknown>): Markup | '' {
  if (of.pages === 1) return ''
  const link = (page: number, text: string, rel: string) => {
    const next = new URLSearchParams(query)
    next.set('page', String(page))
    return html`<a href="${path}?${String(next)}" rel="${rel}">${text}</a>`
  }
  return html`<nav class="pages" aria-label="Pages of the list">${of.page > 1 && link(of.page - 1, 'Previous', 'prev')}
<span class="soft">Page ${of.page} of ${of.pages}</span>
${of.page < of.pages && link(of.page + 1, 'Next', 'next')}</nav>`
}

/** As many rows as fit on a page, rendered one by one; the first one is always shown. */
export function fittingRows<T>(
  items: Iterable<T>,
  render: (item: T) => Markup,
  maxBytes = MAX_ROW_BYTES
): { rows: Markup[]; rest: number } {
  const rows: Markup[] = []
  let bytes = 0
  let rest = 0
  for (const item of items) {
    if (rest > 0) {
      rest++
      continue
    }
    const row = render(item)
    bytes += Buffer.byteLength(row.markup)
    if (bytes > maxBytes && rows.length > 0) rest++
    else rows.push(row)
  }
  return { rows, rest }
}

/** What was left out by `fittingRows`. */
export function restNote(rest: number, how: string): Markup | '' {
  return rest === 0
    ? ''
    : html`<p class="soft">${rest} more ${rest === 1 ? 'is' : 'are'} not shown. ${how}</p>`
}
