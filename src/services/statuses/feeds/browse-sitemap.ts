import type { Transaction } from '../../../kernel/database/transaction.ts'
import { type Browsed, fileContent } from '../pages/browse-request.ts'
import type { Site } from '../pages/views.ts'
import { readAccounts, readMonths } from '../store/browse.ts'
import { readSitemapEntries, readSortKeyAfter } from '../store/sitemap.ts'
import type { StatusStore } from '../store/store.ts'
import {
  MAX_SITEMAP_URLS,
  PART_POSTS,
  renderSitemap,
  renderSitemapIndex,
  type SitemapAccount,
  XML_TYPE
} from './sitemap.ts'

/** Accounts in the sitemap and on the start page. */
export const MAX_ACCOUNTS = 1_000
const FIRST_SORT_KEY = '0'.repeat(19)

/** URLs of a single file, and posts of each file below an index. */
const LIMITS = { urls: MAX_SITEMAP_URLS, posts: PART_POSTS }

interface Size {
  accounts: readonly SitemapAccount[]
  /** Public posts of all accounts. */
  posts: number
  /** Profiles, months and posts. */
  urls: number
}

/** One file, or beyond the limit of the protocol an index of files. */
export async function browseSitemap(
  store: StatusStore,
  site: Site,
  limits = LIMITS
): Promise<Browsed> {
  const { accounts, posts, urls } = await store.read(readSize)
  if (urls > limits.urls) {
    const parts = 1 + Math.ceil(posts / limits.posts)
    return fileContent(XML_TYPE, renderSitemapIndex(parts, site))
  }
  const entries = await store.read(() => readSitemapEntries(FIRST_SORT_KEY, limits.urls))
  return fileContent(XML_TYPE, renderSitemap(accounts, entries, site))
}

/** Part 0 has the profiles and months, the others posts. */
export async function browseSitemapPart(
  store: StatusStore,
  site: Site,
  part: number,
  limits = LIMITS
): Promise<Browsed> {
  const { accounts, posts, urls } = await store.read(readSize)
  const parts = 1 + Math.ceil(posts / limits.posts)
  if (urls <= limits.urls || part >= parts) return undefined
  if (part === 0) return fileContent(XML_TYPE, renderSitemap(accounts, [], site))
  const first = await findFirst(store, part, limits.posts)
  const entries = await store.read(() => readSitemapEntries(first, limits.posts))
  return fileContent(XML_TYPE, renderSitemap([], entries, site))
}

/** Each step is a read of its own, so that other requests are handled in between. */
async function findFirst(store: StatusStore, part: number, posts: number): Promise<string> {
  let first = FIRST_SORT_KEY
  for (let before = 1; before < part; before++) {
    const from = first
    first = (await store.read(() => readSortKeyAfter(from, posts))) ?? from
  }
  return first
}

function* readSize(): Transaction<Size> {
  const counted = yield* readAccounts(MAX_ACCOUNTS)
  const accounts: SitemapAccount[] = []
  for (const { account } of counted) {
    accounts.push({ userName: account.userName, months: yield* readMonths(account.id) })
  }
  const posts = counted.reduce((sum, one) => sum + one.posts, 0)
  const pages = accounts.reduce((sum, { months }) => sum + 1 + months.length, 0)
  return { accounts, posts, urls: posts + pages }
}
