import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { ReferencedPost } from '../pages/views.ts'
import type { Post } from '../records/record.ts'
import { isKnownName, readPost, readPosts, readThread, type Thread } from './read-posts.ts'

export interface References {
  quoted: ReferencedPost | undefined
  repliesTo: ReferencedPost | undefined
}

export interface PostContext extends Thread, References {
  post: Post
}

/** Everything that the representations of a public post show. */
export function* readPostContext(id: string): Transaction<PostContext | undefined> {
  const post = yield* readPost(id)
  if (post === undefined) return undefined
  const thread = yield* readThread(post)
  const [references] = yield* readReferences([post])
  return { post, ...thread, quoted: references?.quoted, repliesTo: references?.repliesTo }
}

/** In the order of the posts. */
export function* readReferences(posts: readonly Post[]): Transaction<References[]> {
  const ids = posts.flatMap(({ quotedId, replyTo }) => [quotedId, replyTo?.id])
  const found = yield* readPosts(ids.filter((id) => id !== undefined))
  const references: References[] = []
  for (const { quotedId, quotedUrl, replyTo } of posts) {
    const quoted =
      quotedId === undefined
        ? undefined
        : (shown(found, quotedId) ?? (yield* notShown(userNameIn(quotedUrl), quotedUrl)))
    const repliesTo =
      replyTo === undefined
        ? undefined
        : (shown(found, replyTo.id) ?? (yield* notShown(replyTo.userName, undefined)))
    references.push({ quoted, repliesTo })
  }
  return references
}

function shown(
  found: ReadonlyMap<string, Post>,
  id: string | undefined
): ReferencedPost | undefined {
  const post = id === undefined ? undefined : found.get(id)
  return post && { kind: 'shown', post }
}

/** Depends on the name alone, so that a hidden post is the same as an unknown one. */
function* notShown(
  userName: string | undefined,
  url: string | undefined
): Transaction<ReferencedPost> {
  if (userName === undefined || (yield* isKnownName(userName))) return { kind: 'unavailable' }
  return { kind: 'elsewhere', url, userName }
}

function userNameIn(url: string | undefined): string | undefined {
  return /^https?:\/\/[^/]+\/@?(\w+)\//.exec(url ?? '')?.[1]
}

/** Posts per statement. */
const GROUP = 20
const AUTHORS = `select p.id, a.user_name from posts p join accounts a on a.id = p.account
  where p.visibility = 'public' and p.id in (${placeholders(GROUP)})`

/** Current user names of the authors of public posts, by id. */
export function* readAuthors(ids: readonly string[]): Transaction<Map<string, string>> {
  const authors = new Map<string, string>()
  for (const group of fullGroupsOf([...new Set(ids)], GROUP)) {
    const rows = yield* query<{ id: string; user_name: string }>(AUTHORS, ...group)
    for (const row of rows) authors.set(row.id, row.user_name)
  }
  return authors
}
