import { invalidSort } from './errors.ts'
import type { Path, SystemField } from './filter.ts'
import { systemFieldOf } from './leaf.ts'
import { MAX_SORT_FIELDS, rejectLength, rejectPath } from './limits.ts'
import { isComplete, parseDottedPath, splitUnquoted } from './quoting.ts'

export interface SortField {
  readonly path: Path
  /** The system field of the path; undefined if the path is that of a member. */
  readonly system: SystemField | undefined
  readonly descending: boolean
}

export type Sort = readonly SortField[]

const DEFAULT: Sort = [{ path: ['_createdOn'], system: '_createdOn', descending: true }]

/** `-a.b,name`; by default, the newest records are first. */
export function parseSort(text: string | undefined): Sort {
  if (text === undefined || text === '') return DEFAULT
  const rejection = rejectLength(text)
  if (rejection !== undefined) throw invalidSort(rejection)
  if (!isComplete(text)) throw invalidSort('a "\\" at the end escapes nothing')
  const fields = splitUnquoted(text, ',').map(parseField)
  if (fields.length > MAX_SORT_FIELDS) throw invalidSort(`more than ${MAX_SORT_FIELDS} fields`)
  return fields
}

function parseField(text: string): SortField {
  const descending = text.startsWith('-')
  const name = descending ? text.slice(1) : text
  if (name === '') throw invalidSort('a field without a name')
  const path = parseDottedPath(name)
  const rejection = rejectPath(path)
  if (rejection !== undefined) throw invalidSort(rejection)
  return { path, system: systemFieldOf(path), descending }
}
