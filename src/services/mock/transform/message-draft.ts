import type { Json } from '../document/json.ts'
import type { SizeBudget } from './weight.ts'

export type Headers = Record<string, string | readonly string[] | undefined>

/** A message while rules change it. */
export interface MessageDraft {
  side: 'request' | 'response'
  /** Of a request. */
  path: string
  query: string
  /** Of a response. */
  status: number
  /** Names in lower case. */
  headers: Headers
  /** For all bodies that rules make of this message, together. */
  work: SizeBudget
  /** How often the body was set. */
  changes: number
  /** Nothing until somebody asks for it. */
  body: { value: Json | undefined } | undefined
  read: () => Json | undefined
}

const MAX_WORK = 20_000_000

/** `read` is asked at most once, and only by whoever looks into the body. */
export function createDraft(
  side: MessageDraft['side'],
  { path, query, status, headers }: Pick<MessageDraft, 'path' | 'query' | 'status' | 'headers'>,
  read: () => Json | undefined
): MessageDraft {
  const work = { left: MAX_WORK }
  return { side, path, query, status, headers, work, changes: 0, body: undefined, read }
}

/** What is in the body; nothing when there is none, or none that can be read. */
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
