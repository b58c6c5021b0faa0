/** Words next to each other, or a label that an operator requires. */
export type SearchTerm =
  | { readonly kind: 'phrase'; readonly words: readonly string[] }
  | { readonly kind: 'label'; readonly name: string; readonly value: string }

export interface SearchQuery {
  readonly required: readonly SearchTerm[]
  readonly excluded: readonly SearchTerm[]
  /** First and last millisecond since 1970. */
  readonly since?: number
  readonly until?: number
}

/**
 * `label` accepts any value, or one of `values`; documents have it as a label of the operator's
 * name. `since` and `until` take a day, month or year (UTC), which is included.
 */
export type SearchOperator =
  | {
      readonly kind: 'label'
      readonly values?: readonly string[]
      /** For values that may be written in several ways, such as `@ada`. */
      readonly normalise?: (value: string) => string
    }
  | { readonly kind: 'since' }
  | { readonly kind: 'until' }

/** Operators of a service by their name without the colon, in lower case. */
export type SearchOperators = Readonly<Record<string, SearchOperator>>

/** The message is a sentence for the person who wrote the query. */
export class SearchSyntaxError extends Error {
  override name = 'SearchSyntaxError'
  /** Of the first wrong character, in UTF-16 units from 1. */
  readonly position: number

  constructor(message: string, offset: number) {
    super(message)
    this.position = offset + 1
  }
}
