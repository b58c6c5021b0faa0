import type { Account, Post } from '../records/record.ts'

export type Theme = 'light' | 'dark'

/** What all pages of one response have in common. */
export interface Site {
  /** For `og:site_name` and feeds, such as the host name. */
  name: string
  /** URL from the client's point of view, without a trailing slash. It may have a path. */
  baseUrl: string
  /** Of the query; undefined for the colours of the system. */
  theme?: Theme | undefined
  /** Only of a tree of static files, which has no search, no other sizes and no queries. */
  staticFiles?: StaticFiles | undefined
}

export interface StaticFiles {
  /** Of avatars and headers by hash, with extensions: file hosts derive the type from them. */
  paths: ReadonlyMap<string, string>
}

/** A post that another one quotes or replies to. Only public posts are `shown`. */
export type ReferencedPost =
  | { kind: 'shown'; post: Post }
  /** By an author who has no account here. */
  | { kind: 'elsewhere'; url: string | undefined; userName: string | undefined }
  /** Not public or not stored; pages tell no more about it. */
  | { kind: 'unavailable' }

/** A post in a list, with the posts that its text links to. */
export interface PostItem {
  post: Post
  quoted: ReferencedPost | undefined
  repliesTo: ReferencedPost | undefined
  /** User names of the authors of public posts, by the ids of `linkedPostIds`. */
  linked: ReadonlyMap<string, string>
}

export interface PostView extends PostItem {
  /** Public posts of the same author, in the order of time. */
  earlier: readonly Post[]
  later: readonly Post[]
}

/** A month such as `2026-03` and the number of its public posts. */
export interface MonthCount {
  month: string
  posts: number
}

export interface ProfileView {
  account: Account
  /** Public posts. */
  total: number
  /** The newest posts, newest first. */
  items: readonly PostItem[]
  /** Newest first, without empty ones. */
  months: readonly MonthCount[]
}

export interface MonthView {
  account: Account
  month: string
  /** One page of the posts of the month, newest first. */
  items: readonly PostItem[]
  months: readonly MonthCount[]
  /** Cursor of the page with the posts before these; undefined on the last page. */
  older: string | undefined
  /** Whether there are posts of the month after these. */
  isFirstPage: boolean
}

export interface AccountsView {
  accounts: readonly { account: Account; posts: number }[]
}

export interface SearchView {
  /** As written; undefined before the first search. */
  query: string | undefined
  /** Why the query cannot be searched, in one sentence. */
  problem: string | undefined
  /** Newest first. */
  items: readonly PostItem[]
  older: string | undefined
  /** Whether `items` are the newest results. */
  isFirstPage: boolean
}
