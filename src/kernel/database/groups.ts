/** `?, ?, ?`, or another placeholder. */
export function placeholders(count: number, one = '?'): string {
  return Array(count).fill(one).join(', ')
}

/**
 * Splits rows into groups of the largest possible size, for multi-row statements. Few sizes mean
 * few prepared statements. `sizes` are in descending order and end with 1.
 */
export function groupsOf<Row>(rows: readonly Row[], sizes: readonly number[]): Row[][] {
  const groups: Row[][] = []
  for (let from = 0; from < rows.length; ) {
    const size = sizes.find((one) => one <= rows.length - from) ?? 1
    groups.push(rows.slice(from, from + size))
    from += size
  }
  return groups
}

/**
 * Splits values for `in (…)` into groups of equal size, so that one prepared statement is enough.
 * The last group is padded with its first value.
 */
export function fullGroupsOf<Value>(values: readonly Value[], size: number): Value[][] {
  const groups: Value[][] = []
  for (let from = 0; from < values.length; from += size) {
    const group = values.slice(from, from + size)
    const [first] = group
    while (first !== undefined && group.length < size) group.push(first)
    groups.push(group)
  }
  return groups
}
