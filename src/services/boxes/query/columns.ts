import type { SystemField } from './filter.ts'

/** Columns that queries use beside `doc` and `pk`; times are integers in ms. */
export const COLUMNS: Readonly<Record<SystemField, string>> = {
  _id: 'id',
  _createdOn: 'created',
  _updatedOn: 'updated',
  _collection: 'collection'
}

/** A JSON path of SQLite; each name is quoted as a JSON string, so that any name is possible. */
export function sqlitePath(path: readonly string[]): string {
  return `$${path.map((name) => `.${JSON.stringify(name)}`).join('')}`
}
