import type { Filter } from '../query/filter.ts'
import type { Position } from '../query/order.ts'
import type { Sort } from '../query/sort-syntax.ts'
import type { BoxIndex } from '../store/rules.ts'
import type { RecordScope, Row } from '../store/scan.ts'

export interface ListQuery {
  readonly scope: RecordScope
  readonly filter: Filter | undefined
  readonly sort: Sort
  readonly after: Position | undefined
  readonly skip: number
  readonly limit: number
  /** Indexes that can be used for this query. */
  readonly indexes: readonly BoxIndex[]
}

export type Slices = AsyncGenerator<readonly Row[], void, void>
