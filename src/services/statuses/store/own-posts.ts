import { query, type SqlValue, type Transaction } from '../../../kernel/database/transaction.ts'
import { LAST_SORT_KEY } from '../../../kernel/search/table.ts'
import { lastErased, type OwnPost, restorableUntil } from '../records/own-post.ts'
import type { Visibility } from '../records/record.ts'
import { ACCOUNT_COLUMNS, POST_COLUMNS, type PostRow, postsOf } from './rows.ts'

interface OwnRow extends PostRow {
  visibility: Visibility
  deleted_at: string | null
  parent_name: string | null
}

/** Of the author of the post replied to. */
const PARENT_NAME = `(select ra.user_name from posts r join accounts ra on ra.id = r.account
  where r.id = p.reply_id and r.visibility = 'public') as parent_name`

/** Deleted posts exist for their owner while they can be restored. */
export const EXISTS = "(p.visibility <> 'deleted' or p.deleted_at > ?)"

/** Posts of one account, whatever their visibility; `rest` are further conditions. */
function* readRows(account: string, rest: string, ...args: SqlValue[]): Transaction<OwnPost[]> {
  const rows = yield* query<OwnRow>(
    `select ${POST_COLUMNS}, p.visibility, p.deleted_at, ${PARENT_NAME}, ${ACCOUNT_COLUMNS}
     from posts p join accounts a on a.id = p.account where p.account = ? and ${rest}`,
    ...[account, ...args]
  )
  const posts = yield* postsOf(rows)
  return posts.map((post, index) => {
    const { visibility = 'hidden', deleted_at: deleted, parent_name: name } = rows[index] ?? {}
    const deletedAt = deleted ?? undefined
    return {
      ...post,
      visibility,
      deletedAt,
      restorableUntil: deletedAt === undefined ? undefined : restorableUntil(deletedAt),
      parentName: name ?? undefined
    }
  })
}

/** Undefined if the account has no such post. */
export function* readOwnPost(
  account: string,
  id: string,
  time: string
): Transaction<OwnPost | undefined> {
  const [post] = yield* readRows(account, `p.id = ? and ${EXISTS}`, id, lastErased(time))
  return post
}

export interface OwnPage {
  limit: number
  /** Cursor of an earlier page. */
  before?: string | undefined
  /** Public and hidden posts by default; deleted ones as long as they can be restored. */
  visibility?: Visibility | undefined
}

export interface OwnPosts {
  /** Newest first. */
  posts: readonly OwnPost[]
  /** Cursor of the next page; undefined if this is the last one. */
  before: string | undefined
}

/** One statement for each visibility, because the index is sorted within one. */
export function* readOwnPosts(
  account: string,
  { limit, before = LAST_SORT_KEY, visibility }: OwnPage,
  time: string
): Transaction<OwnPosts> {
  const found: OwnPost[] = []
  for (const one of visibility === undefined ? ['public', 'hidden'] : [visibility]) {
    const some = yield* readRows(
      account,
      `p.visibility = ? and p.sort_key < ? and ${EXISTS} order by p.sort_key desc limit ?`,
      ...[one, before, lastErased(time), limit + 1]
    )
    found.push(...some)
  }
  const sorted = found.toSorted((one, other) => (one.sortKey > other.sortKey ? -1 : 1))
  const posts = sorted.slice(0, limit)
  return { posts, before: sorted.length > limit ? posts.at(-1)?.sortKey : undefined }
}
