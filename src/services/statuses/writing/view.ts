import type { Account, Post, Visibility } from '../records/record.ts'
import type { ImportJob } from './import-jobs.ts'

/** A post of the author, whoever may see it. */
export interface OwnedPost extends Post {
  readonly visibility: Visibility
  /** Until when a deleted post can be restored. */
  readonly restorableUntil: string | undefined
}

export const FILTERS = ['all', 'public', 'hidden', 'deleted'] as const
export type Filter = (typeof FILTERS)[number]

/** What the last form did. */
export const NOTES = ['added', 'posted', 'hidden', 'shown', 'deleted', 'described'] as const
export type NoteKind = (typeof NOTES)[number]

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
  /** The one that writes; undefined if there is none. */
  account: Account | undefined
  /** Whether the form for another account is shown. */
  addsAccount: boolean
  newAccount: NewAccount
  draft: Draft
  replyTo: OwnedPost | undefined
  posts: readonly OwnedPost[]
  /** The page after this one begins before this id; undefined on the last one. */
  before: string | undefined
  isFirst: boolean
  filter: Filter
  note: { kind: NoteKind; post: OwnedPost | undefined } | undefined
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
  new?: '1' | undefined
}

/** A URL of the page; values that are undefined are left out. */
export function pageUrl(prefix: string, query: PageQuery, fragment = ''): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== 'all')
  const parameters = new URLSearchParams(given as [string, string][])
  return `${prefix}/${parameters.size > 0 ? `?${parameters}` : ''}${fragment}`
}

export function postFormPath(account: Account, id: string): string {
  return `/accounts/${account.id}/posts/${id}`
}
