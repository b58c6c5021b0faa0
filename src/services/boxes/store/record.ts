/** A caller's text, and the copy of it that queries look at. */
export interface Content {
  readonly raw: string
  readonly doc: string
}

/** A record as it is answered; times are milliseconds. */
export interface StoredRecord {
  readonly id: string
  readonly collection: string | null
  readonly created: number
  readonly updated: number | null
  readonly rev: number
  readonly raw: string
}
