const DATE = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/

export interface DateRange {
  /** First and last millisecond since 1970. */
  first: number
  last: number
}

/** Range of `2024`, `2024-05` or `2024-05-31` in UTC; undefined if there is no such date. */
export function dateRange(text: string): DateRange | undefined {
  const [, year, month, day] = DATE.exec(text) ?? []
  if (year === undefined) return undefined
  const parts = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)] as const
  const first = startOf(...parts)
  // A date such as 2024-02-30 would be one of the next month.
  if (!new Date(first).toISOString().startsWith(text)) return undefined
  const [y, m, d] = parts
  const next = day !== undefined ? [y, m, d + 1] : month !== undefined ? [y, m + 1, 1] : [y + 1]
  return { first, last: startOf(next[0] ?? y, next[1], next[2]) - 1 }
}

/** `Date.UTC` takes years below 100 as years of the 20th century. */
function startOf(year: number, month = 0, day = 1): number {
  return new Date(0).setUTCFullYear(year, month, day)
}
