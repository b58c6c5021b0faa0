import type { StoredFile } from '../import/protocol.ts'
import type { OwnPost } from '../records/own-post.ts'
import type { OwnPage, OwnPosts } from '../store/own-posts.ts'
import type { Once } from '../store/post-keys.ts'

export interface NewMedium {
  /** Of `addImage`. */
  file: StoredFile
  alt?: string | undefined
}

export interface NewPost {
  text: string
  media: readonly NewMedium[]
  inReplyTo?: string | undefined
  /** `public` by default. */
  visibility?: 'public' | 'hidden' | undefined
  lang?: string | undefined
  sensitive?: boolean | undefined
}

/** Undefined members stay as they are; null removes. */
export interface PostChange {
  /** Restores a deleted post. */
  visibility?: 'public' | 'hidden' | undefined
  /** The id is the hash of the medium. */
  media?: readonly { id: string; alt: string | null }[] | undefined
  sensitive?: boolean | undefined
  lang?: string | null | undefined
}

/** What owners do with their posts: the API and the writing page have nothing else. */
export interface Posting {
  /** Stores an image without its metadata; a post must refer to it within an hour. */
  addImage: (content: AsyncIterable<Buffer>) => Promise<StoredFile>
  /** With `once`, a second request with the same key gets the post of the first. */
  create: (
    account: string,
    post: NewPost,
    once?: Once
  ) => Promise<{ record: OwnPost; isReplayed: boolean }>
  list: (account: string, page: OwnPage) => Promise<OwnPosts>
  /** Undefined if the account has no such post. */
  find: (account: string, id: string) => Promise<OwnPost | undefined>
  change: (account: string, id: string, change: PostChange) => Promise<OwnPost | undefined>
  /** The post can be restored by a change of its visibility until `restorableUntil`. */
  remove: (account: string, id: string) => Promise<OwnPost | undefined>
}
