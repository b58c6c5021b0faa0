import type { Path } from './filter.ts'

export const MAX_EXPRESSION_BYTES = 8192
export const MAX_LEAVES = 100
/** Maximum depth of `where`; both engines limit the depth of an expression. */
export const MAX_DEPTH = 64
export const MAX_SEGMENTS = 16
export const MAX_SEGMENT_CHARACTERS = 128
export const MAX_LIST_VALUES = 1000
export const MAX_SORT_FIELDS = 8

/** Why the expression is rejected; undefined if it is not. */
export function rejectLength(expression: string): string | undefined {
  if (Buffer.byteLength(expression) <= MAX_EXPRESSION_BYTES) return undefined
  return `longer than ${MAX_EXPRESSION_BYTES} bytes`
}

export function rejectPath(path: Path): string | undefined {
  if (path.length > MAX_SEGMENTS) return `a path of more than ${MAX_SEGMENTS} segments`
  if (path.every((segment) => segment.length <= MAX_SEGMENT_CHARACTERS)) return undefined
  return `a path segment of more than ${MAX_SEGMENT_CHARACTERS} characters`
}
