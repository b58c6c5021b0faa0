import type { Comparison, Path, TypeName } from './filter.ts'
import type { Fragment } from './fragment.ts'

export const SIGNS: Readonly<Record<Comparison, string>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<='
}

/** Conditions that narrowing uses. A path is that of a member in `doc`; `x` is a string. */
export interface Dialect {
  /** Whether the engine certainly finds the names of the path. */
  supportsPath: (path: Path) => boolean
  exists: (path: Path) => Fragment
  hasType: (path: Path, types: readonly TypeName[]) => Fragment
  isBoolean: (path: Path, value: boolean) => Fragment
  compareNumber: (path: Path, op: Comparison, value: number) => Fragment
  isNumberIn: (path: Path, values: readonly number[]) => Fragment
  /** The member is a string and fulfils the condition. */
  whenText: (path: Path, condition: (x: Fragment) => Fragment) => Fragment
  compareText: (x: Fragment, op: Comparison, text: string) => Fragment
  isTextIn: (x: Fragment, texts: readonly string[]) => Fragment
  startsWith: (x: Fragment, text: string) => Fragment
  endsWith: (x: Fragment, text: string) => Fragment
  contains: (x: Fragment, text: string) => Fragment
  /** Converts only ASCII letters to lower case. */
  lower: (x: Fragment) => Fragment
  hasMoreThanAscii: (x: Fragment) => Fragment
  integer: (value: number) => Fragment
}

/** Number of code points, which both engines count, as SQL. */
export function countCharacters(text: string): string {
  return String([...text].length)
}
