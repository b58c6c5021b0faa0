import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { removeDocument } from '../../../kernel/search/table.ts'
import { SEARCH_TABLE } from './migrations.ts'
import { bumpRevision } from './revision.ts'
import { releaseFiles } from './uploads.ts'

const POSTS =
  "select p.id from posts p join accounts a on a.id = p.account where a.source = 'sample'"
const ACCOUNTS = "select id from accounts where source = 'sample'"

/** Removes the sample account and its posts; whether there was one. */
export function* removeSample(time: string): Transaction<boolean> {
  const accounts = yield* query<{ avatar: string | null; header: string | null }>(
    "select avatar, header from accounts where source = 'sample'"
  )
  if (accounts.length === 0) return false
  const media = yield* query<{ hash: string; poster: string | null }>(
    `select hash, poster from media where post in (${POSTS})`
  )
  const hashes = [
    ...accounts.flatMap(({ avatar, header }) => [avatar, header]),
    ...media.flatMap(({ hash, poster }) => [hash, poster])
  ]
  yield* releaseFiles(hashes.filter((hash) => hash !== null))
  const posts = yield* query<{ sort_key: string }>(
    `select sort_key from posts where visibility = 'public' and id in (${POSTS})`
  )
  for (const post of posts) yield* removeDocument(SEARCH_TABLE, post.sort_key)
  yield* query(`delete from media where post in (${POSTS})`)
  yield* query(`delete from originals where post in (${POSTS})`)
  for (const table of ['posts', 'months', 'names']) {
    yield* query(`delete from ${table} where account in (${ACCOUNTS})`)
  }
  yield* query("delete from accounts where source = 'sample'")
  yield* bumpRevision(time)
  return true
}
