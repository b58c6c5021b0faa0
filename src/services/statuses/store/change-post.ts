import { query, type SqlValue, type Transaction } from '../../../kernel/database/transaction.ts'
import { removeDocument, writeDocument } from '../../../kernel/search/table.ts'
import { MediumUnknown } from '../contract.ts'
import type { OwnPost } from '../records/own-post.ts'
import type { Visibility } from '../records/record.ts'
import { altName, writeEdit } from './edits.ts'
import { erasePosts } from './erase-posts.ts'
import { SEARCH_TABLE } from './migrations.ts'
import { addToMonths } from './months.ts'
import { readOwnPost } from './own-posts.ts'
import { bumpRevision } from './revision.ts'
import { searchDocumentOf } from './search-document.ts'

/** What an owner changes of a post; undefined members stay as they are. */
export interface PostEdit {
  /** Restores a deleted post, unless it is `deleted`. */
  visibility?: Visibility | undefined
  /** By hash; null removes the text. */
  alts?: ReadonlyMap<string, string | null> | undefined
  sensitive?: boolean | undefined
  /** Null removes it. */
  lang?: string | null | undefined
}

export interface Changed {
  /** Undefined if the account has no such post. */
  record: OwnPost | undefined
  isVisible: boolean
}

export function* changePost(
  account: string,
  id: string,
  edit: PostEdit,
  time: string
): Transaction<Changed> {
  yield* erasePosts(time)
  const before = yield* readOwnPost(account, id, time)
  if (before === undefined) return { record: undefined, isVisible: false }
  yield* writeAlts(before, edit.alts ?? new Map())
  yield* writeColumns(before, edit, time)
  const record = yield* readOwnPost(account, id, time)
  if (record === undefined) throw new Error(`The post ${id} is missing after its change`)
  const isVisible = record.visibility === 'public' || before.visibility === 'public'
  if (!isVisible) return { record, isVisible }
  yield* updateLists(before, record)
  yield* bumpRevision(time)
  return { record, isVisible }
}

function* writeAlts(
  { id, media }: OwnPost,
  alts: ReadonlyMap<string, string | null>
): Transaction<void> {
  for (const [hash, alt] of alts) {
    if (!media.some((medium) => medium.hash === hash)) throw new MediumUnknown(hash)
    yield* query('update media set alt = ? where post = ? and hash = ?', alt, id, hash)
    yield* writeEdit(id, altName(hash), alt)
  }
}

function* writeColumns(before: OwnPost, edit: PostEdit, time: string): Transaction<void> {
  const { id } = before
  const { visibility = before.visibility, sensitive, lang } = edit
  const columns: Record<string, SqlValue> = { visibility }
  if (visibility !== 'deleted') columns.deleted_at = null
  else if (before.visibility !== 'deleted') columns.deleted_at = time
  if (visibility === 'public') columns.was_public = 1
  if (sensitive !== undefined) {
    columns.sensitive = sensitive ? 1 : 0
    yield* writeEdit(id, 'sensitive', String(columns.sensitive))
  }
  if (lang !== undefined) {
    columns.lang = lang
    yield* writeEdit(id, 'lang', lang)
  }
  const sets = Object.keys(columns).map((column) => `${column} = ?`)
  yield* query(
    `update posts set ${sets.join(', ')}, version = version + 1 where id = ?`,
    ...Object.values(columns),
    id
  )
}

/** The lists that have public posts only. */
function* updateLists(before: OwnPost, after: OwnPost): Transaction<void> {
  const account = after.account.id
  const [was, is] = [before, after].map(({ visibility }) => (visibility === 'public' ? 1 : 0))
  const posts = (is ?? 0) - (was ?? 0)
  yield* addToMonths(account, [{ month: after.createdAt.slice(0, 7), posts }])
  if (after.visibility !== 'public') yield* removeDocument(SEARCH_TABLE, after.sortKey)
  else yield* writeDocument(SEARCH_TABLE, searchDocumentOf(after, account, after.sortKey))
}
