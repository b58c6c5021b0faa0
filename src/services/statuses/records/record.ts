/** Who may see a post. Only public posts exist for clients. */
export type Visibility = 'public' | 'hidden' | 'deleted'

export type SourceKind = 'x_archive' | 'mastodon' | 'local' | 'sample'

/** A part of the text that is more than text. Positions count code points; parts do not overlap. */
export interface Entity {
  type: 'url' | 'mention' | 'hashtag' | 'symbol'
  start: number
  end: number
  /** An `http:` or `https:` URL; undefined for a hashtag, symbol or mention without one. */
  href?: string
  /** What is shown, if it differs from the text. */
  display?: string
}

export interface Medium {
  type: 'photo' | 'video' | 'animated_gif'
  /** SHA-256 of the stored bytes, in hex. */
  hash: string
  mediaType: string
  width: number
  height: number
  alt: string | undefined
  posterHash: string | undefined
  /** Undefined without a poster. */
  posterMediaType?: string | undefined
  durationMs: number | undefined
  /** Bits per second of a video; undefined if unknown. */
  bitrate: number | undefined
}

export interface Account {
  id: string
  userName: string
  name: string
  bio: string
  website: string | undefined
  location: string | undefined
  avatarHash: string | undefined
  headerHash: string | undefined
  createdAt: string | undefined
}

/** Null if unknown. */
export interface Counts {
  likes: number | null
  reposts: number | null
  replies: number | null
  quotes: number | null
}

/** A post as it is stored. */
export interface Post {
  id: string
  /** 19 digits in the order of time, across all sources. */
  sortKey: string
  account: Account
  /** Plain text, not escaped. */
  text: string
  entities: readonly Entity[]
  lang: string | undefined
  /** ISO 8601 in UTC with milliseconds. */
  createdAt: string
  editedAt: string | undefined
  media: readonly Medium[]
  /** The id is undefined if the post replied to is not known by its id. */
  replyTo: { id: string | undefined; userName: string | undefined } | undefined
  quotedId: string | undefined
  quotedUrl: string | undefined
  counts: Counts
  /** Media are shown only on request. */
  sensitive: boolean
  /** A content warning. */
  summary: string | undefined
  source: { kind: SourceKind; originalUrl: string | undefined }
  /** Increases with each change. */
  version: number
}
