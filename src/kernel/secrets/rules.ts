/** The columns of a service with sealed values; its migrations then contain `secretsMigration()`. */
export interface SecretRules {
  readonly columns: readonly SealedColumn[]
}

/** A rotation seals each value that is not null again. */
export interface SealedColumn {
  readonly table: string
  /** The primary key of the table, which is one column of numbers or strings. */
  readonly key: string
  readonly column: string
  /** The purpose of its values; a function if each value is bound to its row. */
  readonly purpose: string | ((key: string | number) => string)
}
