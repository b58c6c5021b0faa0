/** The JSON text of a record as it was sent, and its copy for queries. */
export interface Content {
  readonly raw: string
  readonly doc: string
}

/** A record as responses need it; times are in milliseconds. */
export interface StoredRecord {
  readonly id: string
  readonly collection: string | null
  readonly created: number
  readonly updated: number | null
  readonly rev: number
  readonly raw: string
}
