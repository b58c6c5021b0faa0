import { createHash } from 'node:crypto'

/** Identifies the records of one collection that belong to one session and one parent. */
export interface CollectionScope {
  session: string
  collection: string
  /** Ids of the parents, outermost first. */
  parents: readonly string[]
}

/** PostgreSQL allows index keys of about 2,500 bytes, all columns together. */
const MAX_KEY_LENGTH = 90
const SCOPE_DIGITS = 32

/** A string as a key: short, and without characters that a database rejects. */
export function keyText(text: string): string {
  return text.length > MAX_KEY_LENGTH ? `#${digest(text)}` : JSON.stringify(text)
}

/** Key of the parents; it starts with the key of their own parents. */
export function scopeOf(parents: readonly string[]): string {
  return parents.map((parent) => digest(parent).slice(0, SCOPE_DIGITS)).join('')
}

function digest(text: string): string {
  return createHash('sha256').update(text.toWellFormed()).digest('hex')
}
