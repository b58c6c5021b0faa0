import type { Engine } from '../../../kernel/database/database.ts'
import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { findDocuments } from '../../../kernel/search/find-documents.ts'
import { parseQuery } from '../../../kernel/search/parse-query.ts'
import type { SearchQuery, SearchTerm } from '../../../kernel/search/query.ts'
import { LAST_SORT_KEY } from '../../../kernel/search/table.ts'
import type { MonthCount } from '../pages/views.ts'
import type { Account, Post } from '../records/record.ts'
import { foldName } from '../records/user-name.ts'
import { SEARCH_TABLE } from './migrations.ts'
import { ACCOUNT_COLUMNS, type AccountRow, accountOf, readPublicPosts } from './rows.ts'
import { SEARCH_OPERATORS } from './search-document.ts'

/** Posts per statement. */
const GROUP = 20

/** Accounts without public posts do not exist for clients. */
const HAS_POSTS = 'exists (select 1 from months m where m.account = a.id)'

export interface NamedAccount {
  account: Account
  /** False for a former name. */
  isCurrent: boolean
}

/** By its current name or, if no account has it now, by the former name that ended last. */
export function* readAccountByName(userName: string): Transaction<NamedAccount | undefined> {
  const folded = foldName(userName)
  const [current] = yield* query<AccountRow>(
    `select ${ACCOUNT_COLUMNS} from accounts a where a.folded_name = ? and ${HAS_POSTS}`,
    folded
  )
  if (current !== undefined) return { account: accountOf(current), isCurrent: true }
  const [former] = yield* query<AccountRow>(
    `select ${ACCOUNT_COLUMNS} from names n join accounts a on a.id = n.account
     where n.folded_name = ? and ${HAS_POSTS} order by n.ended_at desc, a.id limit 1`,
    folded
  )
  return former && { account: accountOf(former), isCurrent: false }
}

/** Also accounts without public posts. */
export function* hasAccount(id: string): Transaction<boolean> {
  const rows = yield* query('select 1 as found from accounts where id = ?', id)
  return rows.length > 0
}

/** Also accounts without public posts. */
export function* hasAccounts(): Transaction<boolean> {
  const rows = yield* query('select 1 as found from accounts limit 1')
  return rows.length > 0
}

export interface AccountCount {
  account: Account
  /** Public posts. */
  posts: number
}

/** In the order of their names. */
export function* readAccounts(limit: number): Transaction<AccountCount[]> {
  const rows = yield* query<AccountRow & { posts: number }>(
    `select ${ACCOUNT_COLUMNS}, (select cast(sum(m.posts) as bigint) from months m where m.account = a.id) as posts
     from accounts a where ${HAS_POSTS} order by a.folded_name limit ?`,
    limit
  )
  return rows.map((row) => ({ account: accountOf(row), posts: row.posts }))
}

/** Public posts by month, newest first. */
export function* readMonths(account: string): Transaction<readonly MonthCount[]> {
  return yield* query<MonthCount>(
    'select month, posts from months where account = ? order by month desc',
    account
  )
}

export interface PostsPage {
  /** Newest first. */
  posts: readonly Post[]
  /** `before` of the next page; undefined if this is the last one. */
  next: string | undefined
}

interface PageRequest {
  limit: number
  /** Only posts with lower sort keys. */
  before?: string | undefined
}

export function* readAccountPosts(
  account: string,
  { limit, before = LAST_SORT_KEY }: PageRequest
): Transaction<PostsPage> {
  const posts = yield* readPublicPosts(
    'p.account = ? and p.sort_key < ? order by p.sort_key desc limit ?',
    ...[account, before, limit + 1]
  )
  return pageOf(posts, limit)
}

export function* readMonthPosts(
  account: string,
  month: string,
  { limit, before = LAST_SORT_KEY }: PageRequest
): Transaction<PostsPage> {
  const posts = yield* readPublicPosts(
    'p.account = ? and p.month = ? and p.sort_key < ? order by p.sort_key desc limit ?',
    ...[account, month, before, limit + 1]
  )
  return pageOf(posts, limit)
}

function pageOf(posts: readonly Post[], limit: number): PostsPage {
  const page = posts.slice(0, limit)
  return { posts: page, next: posts.length > limit ? page.at(-1)?.sortKey : undefined }
}

/** Throws `SearchSyntaxError`. */
export function parseSearch(text: string): SearchQuery {
  return parseQuery(text, SEARCH_OPERATORS)
}

export function* searchPosts(
  engine: Engine,
  searchQuery: SearchQuery,
  page: PageRequest
): Transaction<PostsPage> {
  const required = yield* withAccounts(searchQuery.required)
  const excluded = yield* withAccounts(searchQuery.excluded)
  const found = yield* findDocuments(
    engine,
    SEARCH_TABLE,
    { ...searchQuery, required, excluded },
    page
  )
  const posts: Post[] = []
  for (const group of fullGroupsOf(found.sortKeys, GROUP)) {
    const some = yield* readPublicPosts(`p.sort_key in (${placeholders(GROUP)})`, ...group)
    posts.push(...some.sort((one, other) => (one.sortKey > other.sortKey ? -1 : 1)))
  }
  return { posts, next: found.next }
}

/** `from:` with the id of the account, which is the label of documents. */
function* withAccounts(terms: readonly SearchTerm[]): Transaction<SearchTerm[]> {
  const resolved: SearchTerm[] = []
  for (const term of terms) {
    if (term.kind !== 'label' || term.name !== 'from') resolved.push(term)
    else {
      const found = yield* readAccountByName(term.value)
      // No account has an id with a space.
      resolved.push({ ...term, value: found?.account.id ?? 'not found' })
    }
  }
  return resolved
}
