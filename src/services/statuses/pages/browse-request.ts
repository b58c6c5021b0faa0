import type { Transaction } from '../../../kernel/database/transaction.ts'
import { LAST_SORT_KEY } from '../../../kernel/search/table.ts'
import { DATA_POLICY } from '../contract.ts'
import type { Post } from '../records/record.ts'
import { readAuthors, readReferences } from '../store/post-context.ts'
import { STATUS_PAGE_HEADERS } from './layout.ts'
import { linkedPostIds } from './text.ts'
import type { PostItem, Site, Theme } from './views.ts'

export interface BrowseRequest {
  /** Below the base URL, as sent. */
  path: string
  query: URLSearchParams
  site: Site
}

/** Undefined is not found. Entity tags and caching are added when it is sent. */
export type Browsed = BrowsedContent | BrowsedRedirect | undefined

export interface BrowsedContent {
  kind: 'content'
  headers: Readonly<Record<string, string>>
  body: string
}

export interface BrowsedRedirect {
  kind: 'redirect'
  /** Below the base URL. */
  path: string
}

export function pageContent(body: string): BrowsedContent {
  return { kind: 'content', headers: STATUS_PAGE_HEADERS, body }
}

export function fileContent(type: string, body: string): BrowsedContent {
  return { kind: 'content', headers: { ...DATA_POLICY, 'content-type': type }, body }
}

/** `?theme=` of pages; other values have no effect. */
export function themeOf(query: URLSearchParams): Theme | undefined {
  const theme = query.get('theme')
  return theme === 'light' || theme === 'dark' ? theme : undefined
}

const SORT_KEY = /^\d{19}$/

/** Only posts with lower sort keys; anything else is the first page. */
export function cursorOf(query: URLSearchParams): string | undefined {
  const before = query.get('before')
  return before !== null && SORT_KEY.test(before) && before <= LAST_SORT_KEY ? before : undefined
}

/** Posts with what lists show of the posts that they refer to. */
export function* readItems(posts: readonly Post[], baseUrl: string): Transaction<PostItem[]> {
  const references = yield* readReferences(posts)
  const quoted = references.flatMap((one) => (one.quoted?.kind === 'shown' ? one.quoted.post : []))
  const texts = [...posts, ...quoted]
  const linked = yield* readAuthors(texts.flatMap((post) => linkedPostIds(post, baseUrl)))
  return posts.map((post, index) => ({
    post,
    quoted: references[index]?.quoted,
    repliesTo: references[index]?.repliesTo,
    linked
  }))
}
