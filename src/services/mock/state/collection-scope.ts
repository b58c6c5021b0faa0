import { createHash } from 'node:crypto'

/** Where records of one collection lie: those of one session, below one parent. */
export interface CollectionScope {
  session: string
  collection: string
  /** Ids of the parents, the outermost first. */
  parents: readonly string[]
}

/** PostgreSQL indexes keys of two and a half thousand bytes at most, all columns together. */
const MAX_KEY_LENGTH = 90
const SCOPE_DIGITS = 32

/** A text as a key: without characters that a database refuses, and never long. */
export function keyText(text: string): string {
  return text.length > MAX_KEY_LENGTH ? `#${digest(text)}` : JSON.stringify(text)
}

/** Of parents: starts with the scope of whoever owns them. */
export function scopeOf(parents: readonly string[]): string {
  return parents.map((parent) => digest(parent).slice(0, SCOPE_DIGITS)).join('')
}

function digest(text: string): string {
  return createHash('sha256').update(text.toWellFormed()).digest('hex')
}
