import type { Visibility } from '../records/record.ts'
import type { ConsoleClient } from './console-client.ts'
import type { MediaUploads } from './media-uploads.ts'
import type { ParsedPost } from './parsed.ts'
import { type ImportedPost, MAX_BATCH_BYTES, MAX_BATCH_POSTS } from './protocol.ts'
import type { Reasons } from './report.ts'

/** Left for the media of a batch, whose keys are not known before, and the request around it. */
const RESERVED_BYTES = MAX_BATCH_BYTES / 4
const MOST_BYTES = MAX_BATCH_BYTES - RESERVED_BYTES

interface WaitingPost {
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
  #waiting: WaitingPost[] = []
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

  async add(post: ParsedPost, visibility: Visibility, raw: string): Promise<void> {
    const bytes = sizeOf(post, raw)
    const isFull = this.#waiting.length >= MAX_BATCH_POSTS
    if (isFull || this.#bytes + bytes > MOST_BYTES) await this.flush()
    this.#waiting.push({ post, visibility, raw: bytes > MOST_BYTES ? undefined : raw })
    this.#bytes += bytes
  }

  async flush(): Promise<void> {
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = []
    this.#bytes = 0
    const media = await this.#media.storeAll(waiting.map(({ post }) => post))
    const posts = waiting.map((one, index): ImportedPost => toImported(one, media[index] ?? []))
    const request = { account: this.#account, posts, dryRun: this.#dryRun }
    const { results } = await this.#client.sendPosts(request)
    for (const [index, result] of results.entries()) {
      if (typeof result === 'string') this[result]++
      else this.#skipped.add(result.skipped, posts[index]?.id ?? '')
    }
  }
}

function toImported(
  { post, visibility, raw }: WaitingPost,
  media: ImportedPost['media']
): ImportedPost {
  const { missingMedia, repliesToOthers, hiddenBecause, ...rest } = post
  return { ...rest, media, visibility, ...(raw !== undefined && { raw }) }
}

/** About the bytes of the post in a request; strings in JSON grow by escapes. */
function sizeOf({ text, entities, media }: ParsedPost, raw: string): number {
  const forMedia = media.length * 1024
  return Buffer.byteLength(JSON.stringify([raw, text, entities])) + forMedia + 1024
}
