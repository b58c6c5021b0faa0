import type { Reasons } from '../../../kernel/exchange/reasons.ts'
import type { Visibility } from '../records/record.ts'
import type { ConsoleClient } from './console-client.ts'
import type { MediaUploads } from './media-uploads.ts'
import type { ParsedPost } from './parsed.ts'
import { type ImportedPost, MAX_BATCH_BYTES, MAX_BATCH_POSTS } from './protocol.ts'

/** Left for the media of a batch, whose keys are not known before, and the request around it. */
const RESERVED_BYTES = MAX_BATCH_BYTES / 4
const MOST_BYTES = MAX_BATCH_BYTES - RESERVED_BYTES

/** About the JSON of one medium. */
const MEDIUM_BYTES = 1024

/** A post without media waits as JSON, because its objects would fill the memory. */
interface FinishedPost {
  id: string
  json: string
}

/** Its media are uploaded before it is sent. */
interface PostWithMedia {
  id: string
  post: ParsedPost
  visibility: Visibility
  /** Undefined if it is too large for a request. */
  raw: string | undefined
}

/** Sends posts in requests that take a moment each, whatever the size of the archive. */
export class PostBatches {
  added = 0
  updated = 0
  unchanged = 0
  #waiting: (FinishedPost | PostWithMedia)[] = []
  #bytes = 0
  readonly #account: string
  readonly #dryRun: boolean
  readonly #client: ConsoleClient
  readonly #media: MediaUploads
  readonly #skipped: Reasons

  constructor(
    target: { account: string; dryRun: boolean },
    client: ConsoleClient,
    media: MediaUploads,
    skipped: Reasons
  ) {
    this.#account = target.account
    this.#dryRun = target.dryRun
    this.#client = client
    this.#media = media
    this.#skipped = skipped
  }

  async add(post: ParsedPost, visibility: Visibility, raw: string | undefined): Promise<void> {
    const whole = JSON.stringify(toImported(post, visibility, raw, []))
    const size = Buffer.byteLength(whole)
    // A post without its original has at most half a million characters.
    const isTooLarge = size > MOST_BYTES
    const json = isTooLarge ? JSON.stringify(toImported(post, visibility, undefined, [])) : whole
    const bytes = (isTooLarge ? Buffer.byteLength(json) : size) + post.media.length * MEDIUM_BYTES
    const isFull = this.#waiting.length >= MAX_BATCH_POSTS
    if (isFull || this.#bytes + bytes > MOST_BYTES) await this.flush()
    this.#bytes += bytes
    this.#waiting.push(
      post.media.length === 0 && post.missingMedia.length === 0
        ? { id: post.id, json }
        : { id: post.id, post, visibility, raw: isTooLarge ? undefined : raw }
    )
  }

  async flush(): Promise<void> {
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = []
    this.#bytes = 0
    const withMedia = waiting.filter((one): one is PostWithMedia => 'post' in one)
    const media = await this.#media.storeAll(withMedia.map(({ post }) => post))
    const files = new Map(withMedia.map((one, index) => [one, media[index] ?? []]))
    const posts = waiting.map((one) =>
      'json' in one
        ? one.json
        : JSON.stringify(toImported(one.post, one.visibility, one.raw, files.get(one) ?? []))
    )
    const { results } = await this.#client.sendPosts(this.#account, posts, this.#dryRun)
    for (const [index, result] of results.entries()) {
      if (typeof result === 'string') this[result]++
      else this.#skipped.add(result.skipped, waiting[index]?.id ?? '')
    }
  }
}

function toImported(
  post: ParsedPost,
  visibility: Visibility,
  raw: string | undefined,
  media: ImportedPost['media']
): ImportedPost {
  const { missingMedia, repliesToOthers, hiddenBecause, ...rest } = post
  return { ...rest, media, visibility, ...(raw !== undefined && { raw }) }
}
