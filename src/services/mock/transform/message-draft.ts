import type { Json } from '../document/json.ts'
import type { SizeBudget } from './weight.ts'

export type Headers = Record<string, string | readonly string[] | undefined>

/** A message while rules change it. */
export interface MessageDraft {
  side: 'request' | 'response'
  /** Path of a request; empty for a response. */
  path: string
  query: string
  /** Status of a response; 0 for a request. */
  status: number
  /** Names are in lower case. */
  headers: Headers
  /** Budget for all bodies that rules produce for this message. */
  work: SizeBudget
  /** Number of times the body was set. */
  changes: number
  /** Undefined until the body is read or set. */
  body: { value: Json | undefined } | undefined
  read: () => Json | undefined
}

const MAX_WORK = 20_000_000

/** `read` is called at most once, and only if the body is needed. */
export function createDraft(
  side: MessageDraft['side'],
  { path, query, status, headers }: Pick<MessageDraft, 'path' | 'query' | 'status' | 'headers'>,
  read: () => Json | undefined
): MessageDraft {
  const work = { left: MAX_WORK }
  return { side, path, query, status, headers, work, changes: 0, body: undefined, read }
}

/** The value of the body; undefined if there is no body or it cannot be read. */
export function bodyValue(draft: MessageDraft): Json | undefined {
  draft.body ??= { value: draft.read() }
  return draft.body.value
}

export function setValue(draft: MessageDraft, value: Json | undefined): void {
  draft.body = { value }
  draft.changes++
}

export function headerText(headers: Headers, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return value === undefined || typeof value === 'string' ? value : value.join(', ')
}
