import type { SqlValue } from '../../../kernel/database/transaction.ts'
import type { Fragment } from '../query/fragment.ts'

/** How rows are read that are sorted by a descending key, and by number where keys are equal. */
export interface DescendingReader<Row, Key> {
  readonly isEqual: (one: Row, other: Row) => boolean
  readonly keyOf: (row: Row) => Key
  /** Rows with this key, with a number above `after`, by ascending number. */
  readonly readEqual: (
    key: Key,
    after: number | undefined,
    limit: number
  ) => Promise<readonly Row[]>
  /** Rows with a key below this one, by descending key and descending number, as indexes have it. */
  readonly readBelow: (key: Key | undefined, limit: number) => Promise<readonly Row[]>
}

export interface DescendingSlice<Key> {
  readonly after: { readonly key: Key; readonly number: number } | undefined
  readonly limit: number
}

/**
 * Reads rows by descending key and ascending number. No index has this order, and a sort would read
 * all rows with the same key, so the index is read backwards and equal rows are turned around.
 */
export async function readDescending<Row, Key>(
  { isEqual, keyOf, readEqual, readBelow }: DescendingReader<Row, Key>,
  { after, limit }: DescendingSlice<Key>
): Promise<Row[]> {
  const first = after === undefined ? [] : await readEqual(after.key, after.number, limit)
  const left = limit - first.length
  if (left === 0) return [...first]
  // One row more than wanted tells whether the last group is complete, as it is if keys differ.
  const rows = await readBelow(after?.key, left + 1)
  const groups = groupEqual(rows, isEqual)
  const last = rows.length > left ? groups.pop() : undefined
  const turned = [...first, ...groups.flatMap((group) => group.reverse())]
  const [row] = last ?? []
  const missing = limit - turned.length
  if (row === undefined || missing === 0) return turned
  // The last group may be cut: its first rows are wanted, and its last rows were read.
  return [...turned, ...(await readEqual(keyOf(row), undefined, missing))]
}

function groupEqual<Row>(
  rows: readonly Row[],
  isEqual: (one: Row, other: Row) => boolean
): Row[][] {
  const groups: Row[][] = []
  for (const row of rows) {
    const group = groups.at(-1)
    const [head] = group ?? []
    if (group !== undefined && head !== undefined && isEqual(head, row)) group.push(row)
    else groups.push([row])
  }
  return groups
}

/** Rows with this key and a number above another one. */
export function equalSql(
  column: string,
  key: SqlValue,
  number: string,
  above: number | undefined
): Fragment {
  if (above === undefined) return { sql: `${column} = ?`, args: [key] }
  return { sql: `${column} = ? and ${number} > ?`, args: [key, above] }
}

export function belowSql(column: string, key: SqlValue | undefined): Fragment | undefined {
  return key === undefined ? undefined : { sql: `${column} < ?`, args: [key] }
}
