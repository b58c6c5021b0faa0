/** `?, ?, ?`, or as many of another placeholder. */
export function placeholders(count: number, one = '?'): string {
  return Array(count).fill(one).join(', ')
}

/**
 * Rows for statements of several rows each, every group as large as the sizes allow. Few sizes
 * mean few statements to keep prepared. `sizes` are in descending order and end with 1.
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
 * Values for `in (…)` in groups of one size, so that one statement does: the last group is filled
 * up with its first value.
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
