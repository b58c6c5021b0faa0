import type { Engine } from '../../../kernel/database/database.ts'
import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'
import type { Post } from '../records/record.ts'
import { foldName } from '../records/user-name.ts'
import { readPublicPosts } from './rows.ts'

/** Posts per statement. */
const GROUP = 20
/** Posts of a thread in each direction. */
const MAX_THREAD = 30

/** By the index of `migrations.ts`; SQLite does not convert the id to a number of JavaScript. */
const AUTHOR: Readonly<Record<Engine, string>> = {
  sqlite: authorWhere('cast(p.id as integer) = cast(? as integer)'),
  postgres: authorWhere('p.id = ?')
}

function authorWhere(condition: string): string {
  return `select a.user_name from posts p join accounts a on a.id = p.account
    where ${condition} and p.visibility = 'public'`
}

/** The current user name of the author of a public post. The id must be valid. */
export function* readAuthor(engine: Engine, id: string): Transaction<string | undefined> {
  const [row] = yield* queryAutocommit<{ user_name: string }>(AUTHOR[engine], id)
  return row?.user_name
}

export function* readPost(id: string): Transaction<Post | undefined> {
  const [post] = yield* readPublicPosts('p.id = ?', id)
  return post
}

/** Public posts by id; others are missing. */
export function* readPosts(ids: readonly string[]): Transaction<Map<string, Post>> {
  const found = new Map<string, Post>()
  for (const group of fullGroupsOf([...new Set(ids)], GROUP)) {
    const posts = yield* readPublicPosts(`p.id in (${placeholders(GROUP)})`, ...group)
    for (const post of posts) found.set(post.id, post)
  }
  return found
}

/** Whether a post was public and is deleted now. */
export function* isDeletedPublicPost(id: string): Transaction<boolean> {
  const rows = yield* queryAutocommit(
    `select 1 as found from posts where id = ? and visibility = 'deleted' and was_public = 1`,
    id
  )
  return rows.length > 0
}

export interface Thread {
  /** In the order of time. */
  earlier: readonly Post[]
  later: readonly Post[]
}

/** Public posts that the author replied to, up to the first one of another author, and the replies. */
export function* readThread({ id, account, replyTo }: Post): Transaction<Thread> {
  const earlierIds = replyTo?.id === undefined ? [] : yield* idsAbove(replyTo.id, account.id)
  const laterIds = yield* idsBelow(id, account.id)
  const earlierOnes = earlierIds.filter((one) => one !== id)
  const laterOnes = laterIds.filter((one) => one !== id && !earlierOnes.includes(one))
  const posts = yield* readPosts([...earlierOnes, ...laterOnes])
  const inOrder = (ids: readonly string[]) =>
    ids
      .flatMap((one) => posts.get(one) ?? [])
      .sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1))
  return { earlier: inOrder(earlierOnes), later: inOrder(laterOnes) }
}

interface Found {
  id: string
}

function* idsAbove(id: string, account: string): Transaction<string[]> {
  const rows = yield* query<Found>(
    `with recursive above (id, reply_id, depth) as (
       select id, reply_id, 1 from posts where id = ? and account = ? and visibility = 'public'
       union all
       select p.id, p.reply_id, above.depth + 1 from above join posts p on p.id = above.reply_id
       where p.account = ? and p.visibility = 'public' and above.depth < ${MAX_THREAD}
     ) select distinct id from above`,
    ...[id, account, account]
  )
  return rows.map((row) => row.id)
}

/** All replies of the author to the post, and of each further post the first one. */
function* idsBelow(id: string, account: string): Transaction<string[]> {
  const replies = yield* query<Found>(
    `select id from posts where reply_id = ? and account = ? and visibility = 'public'
     order by sort_key limit ${MAX_THREAD}`,
    ...[id, account]
  )
  const [first] = replies
  if (first === undefined) return []
  const chain = yield* query<{ id: string | null }>(
    `with recursive below (id, depth) as (
       select cast(? as text), 1
       union all
       select (select p.id from posts p where p.reply_id = below.id and p.account = ?
         and p.visibility = 'public' order by p.sort_key limit 1), depth + 1
       from below where below.id is not null and depth < ${MAX_THREAD}
     ) select distinct id from below where id is not null`,
    ...[first.id, account]
  )
  const ids = [...replies, ...chain].flatMap((row) => row.id ?? [])
  return [...new Set(ids)].slice(0, MAX_THREAD)
}

/** Whether a name is of an account with public posts, now or before. */
export function* isKnownName(userName: string): Transaction<boolean> {
  const folded = foldName(userName)
  const rows = yield* query(
    `select 1 as found from accounts a where (a.folded_name = ? or exists (
       select 1 from names n where n.account = a.id and n.folded_name = ?))
     and exists (select 1 from months m where m.account = a.id) limit 1`,
    ...[folded, folded]
  )
  return rows.length > 0
}
