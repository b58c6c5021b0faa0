import type { Comparison, Path, TypeName } from './filter.ts'
import type { Fragment } from './fragment.ts'

export const SIGNS: Readonly<Record<Comparison, string>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<='
}

/** What narrowing asks of an engine. A path is that of a member in `doc`; `x` is a text. */
export interface Dialect {
  /** Names that the engine surely finds. */
  supportsPath: (path: Path) => boolean
  exists: (path: Path) => Fragment
  hasType: (path: Path, types: readonly TypeName[]) => Fragment
  isBoolean: (path: Path, value: boolean) => Fragment
  compareNumber: (path: Path, op: Comparison, value: number) => Fragment
  isNumberIn: (path: Path, values: readonly number[]) => Fragment
  /** The member is a text and fulfils the condition. */
  whenText: (path: Path, condition: (x: Fragment) => Fragment) => Fragment
  compareText: (x: Fragment, op: Comparison, text: string) => Fragment
  isTextIn: (x: Fragment, texts: readonly string[]) => Fragment
  startsWith: (x: Fragment, text: string) => Fragment
  endsWith: (x: Fragment, text: string) => Fragment
  contains: (x: Fragment, text: string) => Fragment
  /** In lower case, of ASCII letters only. */
  lower: (x: Fragment) => Fragment
  hasMoreThanAscii: (x: Fragment) => Fragment
  integer: (value: number) => Fragment
}

/** Both engines count code points. */
export function countCharacters(text: string): string {
  return String([...text].length)
}
