import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'

export interface SitemapEntry {
  id: string
  userName: string
}

const ENTRIES = `select p.id, a.user_name from posts p join accounts a on a.id = p.account
  where p.visibility = 'public' and p.sort_key >= ? order by p.sort_key limit ?`

/** Public posts of all accounts from a sort key on, oldest first. */
export function* readSitemapEntries(first: string, limit: number): Transaction<SitemapEntry[]> {
  const rows = yield* query<{ id: string; user_name: string }>(ENTRIES, ...[first, limit])
  return rows.map((row) => ({ id: row.id, userName: row.user_name }))
}

export interface PublicPost {
  id: string
  sortKey: string
}

/** Public posts of all accounts after a sort key, oldest first. */
export function* readPublicIds(after: string, limit: number): Transaction<PublicPost[]> {
  const rows = yield* query<{ id: string; sort_key: string }>(
    `select id, sort_key from posts where visibility = 'public' and sort_key > ?
     order by sort_key limit ?`,
    ...[after, limit]
  )
  return rows.map((row) => ({ id: row.id, sortKey: row.sort_key }))
}

/** The sort key of the public post that many posts after another one; undefined after the last. */
export function* readSortKeyAfter(first: string, posts: number): Transaction<string | undefined> {
  const [row] = yield* queryAutocommit<{ sort_key: string }>(
    `select sort_key from posts where visibility = 'public' and sort_key >= ?
     order by sort_key limit 1 offset ?`,
    ...[first, posts]
  )
  return row?.sort_key
}
