import type { FastifyRequest } from 'fastify'
import { type Caller, mayUse } from '../api/access.ts'
import type { MessageFilter } from '../sandbox/mail-store.ts'

const MAX_SEARCH_LENGTH = 200

/** Which part of the list a page shows; in its URL. */
export interface ListQuery {
  /** Id of the account; undefined for all. */
  readonly account: string | undefined
  readonly text: string
  /** Only messages that arrived before the one of this number. */
  readonly before: number | undefined
}

/** Readers of some accounts see one at a time, the first by default. */
export function readListQuery({ query }: Pick<FastifyRequest, 'query'>, caller: Caller): ListQuery {
  const { account, q, before }: Readonly<Record<string, unknown>> = Object(query)
  const wanted = typeof account === 'string' && account !== '' ? account : undefined
  const first = caller.accounts === undefined ? undefined : (caller.accounts[0] ?? '')
  return {
    account: wanted !== undefined && mayUse(caller, wanted) ? wanted : first,
    text: typeof q === 'string' ? q.trim().slice(0, MAX_SEARCH_LENGTH) : '',
    before: typeof before === 'string' && /^\d{1,15}$/.test(before) ? Number(before) : undefined
  }
}

export function filterOf({ account, text, before }: ListQuery): MessageFilter {
  return { account, query: text === '' ? undefined : text, before }
}

/** A URL of these pages that keeps the list as it is. */
export function pageUrl(
  path: string,
  { account, text, before }: Partial<ListQuery>,
  more: Readonly<Record<string, string>> = {}
): string {
  const parameters = new URLSearchParams(more)
  if (account !== undefined) parameters.set('account', account)
  if (text) parameters.set('q', text)
  if (before !== undefined) parameters.set('before', String(before))
  return parameters.size === 0 ? path : `${path}?${parameters}`
}
