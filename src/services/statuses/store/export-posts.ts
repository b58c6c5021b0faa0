import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { mediaPath } from '../pages/links.ts'
import type { ExportedAccount, ExportedMedium, ExportedPost } from '../records/exported.ts'
import type { SourceKind, Visibility } from '../records/record.ts'
import { type ContentRow, type MediumRow, POST_COLUMNS, readMediumRows } from './rows.ts'

/** Posts that are deleted are not exported. */
export type ExportedVisibility = Exclude<Visibility, 'deleted'>

/** Posts per statement. */
const GROUP = 20
/** Bytes of one page, about; at least one group is read. */
const PAGE_BYTES = 1024 * 1024

interface AccountRow {
  id: string
  user_name: string
  name: string
  bio: string
  website: string | null
  location: string | null
  avatar: string | null
  avatar_type: string | null
  header: string | null
  header_type: string | null
  created_at: string | null
  source: SourceKind
}

/** Accounts in the order of their names, those without posts included. */
export function* readExportAccounts(): Transaction<ExportedAccount[]> {
  const rows = yield* query<AccountRow>(
    `select a.id, a.user_name, a.name, a.bio, a.website, a.location, a.avatar, a.header, a.created_at, a.source,
       (select u.media_type from uploads u where u.hash = a.avatar) as avatar_type,
       (select u.media_type from uploads u where u.hash = a.header) as header_type
     from accounts a order by a.folded_name`
  )
  const accounts: ExportedAccount[] = []
  for (const row of rows) {
    const names = yield* query<{ folded_name: string; ended_at: string | null }>(
      'select folded_name, ended_at from names where account = ? order by ended_at, folded_name',
      row.id
    )
    accounts.push({
      ...{ id: row.id, userName: row.user_name, name: row.name, bio: row.bio },
      ...(row.website !== null && { website: row.website }),
      ...(row.location !== null && { location: row.location }),
      ...(row.created_at !== null && { createdAt: row.created_at }),
      formerNames: names.map((name) => ({
        userName: name.folded_name,
        ...(name.ended_at !== null && { endedAt: name.ended_at })
      })),
      source: row.source,
      ...(row.avatar !== null && { avatar: fileOf(row.avatar, row.avatar_type) }),
      ...(row.header !== null && { header: fileOf(row.header, row.header_type) })
    })
  }
  return accounts
}

/** Such as `media/<hash>.png`. */
function fileOf(hash: string, mediaType: string | null): string {
  return mediaPath(hash, mediaType ?? undefined).slice(1)
}

export function* countExportPosts(
  visibilities: readonly ExportedVisibility[]
): Transaction<number> {
  const [row] = yield* query<{ posts: number }>(
    `select count(*) as posts from posts where visibility in (${placeholders(visibilities.length)})`,
    ...visibilities
  )
  return row?.posts ?? 0
}

interface ExportRow extends ContentRow {
  visibility: Visibility
  imported_visibility: Visibility
  kind: ExportedPost['kind']
}

/** By the index of accounts; one statement for both visibilities would sort all posts. */
const PAGE = `select ${POST_COLUMNS}, p.visibility, p.imported_visibility, p.kind
  from posts p where p.account = ? and p.visibility = ? and p.sort_key > ? order by p.sort_key limit ${GROUP}`

export interface ExportPage {
  posts: readonly ExportedPost[]
  /** Sort key of the last post; undefined after the last page. */
  last: string | undefined
}

/** Posts of an account after a sort key, in the order of time. */
export function* readExportPage(
  account: string,
  after: string,
  visibilities: readonly ExportedVisibility[]
): Transaction<ExportPage> {
  const posts: ExportedPost[] = []
  let last: string | undefined
  for (let bytes = 0; bytes < PAGE_BYTES; ) {
    const rows: ExportRow[] = []
    for (const visibility of visibilities) {
      rows.push(...(yield* query<ExportRow>(PAGE, ...[account, visibility, last ?? after])))
    }
    rows.sort((one, other) => (one.sort_key < other.sort_key ? -1 : 1))
    const group = rows.slice(0, GROUP)
    if (group.length === 0) break
    last = group.at(-1)?.sort_key
    const ids = group.map(({ id }) => id)
    const media = yield* readMediumRows(ids)
    const originals = yield* readOriginals(ids)
    const edits = yield* readEditNames(ids)
    for (const row of group) {
      const raw = originals.get(row.id)
      posts.push({
        ...postOf(row, (media.get(row.id) ?? []).map(mediumOf), raw),
        ...edits.get(row.id)
      })
      bytes += row.text.length + row.entities.length + (raw?.length ?? 0)
    }
    if (group.length < GROUP) break
  }
  return { posts, last }
}

function postOf(
  row: ExportRow,
  media: readonly ExportedMedium[],
  raw: string | undefined
): ExportedPost {
  const { likes, reposts, replies, quotes } = row
  const replyTo = {
    ...(row.reply_id !== null && { id: row.reply_id }),
    ...(row.reply_user !== null && { userName: row.reply_user })
  }
  return {
    ...{ id: row.id, visibility: row.visibility },
    ...(row.imported_visibility !== row.visibility && {
      importedVisibility: row.imported_visibility
    }),
    ...{ kind: row.kind, text: row.text, entities: JSON.parse(row.entities) },
    ...(row.lang !== null && { lang: row.lang }),
    createdAt: row.created_at,
    ...(row.edited_at !== null && { editedAt: row.edited_at }),
    media,
    ...(Object.keys(replyTo).length > 0 && { replyTo }),
    ...(row.quoted_id !== null && { quotedId: row.quoted_id }),
    ...(row.quoted_url !== null && { quotedUrl: row.quoted_url }),
    counts: { likes, reposts, replies, quotes },
    sensitive: row.sensitive !== 0,
    ...(row.summary !== null && { summary: row.summary }),
    source: row.source,
    ...(row.original_url !== null && { originalUrl: row.original_url }),
    ...(raw !== undefined && { raw })
  }
}

function mediumOf(row: MediumRow): ExportedMedium {
  return {
    ...{ type: row.type, file: fileOf(row.hash, row.media_type) },
    ...(row.alt !== null && { alt: row.alt }),
    ...(row.poster !== null && { poster: fileOf(row.poster, row.poster_type) }),
    ...{ width: row.width, height: row.height },
    ...(row.duration_ms !== null && { durationMs: row.duration_ms }),
    ...(row.bitrate !== null && { bitrate: row.bitrate })
  }
}

function* readOriginals(ids: readonly string[]): Transaction<Map<string, string>> {
  const originals = new Map<string, string>()
  for (const group of fullGroupsOf(ids, GROUP)) {
    const rows = yield* query<{ post: string; raw: string }>(
      `select post, raw from originals where post in (${placeholders(GROUP)})`,
      ...group
    )
    for (const row of rows) originals.set(row.post, row.raw)
  }
  return originals
}

function* readEditNames(ids: readonly string[]): Transaction<Map<string, { edits: string[] }>> {
  const found = new Map<string, { edits: string[] }>()
  for (const group of fullGroupsOf(ids, GROUP)) {
    const rows = yield* query<{ post: string; name: string }>(
      `select post, name from edits where post in (${placeholders(GROUP)}) order by post, name`,
      ...group
    )
    for (const { post, name } of rows) {
      const own = found.get(post) ?? { edits: [] }
      own.edits.push(name)
      found.set(post, own)
    }
  }
  return found
}
