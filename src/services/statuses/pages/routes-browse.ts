import type { Transaction } from '../../../kernel/database/transaction.ts'
import { faviconSvg } from '../../../kernel/page-icons.ts'
import { SearchSyntaxError } from '../../../kernel/search/query.ts'
import { browseSitemap, browseSitemapPart, MAX_ACCOUNTS } from '../feeds/browse-sitemap.ts'
import { ROBOTS_TYPE, renderRobots } from '../feeds/robots.ts'
import { SITEMAP_PATH } from '../feeds/sitemap.ts'
import { parseSearch, readAccounts, searchPosts } from '../store/browse.ts'
import type { StatusStore } from '../store/store.ts'
import { renderAccounts } from './accounts.ts'
import { browseAccount } from './browse-account.ts'
import {
  type Browsed,
  type BrowseRequest,
  cursorOf,
  fileContent,
  pageContent,
  readItems
} from './browse-request.ts'
import { ICON_PATH } from './layout.ts'
import { profilePath } from './links.ts'
import { SEARCH_PATH } from './lists.ts'
import { renderSearch } from './search.ts'

const SEARCH_POSTS = 20
const SITEMAP_PART = /^\/sitemap-(0|[1-9]\d{0,4})\.xml$/
const ICON = fileContent('image/svg+xml', faviconSvg('statuses'))

/** Everything but posts and media; only what public posts tell. */
export async function browse(store: StatusStore, request: BrowseRequest): Promise<Browsed> {
  const { path, site } = request
  if (path === '/') return store.read(() => browseStart(request))
  if (path === SEARCH_PATH) return browseSearch(store, request)
  if (path === SITEMAP_PATH) return browseSitemap(store, site)
  if (path === '/robots.txt') return fileContent(ROBOTS_TYPE, renderRobots(site))
  if (path === ICON_PATH) return ICON
  const part = SITEMAP_PART.exec(path)?.[1]
  if (part !== undefined) return browseSitemapPart(store, site, Number(part))
  return store.read(() => browseAccount(request))
}

/** A site of one account starts with its profile. */
function* browseStart({ site }: BrowseRequest): Transaction<Browsed> {
  const accounts = yield* readAccounts(MAX_ACCOUNTS)
  const [only] = accounts
  if (accounts.length === 1 && only !== undefined) {
    return { kind: 'redirect', path: profilePath(only.account.userName) }
  }
  return pageContent(renderAccounts({ accounts }, site))
}

async function browseSearch(store: StatusStore, request: BrowseRequest): Promise<Browsed> {
  const { query, site } = request
  const text = query.get('q')?.trim()
  const before = cursorOf(query)
  const empty = { items: [], older: undefined, isFirstPage: true, problem: undefined }
  if (text === undefined || text === '') {
    return pageContent(renderSearch({ ...empty, query: undefined }, site))
  }
  try {
    const parsed = parseSearch(text)
    const view = await store.read(function* read(): Transaction<
      Parameters<typeof renderSearch>[0]
    > {
      const page = yield* searchPosts(store.engine, parsed, { limit: SEARCH_POSTS, before })
      const items = yield* readItems(page.posts, site.baseUrl)
      const isFirstPage = before === undefined
      return { query: text, problem: undefined, items, older: page.next, isFirstPage }
    })
    return pageContent(renderSearch(view, site))
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error
    return pageContent(renderSearch({ ...empty, query: text, problem: error.message }, site))
  }
}
