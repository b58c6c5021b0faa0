import type { OwnPost } from '../records/own-post.ts'
import type { Account } from '../records/record.ts'
import type { ImportJob } from './archive-imports.ts'

export const FILTERS = ['all', 'public', 'hidden', 'deleted'] as const
export type Filter = (typeof FILTERS)[number]

/** What the last form did. */
const NOTES = ['added', 'posted', 'hidden', 'shown', 'deleted', 'described'] as const
export type NoteKind = (typeof NOTES)[number]

export function isFilter(text: unknown): text is Filter {
  return FILTERS.some((one) => one === text)
}

export function isNote(text: unknown): text is NoteKind {
  return NOTES.some((one) => one === text)
}

/** What is typed before it is posted. */
export interface Draft {
  text: string
  visibility: 'public' | 'hidden'
  sensitive: boolean
}

export interface NewAccount {
  userName: string
  name: string
}

/** What the writing page shows. */
export interface WritingView {
  /** Path of the console routes, such as `/statuses`. */
  prefix: string
  /** URL of a form that posts to this path below the prefix. */
  actionOf: (path: string) => string
  /** URL of the public pages, for the reader of this page. */
  site: string
  accounts: readonly Account[]
  /** The account that new posts are of; undefined if no account is stored but the sample. */
  account: Account | undefined
  /** Whether the form for another account is shown. */
  addsAccount: boolean
  newAccount: NewAccount
  draft: Draft
  replyTo: OwnPost | undefined
  posts: readonly OwnPost[]
  /** The page after this one begins before this id; undefined on the last one. */
  before: string | undefined
  /** Where this page begins; undefined on the first one. */
  cursor: string | undefined
  filter: Filter
  /** `wasHidden` tells how a deleted post was visible before. */
  note: { kind: NoteKind; post: OwnPost | undefined; wasHidden: boolean } | undefined
  /** Why the last form had no effect. */
  error: string | undefined
  maxTextLength: number
  maxArchiveBytes: number
  job: ImportJob | undefined
}

export interface PageQuery {
  account?: string | undefined
  show?: Filter | undefined
  before?: string | undefined
  reply?: string | undefined
  note?: NoteKind | undefined
  post?: string | undefined
  was?: 'hidden' | undefined
  new?: '1' | undefined
}

/** A URL of the page; values that are undefined are left out. */
export function pageUrl(prefix: string, query: PageQuery, fragment = ''): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== 'all')
  const parameters = new URLSearchParams(given as [string, string][])
  return `${prefix}/${parameters.size > 0 ? `?${parameters}` : ''}${fragment}`
}

/** URL of the form of a post; the page that follows is the one that shows the form. */
export function postFormUrl(
  { actionOf, filter, cursor }: Pick<WritingView, 'actionOf' | 'filter' | 'cursor'>,
  { id, account }: OwnPost
): string {
  const action = actionOf(`/accounts/${account.id}/posts/${id}`)
  const page = { ...(filter !== 'all' && { show: filter }), ...(cursor && { before: cursor }) }
  return `${action}${Object.entries(page)
    .map(([name, value]) => `&${name}=${value}`)
    .join('')}`
}
