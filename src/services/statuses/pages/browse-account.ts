import type { Transaction } from '../../../kernel/database/transaction.ts'
import { JSON_FEED_TYPE } from '../../../kernel/feeds/json-feed.ts'
import { RSS_TYPE } from '../../../kernel/feeds/rss.ts'
import { renderAccountJson, renderAccountRss } from '../feeds/account-feed.ts'
import { MAX_FEED_POSTS } from '../feeds/content.ts'
import type { Account } from '../records/record.ts'
import { readAccountByName, readAccountPosts, readMonthPosts, readMonths } from '../store/browse.ts'
import {
  type Browsed,
  type BrowseRequest,
  cursorOf,
  fileContent,
  pageContent,
  readItems
} from './browse-request.ts'
import { feedPath, monthPath, profilePath } from './links.ts'
import { renderMonth } from './month.ts'
import { renderProfile } from './profile.ts'

const PROFILE_POSTS = 20
export const MONTH_POSTS = 30

/** A page of an account: `rest` is what follows the user name in the path. */
type AccountRoute = (
  account: Account,
  request: BrowseRequest,
  rest: readonly string[]
) => Transaction<Browsed>

const ROUTES: readonly {
  pattern: RegExp
  /** The path with the current user name. */
  path: (userName: string, rest: readonly string[]) => string
  browse: AccountRoute
}[] = [
  { pattern: /^\/?$/, path: profilePath, browse: browseProfile },
  {
    pattern: /^\/archive\/(\d{4})\/(0[1-9]|1[0-2])\/?$/,
    path: (userName, rest) => monthPath(userName, rest.join('-')),
    browse: browseMonth
  },
  { pattern: /^\/feed\.xml$/, path: (userName) => feedPath(userName, 'xml'), browse: browseRss },
  { pattern: /^\/feed\.json$/, path: (userName) => feedPath(userName, 'json'), browse: browseJson }
]

/** Another case, a former name, `@` before the name or a slash at the end redirect. */
export function* browseAccount(request: BrowseRequest): Transaction<Browsed> {
  const [, name = '', tail = ''] = /^\/([^/]+)(.*)$/.exec(request.path) ?? []
  const route = ROUTES.find(({ pattern }) => pattern.test(tail))
  if (route === undefined) return undefined
  const found = yield* readAccountByName(name.replace(/^@/, ''))
  if (found === undefined) return undefined
  const rest = route.pattern.exec(tail)?.slice(1) ?? []
  const path = route.path(found.account.userName, rest)
  if (path !== request.path) return { kind: 'redirect', path }
  return yield* route.browse(found.account, request, rest)
}

function* browseProfile(account: Account, { site }: BrowseRequest): Transaction<Browsed> {
  const months = yield* readMonths(account.id)
  const { posts } = yield* readAccountPosts(account.id, { limit: PROFILE_POSTS })
  const items = yield* readItems(posts, site.baseUrl)
  const total = months.reduce((sum, month) => sum + month.posts, 0)
  return pageContent(renderProfile({ account, total, items, months }, site))
}

function* browseMonth(
  account: Account,
  { site, query }: BrowseRequest,
  rest: readonly string[]
): Transaction<Browsed> {
  const month = rest.join('-')
  const before = cursorOf(query)
  const page = yield* readMonthPosts(account.id, month, { limit: MONTH_POSTS, before })
  if (page.posts.length === 0) return undefined
  const months = yield* readMonths(account.id)
  const items = yield* readItems(page.posts, site.baseUrl)
  const isFirstPage = before === undefined
  return pageContent(
    renderMonth({ account, month, items, months, older: page.next, isFirstPage }, site)
  )
}

function* browseRss(account: Account, { site }: BrowseRequest): Transaction<Browsed> {
  const { posts } = yield* readAccountPosts(account.id, { limit: MAX_FEED_POSTS })
  const items = yield* readItems(posts, site.baseUrl)
  return fileContent(RSS_TYPE, renderAccountRss(account, items, site))
}

function* browseJson(account: Account, { site }: BrowseRequest): Transaction<Browsed> {
  const { posts } = yield* readAccountPosts(account.id, { limit: MAX_FEED_POSTS })
  const items = yield* readItems(posts, site.baseUrl)
  return fileContent(JSON_FEED_TYPE, renderAccountJson(account, items, site))
}
