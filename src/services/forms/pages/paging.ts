import type { Submission } from '../inbox.ts'

/** A submission with the headers of a browser takes about 2 KB of the page. */
const PER_PAGE = 10

export interface Paging {
  readonly submissions: readonly Submission[]
  readonly total: number
  readonly page: number
  readonly pages: number
  /** Id of the submission whose details are open. */
  readonly shown: number | undefined
  /** Whether the submission that was asked for is no longer there. */
  readonly isGone: boolean
}

/** The page of the query: with the submission `shown`, or number `page`, else the newest. */
export function pageOf(
  all: readonly Submission[],
  query: Readonly<Record<string, unknown>>
): Paging {
  const pages = Math.max(1, Math.ceil(all.length / PER_PAGE))
  const shown = query.shown === undefined ? undefined : parseId(query.shown)
  const index = all.findIndex(({ id }) => id === shown)
  const wanted = index === -1 ? parseId(query.page) : 1 + Math.floor(index / PER_PAGE)
  const page = Math.min(Math.max(1, wanted), pages)
  return {
    submissions: all.slice((page - 1) * PER_PAGE, page * PER_PAGE),
    total: all.length,
    page,
    pages,
    shown,
    isGone: shown !== undefined && index === -1
  }
}

/** A positive whole number; 0 for anything else. */
export function parseId(given: unknown): number {
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : 0
}
