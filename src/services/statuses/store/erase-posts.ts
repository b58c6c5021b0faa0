import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { lastErased } from '../records/own-post.ts'
import { removeMedia } from './import-posts.ts'

/** Posts of one transaction; the others follow with the next one. */
const MOST = 200

/**
 * Erases posts that cannot be restored any more. Their ids stay, so that none is used again and no
 * import brings one back.
 */
export function* erasePosts(time: string): Transaction<void> {
  const rows = yield* query<{ id: string }>(
    'select id from posts where deleted_at <= ? order by deleted_at limit ?',
    ...[lastErased(time), MOST]
  )
  const ids = rows.map(({ id }) => id)
  yield* removeMedia(ids)
  for (const id of ids) {
    for (const table of ['originals', 'edits', 'post_keys']) {
      yield* query(`delete from ${table} where post = ?`, id)
    }
    yield* query(
      `update posts set text = '', entities = '[]', digest = '', deleted_at = null, lang = null,
       edited_at = null, reply_id = null, reply_user = null, quoted_id = null, quoted_url = null,
       likes = null, reposts = null, replies = null, quotes = null, sensitive = 0, summary = null,
       original_url = null, version = version + 1 where id = ?`,
      id
    )
  }
}
