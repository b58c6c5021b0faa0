import type { Counts, Entity, SourceKind, Visibility } from '../records/record.ts'

/**
 * The import command parses archives and sends what it finds to the console routes of the service
 * (`/statuses/import/…`), which store it: first the account, then for each batch of posts the
 * media that are not stored yet and the posts, at last the end.
 */
export const MAX_BATCH_POSTS = 200
/** Bytes of the JSON of one batch. */
export const MAX_BATCH_BYTES = 4 * 1024 * 1024

/** A stored file of an account, with the key that tells a second import that it is stored. */
export interface AccountFile {
  file: StoredFile
  sourceKey: string
}

export interface ImportedAccount {
  /**
   * Undefined if the archive does not tell it, as a single `tweets.js`: then the account with this
   * name is used, or a new one is added.
   */
  id?: string
  userName: string
  name: string
  bio: string
  website?: string
  location?: string
  createdAt?: string
  formerNames: readonly { userName: string; endedAt?: string }[]
  source: SourceKind
  /** Undefined if the archive has none, which keeps what is stored. */
  avatar?: AccountFile
  header?: AccountFile
}

/** `POST /statuses/import/account`: 409 if the name belongs to an account with another id. */
export interface AccountRequest {
  account: ImportedAccount
  /** The account is added although another one has its name, whose name becomes a former one. */
  newAccount: boolean
  dryRun: boolean
}

export interface AccountResponse {
  /** For all further requests; with `dryRun` also if the account is not stored. */
  id: string
  result: 'added' | 'updated' | 'unchanged'
}

/**
 * `POST /statuses/import/files`: the body is the file; the response tells how it is stored. 422
 * with `{ "message": … }` if the file is of a type that is not stored: the import goes on without.
 */
export interface StoredFile {
  hash: string
  mediaType: string
  /** Zero if it is a video, whose archive tells the size. */
  width: number
  height: number
  size: number
}

/**
 * `POST /statuses/import/known` with the source keys of a batch: those that are stored, by key,
 * of media, posters, avatars and headers.
 */
export interface KnownMediaRequest {
  keys: readonly string[]
}
export type KnownMedia = Readonly<Record<string, StoredFile>>

export interface ImportedMedium {
  type: 'photo' | 'video' | 'animated_gif'
  /** Undefined only in a dry run, for a file that is not stored. */
  file?: StoredFile
  alt?: string
  posterHash?: string
  /** Of the poster. */
  posterKey?: string
  width: number
  height: number
  durationMs?: number
  bitrate?: number
  /**
   * Name, size and checksum in the archive; tells a second import that the file is stored. Empty if
   * the file is of no archive.
   */
  sourceKey: string
}

export interface ImportedPost {
  id: string
  visibility: Visibility
  kind: 'post' | 'reply' | 'repost'
  text: string
  entities: readonly Entity[]
  lang?: string
  createdAt: string
  editedAt?: string
  media: readonly ImportedMedium[]
  replyTo?: { id?: string; userName?: string }
  quotedId?: string
  quotedUrl?: string
  counts: Counts
  sensitive: boolean
  summary?: string
  source: SourceKind
  originalUrl?: string
  /** The post as it is in the archive, as JSON. */
  raw?: string
}

/** `POST /statuses/import/posts`. With `dryRun` nothing is stored. */
export interface PostsRequest {
  account: string
  posts: readonly ImportedPost[]
  dryRun: boolean
}

/** One result for each post, in their order. */
export interface PostsResponse {
  results: readonly ('added' | 'updated' | 'unchanged' | { skipped: string })[]
}

/** `POST /statuses/import/end`: publishes what changed and removes files without references. */
export interface EndRequest {
  account: string
}
