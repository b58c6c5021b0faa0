/** All URLs are absolute, times in ISO 8601. */
export interface Feed {
  readonly title: string
  readonly description?: string | undefined
  /** Of the page that the feed belongs to. */
  readonly homeUrl: string
  /** Of the feed itself. */
  readonly feedUrl: string
  readonly iconUrl?: string | undefined
  readonly author?: FeedAuthor | undefined
  /** Newest first. */
  readonly items: readonly FeedItem[]
}

export interface FeedAuthor {
  readonly name: string
  readonly url: string
  readonly avatarUrl?: string | undefined
}

export interface FeedItem {
  /** Never changes; often the URL. */
  readonly id: string
  readonly url: string
  readonly title?: string | undefined
  /** The title in RSS of an item that has none. */
  readonly excerpt?: string | undefined
  readonly html: string
  readonly text?: string | undefined
  readonly summary?: string | undefined
  readonly publishedAt: string
  readonly modifiedAt?: string | undefined
  readonly authorName?: string | undefined
  readonly language?: string | undefined
  readonly tags: readonly string[]
  readonly media: readonly FeedMedium[]
}

export interface FeedMedium {
  readonly url: string
  readonly mediaType: string
  readonly title: string
  readonly width?: number | undefined
  readonly height?: number | undefined
}
