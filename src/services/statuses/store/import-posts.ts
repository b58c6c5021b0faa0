import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import {
  insertRow,
  query,
  type SqlValue,
  type Transaction
} from '../../../kernel/database/transaction.ts'
import { removeDocument, writeDocuments } from '../../../kernel/search/table.ts'
import type { ImportedMedium, ImportedPost, StoredFile } from '../import/protocol.ts'
import { withEdits } from './edits.ts'
import { SEARCH_TABLE } from './migrations.ts'
import { addToMonths, type MonthDelta } from './months.ts'
import { type ImportResult, type PostChange, planImport } from './plan-import.ts'
import { bumpRevision } from './revision.ts'
import { searchDocumentOf } from './search-document.ts'
import { type FileUse, readUploads, releaseFiles, useFiles } from './uploads.ts'

export interface Imported {
  results: readonly ImportResult[]
  /** Whether clients see a difference, or would without `dryRun`. */
  isVisible: boolean
}

/** Ids may repeat: the last post of an id counts. With `dryRun` nothing is stored. */
export function* importPosts(
  account: string,
  posts: readonly ImportedPost[],
  { time, dryRun }: { time: string; dryRun: boolean }
): Transaction<Imported> {
  const results: ImportResult[] = Array(posts.length)
  let isVisible = false
  let waiting = posts.map((post, index) => ({ post, index }))
  while (waiting.length > 0) {
    const batch = new Map(waiting.map((one) => [one.post.id, one] as const).reverse())
    const first = [...batch.values()]
    const plan = yield* planImport(
      account,
      first.map(({ post }) => post)
    )
    for (const [position, { index }] of first.entries()) {
      results[index] = plan.results[position] ?? 'unchanged'
    }
    if (!dryRun) yield* applyChanges(account, plan.changes, time)
    isVisible ||= plan.changes.some(isPublicChange)
    waiting = waiting.filter((one) => batch.get(one.post.id) !== one)
  }
  if (isVisible && !dryRun) yield* bumpRevision(time)
  return { results, isVisible }
}

function isPublicChange({ visibility, stored }: PostChange): boolean {
  return visibility === 'public' || stored?.visibility === 'public'
}

/** Writes posts with everything that belongs to them, except the revision. */
export function* applyChanges(
  account: string,
  planned: readonly PostChange[],
  time: string
): Transaction<void> {
  const changes = yield* withEdits(planned)
  yield* removeMedia(changes.flatMap(({ stored }) => (stored === undefined ? [] : [stored.id])))
  for (const change of changes) yield* writePost(account, change, time)
  const media = changes.flatMap(({ post }) => post.media)
  const types = yield* readUploads(media.flatMap(({ file }) => file?.hash ?? []))
  for (const { post } of changes) yield* writeMedia(post, types)
  yield* useFiles(media.flatMap(usesOf))
  for (const { post } of changes) yield* writeOriginal(post)
  yield* addToMonths(account, changes.flatMap(monthDeltas))
  yield* writeDocuments(
    SEARCH_TABLE,
    changes
      .filter(({ visibility }) => visibility === 'public')
      .map(({ post, sortKey }) => searchDocumentOf(post, account, sortKey))
  )
  for (const { visibility, stored } of changes) {
    if (visibility !== 'public' && stored?.visibility === 'public') {
      yield* removeDocument(SEARCH_TABLE, stored.sort_key)
    }
  }
}

function* writePost(
  account: string,
  { post, digest, stored, visibility, sortKey }: PostChange,
  time: string
): Transaction<void> {
  const wasPublic = visibility === 'public' || stored?.was_public === 1 ? 1 : 0
  const changed: Record<string, SqlValue> = {
    visibility,
    imported_visibility: post.visibility,
    was_public: wasPublic,
    kind: post.kind,
    month: post.createdAt.slice(0, 7),
    text: post.text,
    entities: JSON.stringify(post.entities),
    lang: post.lang ?? null,
    created_at: post.createdAt,
    edited_at: post.editedAt ?? null,
    reply_id: post.replyTo?.id ?? null,
    reply_user: post.replyTo?.userName ?? null,
    quoted_id: post.quotedId ?? null,
    quoted_url: post.quotedUrl ?? null,
    ...post.counts,
    sensitive: post.sensitive ? 1 : 0,
    summary: post.summary ?? null,
    source: post.source,
    original_url: post.originalUrl ?? null,
    version: (stored?.version ?? 0) + 1,
    digest,
    imported_at: time
  }
  if (stored === undefined) {
    yield* insertRow('posts', { id: post.id, sort_key: sortKey, account, ...changed })
    return
  }
  const sets = Object.keys(changed).map((column) => `${column} = ?`)
  yield* query(
    `update posts set ${sets.join(', ')} where id = ?`,
    ...Object.values(changed),
    post.id
  )
}

function* writeMedia(
  { id, media }: ImportedPost,
  files: ReadonlyMap<string, StoredFile>
): Transaction<void> {
  for (const [position, medium] of media.entries()) {
    const file = files.get(medium.file?.hash ?? '')
    if (file === undefined) continue
    yield* insertRow('media', {
      post: id,
      position,
      type: medium.type,
      hash: file.hash,
      media_type: file.mediaType,
      width: medium.width,
      height: medium.height,
      alt: medium.alt ?? null,
      poster: medium.posterHash ?? null,
      duration_ms: medium.durationMs ?? null,
      bitrate: medium.bitrate ?? null
    })
  }
}

/** Posts per statement. */
const GROUP = 50

/** Of these posts, with the references to their files. */
export function* removeMedia(ids: readonly string[]): Transaction<void> {
  for (const group of fullGroupsOf(ids, GROUP)) {
    const where = `where post in (${placeholders(GROUP)})`
    const rows = yield* query<{ hash: string; poster: string | null }>(
      `select hash, poster from media ${where}`,
      ...group
    )
    yield* releaseFiles(
      rows.flatMap(({ hash, poster }) => (poster === null ? [hash] : [hash, poster]))
    )
    yield* query(`delete from media ${where}`, ...group)
  }
}

function usesOf({ file, sourceKey, posterHash, posterKey }: ImportedMedium): FileUse[] {
  if (file === undefined) return []
  const poster = posterHash === undefined ? [] : [{ hash: posterHash, sourceKey: posterKey }]
  return [{ hash: file.hash, sourceKey: sourceKey || undefined }, ...poster]
}

function* writeOriginal({ id, raw }: ImportedPost): Transaction<void> {
  if (raw === undefined) return
  yield* query(
    'insert into originals (post, raw) values (?, ?) on conflict (post) do update set raw = excluded.raw',
    ...[id, raw]
  )
}

function monthDeltas({ post, visibility, stored }: PostChange): MonthDelta[] {
  const before = stored?.visibility === 'public' ? [{ month: stored.month, posts: -1 }] : []
  const after = visibility === 'public' ? [{ month: post.createdAt.slice(0, 7), posts: 1 }] : []
  return [...before, ...after]
}
