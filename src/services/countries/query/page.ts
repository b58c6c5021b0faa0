import { badInput } from '../engine/errors.ts'

export interface Paging {
  first?: number | null
  after?: string | null
}

/** `after` is the code of the last item of the previous page. */
export function cutPage<T extends { code: string }>(
  list: readonly T[],
  { first, after }: Paging
): readonly T[] {
  if (typeof first === 'number' && first < 0) throw badInput('first must not be negative')
  const start = after ? indexAfter(list, after) : 0
  return list.slice(start, typeof first === 'number' ? start + first : undefined)
}

function indexAfter<T extends { code: string }>(list: readonly T[], after: string): number {
  const wanted = after.toLowerCase()
  const index = list.findIndex(({ code }) => code.toLowerCase() === wanted)
  if (index === -1) throw badInput('after must be the code of an item in this list')
  return index + 1
}
