import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { removeDocument } from '../../../kernel/search/table.ts'
import { SEARCH_TABLE } from './migrations.ts'
import { addToMonths } from './months.ts'
import { bumpRevision } from './revision.ts'
import { releaseFiles } from './uploads.ts'

const POSTS = "select id from posts where source = 'sample'"
const WITHOUT_POSTS =
  "source = 'sample' and not exists (select 1 from posts p where p.account = accounts.id)"

/**
 * Removes the sample account and its posts; whether there was one. If the owner has written posts
 * there, the account stays with them and is no sample any more.
 */
export function* removeSample(time: string): Transaction<boolean> {
  const accounts = yield* query("select 1 as found from accounts where source = 'sample' limit 1")
  if (accounts.length === 0) return false
  yield* removePosts()
  const unused = yield* query<{ id: string; avatar: string | null; header: string | null }>(
    `select id, avatar, header from accounts where ${WITHOUT_POSTS}`
  )
  const files = unused.flatMap(({ avatar, header }) => [avatar, header])
  yield* releaseFiles(files.filter((hash) => hash !== null))
  for (const { id } of unused) yield* query('delete from names where account = ?', id)
  yield* query(`delete from accounts where ${WITHOUT_POSTS}`)
  yield* query("update accounts set source = 'local' where source = 'sample'")
  yield* bumpRevision(time)
  return true
}

function* removePosts(): Transaction<void> {
  const media = yield* query<{ hash: string; poster: string | null }>(
    `select hash, poster from media where post in (${POSTS})`
  )
  const files = media.flatMap(({ hash, poster }) => [hash, poster])
  yield* releaseFiles(files.filter((hash) => hash !== null))
  const posts = yield* query<{ account: string; month: string; sort_key: string }>(
    "select account, month, sort_key from posts where visibility = 'public' and source = 'sample'"
  )
  for (const { account, month, sort_key: sortKey } of posts) {
    yield* removeDocument(SEARCH_TABLE, sortKey)
    yield* addToMonths(account, [{ month, posts: -1 }])
  }
  for (const table of ['media', 'originals', 'edits']) {
    yield* query(`delete from ${table} where post in (${POSTS})`)
  }
  yield* query("delete from posts where source = 'sample'")
}
