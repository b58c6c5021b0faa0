import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { ImportedPost, PostsResponse } from '../import/protocol.ts'
import { digestOf } from '../records/digest.ts'
import type { Visibility } from '../records/record.ts'
import { keyAfter, sortKeyOf } from '../records/sort-key.ts'

export type ImportResult = PostsResponse['results'][number]

export interface StoredPost {
  id: string
  sort_key: string
  account: string
  visibility: Visibility
  imported_visibility: Visibility
  was_public: number
  month: string
  version: number
  digest: string
}

/** What an import does to one post. */
export interface PostChange {
  post: ImportedPost
  digest: string
  /** Undefined if the post is new. */
  stored: StoredPost | undefined
  visibility: Visibility
  sortKey: string
}

export interface ImportPlan {
  /** In the order of the posts. */
  results: readonly ImportResult[]
  changes: readonly PostChange[]
}

/** Posts per statement. */
const GROUP = 50
const STORED = `select id, sort_key, account, visibility, imported_visibility, was_public, month, version, digest
  from posts where id in (${placeholders(GROUP)})`
const TAKEN = `select sort_key from posts where sort_key in (${placeholders(GROUP)})`

const OTHER_ACCOUNT = 'The post belongs to another account here.'

/** The ids must be unique. */
export function* planImport(
  account: string,
  posts: readonly ImportedPost[]
): Transaction<ImportPlan> {
  const known = yield* readStored(posts.map(({ id }) => id))
  const keys = yield* freeSortKeys(posts.filter(({ id }) => !known.has(id)))
  const results: ImportResult[] = []
  const changes: PostChange[] = []
  for (const post of posts) {
    const stored = known.get(post.id)
    const digest = digestOf(post)
    const result = compare(account, stored, digest)
    results.push(result)
    if (result !== 'added' && result !== 'updated') continue
    const sortKey = stored?.sort_key ?? keys.get(post.id) ?? ''
    changes.push({ post, digest, stored, visibility: visibilityOf(post, stored), sortKey })
  }
  return { results, changes }
}

/** A post that was deleted here stays deleted. */
function compare(account: string, stored: StoredPost | undefined, digest: string): ImportResult {
  if (stored === undefined) return 'added'
  if (stored.account !== account) return { skipped: OTHER_ACCOUNT }
  return stored.digest === digest || stored.visibility === 'deleted' ? 'unchanged' : 'updated'
}

/** Changed by an import only if the import before told something else. */
function visibilityOf({ visibility }: ImportedPost, stored: StoredPost | undefined): Visibility {
  return stored === undefined || visibility !== stored.imported_visibility
    ? visibility
    : stored.visibility
}

function* readStored(ids: readonly string[]): Transaction<Map<string, StoredPost>> {
  const found = new Map<string, StoredPost>()
  for (const group of fullGroupsOf(ids, GROUP)) {
    for (const row of yield* query<StoredPost>(STORED, ...group)) found.set(row.id, row)
  }
  return found
}

/** Sort keys by id: of equal ones, the next that is free. */
export function* freeSortKeys(
  posts: readonly Pick<ImportedPost, 'id' | 'createdAt' | 'source'>[]
): Transaction<Map<string, string>> {
  const keys = new Map<string, string>()
  const used = new Set<string>()
  let waiting = posts.map(({ id, createdAt, source }) => ({
    id,
    key: sortKeyOf(id, createdAt, source)
  }))
  while (waiting.length > 0) {
    const wanted = waiting.map(({ key }) => key)
    for (const group of fullGroupsOf(wanted, GROUP)) {
      for (const row of yield* query<{ sort_key: string }>(TAKEN, ...group)) used.add(row.sort_key)
    }
    const again: typeof waiting = []
    for (const { id, key } of waiting) {
      if (used.has(key)) again.push({ id, key: keyAfter(key) })
      else keys.set(id, key)
      used.add(key)
    }
    waiting = again
  }
  return keys
}
