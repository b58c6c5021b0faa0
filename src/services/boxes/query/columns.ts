import type { SystemField } from './filter.ts'

/** Columns of a record that queries know beside `doc` and `pk`; times are integers, in ms. */
export const COLUMNS: Readonly<Record<SystemField, string>> = {
  _id: 'id',
  _createdOn: 'created',
  _updatedOn: 'updated',
  _collection: 'collection'
}

/** The path language of SQLite; with each name in JSON's own quotes it addresses any name. */
export function sqlitePath(path: readonly string[]): string {
  return `$${path.map((name) => `.${JSON.stringify(name)}`).join('')}`
}
