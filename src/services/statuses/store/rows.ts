import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type SqlValue, type Transaction } from '../../../kernel/database/transaction.ts'
import type { Account, Medium, Post, SourceKind } from '../records/record.ts'

export interface AccountRow {
  account_id: string
  user_name: string
  name: string
  bio: string
  website: string | null
  location: string | null
  avatar: string | null
  header: string | null
  account_created_at: string | null
}

export const ACCOUNT_COLUMNS =
  'a.id as account_id, a.user_name, a.name, a.bio, a.website, a.location, a.avatar, a.header, a.created_at as account_created_at'

/** The content of a post, without its author. */
export interface ContentRow {
  id: string
  sort_key: string
  text: string
  entities: string
  lang: string | null
  created_at: string
  edited_at: string | null
  reply_id: string | null
  reply_user: string | null
  quoted_id: string | null
  quoted_url: string | null
  likes: number | null
  reposts: number | null
  replies: number | null
  quotes: number | null
  sensitive: number
  summary: string | null
  source: SourceKind
  original_url: string | null
  version: number
}

export interface PostRow extends AccountRow, ContentRow {}

export const POST_COLUMNS =
  'p.id, p.sort_key, p.text, p.entities, p.lang, p.created_at, p.edited_at, p.reply_id, p.reply_user, p.quoted_id, p.quoted_url, p.likes, p.reposts, p.replies, p.quotes, p.sensitive, p.summary, p.source, p.original_url, p.version'

export interface MediumRow {
  post: string
  type: Medium['type']
  hash: string
  media_type: string
  width: number
  height: number
  alt: string | null
  poster: string | null
  poster_type: string | null
  duration_ms: number | null
  bitrate: number | null
}

/** Posts per statement. */
const GROUP = 20
const MEDIA = `select post, type, hash, media_type, width, height, alt, poster, duration_ms, bitrate,
  (select u.media_type from uploads u where u.hash = media.poster) as poster_type from media where post in (${placeholders(GROUP)}) order by post, position`

/** All reads of posts for clients; `rest` are further conditions, order and limit. */
export function* readPublicPosts(rest: string, ...args: SqlValue[]): Transaction<Post[]> {
  const rows = yield* query<PostRow>(
    `select ${POST_COLUMNS}, ${ACCOUNT_COLUMNS} from posts p join accounts a on a.id = p.account
     where p.visibility = 'public' and ${rest}`,
    ...args
  )
  return yield* postsOf(rows)
}

/** The posts of these rows, with their media. */
export function* postsOf(rows: readonly PostRow[]): Transaction<Post[]> {
  const media = yield* readMedia(rows.map(({ id }) => id))
  return rows.map((row) => postOf(row, media.get(row.id) ?? []))
}

function* readMedia(ids: readonly string[]): Transaction<Map<string, Medium[]>> {
  const media = new Map<string, Medium[]>()
  for (const [post, rows] of yield* readMediumRows(ids)) media.set(post, rows.map(mediumOf))
  return media
}

/** Media by post, in their order. */
export function* readMediumRows(ids: readonly string[]): Transaction<Map<string, MediumRow[]>> {
  const media = new Map<string, MediumRow[]>()
  for (const group of fullGroupsOf(ids, GROUP)) {
    for (const row of yield* query<MediumRow>(MEDIA, ...group)) {
      const list = media.get(row.post) ?? []
      media.set(row.post, list)
      list.push(row)
    }
  }
  return media
}

export function accountOf(row: AccountRow): Account {
  return {
    id: row.account_id,
    userName: row.user_name,
    name: row.name,
    bio: row.bio,
    website: row.website ?? undefined,
    location: row.location ?? undefined,
    avatarHash: row.avatar ?? undefined,
    headerHash: row.header ?? undefined,
    createdAt: row.account_created_at ?? undefined
  }
}

function mediumOf(row: MediumRow): Medium {
  return {
    type: row.type,
    hash: row.hash,
    mediaType: row.media_type,
    width: row.width,
    height: row.height,
    alt: row.alt ?? undefined,
    posterHash: row.poster ?? undefined,
    posterMediaType: row.poster_type ?? undefined,
    durationMs: row.duration_ms ?? undefined,
    bitrate: row.bitrate ?? undefined
  }
}

function postOf(row: PostRow, media: readonly Medium[]): Post {
  const { reply_id: replyId, reply_user: replyUser, likes, reposts, replies, quotes } = row
  const isReply = replyId !== null || replyUser !== null
  return {
    id: row.id,
    sortKey: row.sort_key,
    account: accountOf(row),
    text: row.text,
    entities: JSON.parse(row.entities),
    lang: row.lang ?? undefined,
    createdAt: row.created_at,
    editedAt: row.edited_at ?? undefined,
    media,
    replyTo: isReply ? { id: replyId ?? undefined, userName: replyUser ?? undefined } : undefined,
    quotedId: row.quoted_id ?? undefined,
    quotedUrl: row.quoted_url ?? undefined,
    counts: { likes, reposts, replies, quotes },
    sensitive: row.sensitive !== 0,
    summary: row.summary ?? undefined,
    source: { kind: row.source, originalUrl: row.original_url ?? undefined },
    version: row.version
  }
}
