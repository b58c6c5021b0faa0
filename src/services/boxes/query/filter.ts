import type { Json } from '../../../kernel/json.ts'

/** Names of members, from the record to the value. */
export type Path = readonly string[]

/** Fields that the service adds to a record. */
export type SystemField = '_id' | '_createdOn' | '_updatedOn' | '_collection'
export type SystemDate = '_createdOn' | '_updatedOn'

export type Scalar = null | boolean | number | string
export type TypeName = 'null' | 'number' | 'string' | 'object' | 'array' | 'boolean'

/** A record in the form that the evaluator and the sort order need. */
export interface Candidate {
  /** Insertion order. */
  readonly pk: number
  readonly id: string
  readonly createdMs: number
  readonly updatedMs: number | null
  readonly collection: string | null
  /** The parsed query copy. */
  readonly doc: Json
}

/** A condition on records; an empty `and` is true, an empty `or` is false. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'member'; readonly path: Path; readonly test: Test }
  | { readonly kind: 'system'; readonly field: SystemField; readonly test: Test }
  /** From (inclusive) to (exclusive), in ms; either may be infinite. */
  | {
      readonly kind: 'date'
      readonly field: SystemDate
      readonly from: number
      readonly to: number
    }

/** A condition on one value. */
export type Test =
  | { readonly op: 'in'; readonly values: readonly Json[] }
  | { readonly op: Comparison; readonly value: Scalar }
  | { readonly op: 'exists' }
  | { readonly op: 'type'; readonly types: readonly TypeName[] }
  | { readonly op: 'size'; readonly size: number }
  /** An element fulfils the filter: any value if `bare`, else only an object. */
  | { readonly op: 'element'; readonly filter: Filter; readonly bare: boolean }
  | { readonly op: TextOperator; readonly text: string; readonly folded: boolean }

export type Comparison = 'gt' | 'gte' | 'lt' | 'lte'
export type TextOperator = 'equals' | 'startsWith' | 'endsWith' | 'contains'

/** Two strings are equal without regard to case if the results are equal. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
