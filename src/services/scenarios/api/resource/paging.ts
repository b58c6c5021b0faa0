const DEFAULT_PER_PAGE = 6
const MAX_PER_PAGE = 100

export interface Paging {
  readonly page: number
  readonly perPage: number
}

/** Parameters that are not whole numbers from 1 are ignored. */
export function readPaging(parameters: URLSearchParams): Paging {
  return {
    page: wholeFrom1(parameters.get('page')) ?? 1,
    perPage: Math.min(wholeFrom1(parameters.get('per_page')) ?? DEFAULT_PER_PAGE, MAX_PER_PAGE)
  }
}

/** As `readPaging`, for lists with cursors; `limit` and `per_page` are both accepted. */
export function readLimit(parameters: URLSearchParams): number {
  const asked = wholeFrom1(parameters.get('limit')) ?? wholeFrom1(parameters.get('per_page'))
  return Math.min(asked ?? DEFAULT_PER_PAGE, MAX_PER_PAGE)
}

function wholeFrom1(text: string | null): number | undefined {
  if (text === null || !/^\+?\d+$/.test(text.trim())) return undefined
  const number = Math.min(Number(text), Number.MAX_SAFE_INTEGER)
  return number >= 1 ? number : undefined
}
