import { createHash } from 'node:crypto'
import { ContentInvalid } from '../contract.ts'

export const SORTS = [
  'pos',
  'completed',
  '-completed',
  'name',
  '-name',
  'published',
  '-published',
  'updated',
  '-updated'
] as const

export type Sort = (typeof SORTS)[number]

export const DEFAULT_LIMIT = 100
export const MAX_LIMIT = 1000
const MAX_LABELS = 10
const MAX_LANGUAGE = 35

/** What a list of cards is limited to, and its order. */
export interface ContentQuery {
  /** Id or name. */
  readonly list: string | undefined
  /** Ids or names; cards must have all of them. */
  readonly labels: readonly string[]
  readonly search: string | undefined
  readonly sort: Sort
  readonly limit: number
  readonly cursor: string | undefined
}

/** All cards in the order of the board. */
export const DEFAULT_QUERY: ContentQuery = {
  list: undefined,
  labels: [],
  search: undefined,
  sort: 'pos',
  limit: DEFAULT_LIMIT,
  cursor: undefined
}

const PARAMETERS = ['list', 'label', 'q', 'sort', 'limit', 'cursor', 'lang']
/** Of clients that send credentials in the query. */
const CREDENTIALS = ['key', 'token']

/** Throws for a parameter that is unknown, given twice or has a wrong value. */
export function readContentQuery(query: URLSearchParams): ContentQuery {
  requireParameters(query, PARAMETERS)
  const lang = one(query, 'lang')
  if (lang !== undefined && !/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(lang.slice(0, MAX_LANGUAGE))) {
    throw new ContentInvalid('lang must be a language such as en or pt-BR')
  }
  const labels = query.getAll('label').map((label) => requireText('label', label))
  if (labels.length > MAX_LABELS) {
    throw new ContentInvalid(`label can be given ${MAX_LABELS} times at most`)
  }
  return {
    list: one(query, 'list'),
    labels: lang === undefined ? labels : [...labels, `lang:${lang}`],
    search: one(query, 'q'),
    sort: readSort(one(query, 'sort')),
    limit: readLimit(one(query, 'limit')),
    cursor: one(query, 'cursor')
  }
}

/** For routes that have no parameters of their own, if `known` is empty. */
export function requireParameters(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) {
    if (known.includes(name) || CREDENTIALS.includes(name)) continue
    throw new ContentInvalid(`Unknown parameter ${printable(name)}`)
  }
}

/** The same text for the same cards in the same order, whatever the page. */
export function queryKey({ list, labels, search, sort }: ContentQuery): string {
  return shortHash(JSON.stringify([list ?? null, labels, search ?? null, sort]))
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}

function one(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name)
  if (values.length > 1) throw new ContentInvalid(`${name} can be given only once`)
  return values[0] === undefined ? undefined : requireText(name, values[0])
}

/** PostgreSQL cannot compare NUL or half of a surrogate pair. */
function requireText(name: string, value: string): string {
  if (value !== '' && value.isWellFormed() && !value.includes('\0')) return value
  throw new ContentInvalid(`${name} must be text`)
}

function readSort(value: string | undefined): Sort {
  const sort = value === undefined ? 'pos' : SORTS.find((known) => known === value)
  if (sort !== undefined) return sort
  throw new ContentInvalid(`sort must be one of ${SORTS.join(', ')}`)
}

function readLimit(value: string | undefined): number {
  if (value === undefined) return DEFAULT_LIMIT
  const limit = /^\d{1,5}$/.test(value) ? Number(value) : 0
  if (limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new ContentInvalid(`limit must be a number from 1 to ${MAX_LIMIT}`)
}

/** Clients chose the name, and messages are shown in terminals. */
function printable(name: string): string {
  return name.replace(/[^\x21-\x7e]/g, '?').slice(0, 50)
}
