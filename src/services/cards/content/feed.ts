import type { Feed, FeedItem, FeedMedium } from '../../../kernel/feeds/feed.ts'
import { JSON_FEED_TYPE, renderJsonFeed } from '../../../kernel/feeds/json-feed.ts'
import { RSS_TYPE, renderRss } from '../../../kernel/feeds/rss.ts'
import type { ContentCard, ContentImage } from './content-card.ts'

/** The newest published cards of a board. */
export interface CardFeed {
  readonly title: string
  readonly description: string
  /** Of the board. */
  readonly url: string
  /** Newest first. */
  readonly cards: readonly ContentCard[]
}

export function renderFeed(
  { title, description, url, cards }: CardFeed,
  format: 'rss' | 'json'
): { type: string; body: string } {
  const feed: Feed = {
    title,
    homeUrl: url,
    feedUrl: '',
    items: cards.map((card) => item(url, card))
  }
  if (format === 'rss') {
    const body = renderRss({
      ...feed,
      feedUrl: `${url}/feed.xml`,
      description: description || title
    })
    return { type: RSS_TYPE, body }
  }
  const body = renderJsonFeed({
    ...feed,
    feedUrl: `${url}/feed.json`,
    description: description || undefined
  })
  return { type: JSON_FEED_TYPE, body }
}

function item(board: string, card: ContentCard): FeedItem {
  return {
    // It stays when the slug changes.
    id: `${board}/cards/${card.id}`,
    // The page that the card is about, or else the card itself.
    url: card.url ?? `${board}/cards/${encodeURIComponent(card.slug ?? card.id)}`,
    title: card.title,
    html: card.descriptionHtml,
    summary: card.excerpt || undefined,
    publishedAt: card.publishedAt ?? card.updatedAt,
    modifiedAt: card.updatedAt,
    tags: card.labels.map(({ name }) => name).filter((name) => name !== ''),
    media: card.images.map(mediumOf)
  }
}

function mediumOf({ url, mimeType, alt, width, height }: ContentImage): FeedMedium {
  return { url, mediaType: mimeType, title: alt, width, height }
}
