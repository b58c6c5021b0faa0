import type { BoardFilter } from '../../store/board-view.ts'

const MAX_TEXT = 200

/** What the query of a board page selects; other parameters are ignored. */
export function readFilter(query: URLSearchParams): BoardFilter {
  return {
    text: (query.get('q') ?? '').trim().slice(0, MAX_TEXT),
    label: (query.get('label') ?? '').slice(0, MAX_TEXT),
    showsArchive: query.get('archive') === 'show',
    more: (query.get('more') ?? '').slice(0, MAX_TEXT)
  }
}

/** The query of a filter with its question mark; empty if it selects nothing. */
export function filterQuery({ text, label, showsArchive, more }: BoardFilter): string {
  const query = new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(label !== '' && { label }),
    ...(showsArchive && { archive: 'show' }),
    ...(more !== '' && { more })
  })
  return query.size === 0 ? '' : `?${query}`
}
