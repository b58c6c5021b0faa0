import type { Json } from '../document/json.ts'
import { type Allowance, createAllowance } from './weight.ts'

export type Headers = Record<string, string | readonly string[] | undefined>

/** A message while rules change it. */
export interface Draft {
  side: 'request' | 'response'
  /** Of a request. */
  path: string
  query: string
  /** Of a response. */
  status: number
  /** Names in lower case. */
  headers: Headers
  /** What is in the body; nothing when there is none, or none that can be read. */
  value: () => Json | undefined
  setValue: (value: Json | undefined) => void
  isBodyChanged: () => boolean
  /** How often the body was set. */
  changes: () => number
  /** For all bodies that rules make of this message, together. */
  work: Allowance
}

const MAX_WORK = 20_000_000

/** `read` is asked at most once, and only by whoever looks into the body. */
export function createDraft(
  side: Draft['side'],
  { path, query, status, headers }: Pick<Draft, 'path' | 'query' | 'status' | 'headers'>,
  read: () => Json | undefined
): Draft {
  let current: { value: Json | undefined } | undefined
  let changes = 0
  return {
    side,
    path,
    query,
    status,
    headers,
    value() {
      current ??= { value: read() }
      return current.value
    },
    setValue(value) {
      current = { value }
      changes++
    },
    isBodyChanged: () => changes > 0,
    changes: () => changes,
    work: createAllowance(MAX_WORK)
  }
}

export function headerText(headers: Headers, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return value === undefined || typeof value === 'string' ? value : value.join(', ')
}
