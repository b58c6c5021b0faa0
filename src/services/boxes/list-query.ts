import type { Filter } from './query/filter.ts'
import type { Position } from './query/order.ts'
import type { Sort } from './query/sort-syntax.ts'
import type { BoxIndex } from './store/rules.ts'
import type { Row, Scope } from './store/scan.ts'

export interface Question {
  readonly scope: Scope
  readonly filter: Filter | undefined
  readonly sort: Sort
  readonly after: Position | undefined
  readonly skip: number
  readonly limit: number
  /** Those that may be asked. */
  readonly indexes: readonly BoxIndex[]
}

export type Slices = AsyncGenerator<readonly Row[], void, void>
