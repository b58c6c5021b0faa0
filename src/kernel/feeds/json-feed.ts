import type { Feed, FeedAuthor, FeedItem } from './feed.ts'

export const JSON_FEED_TYPE = 'application/feed+json; charset=utf-8'

/** JSON Feed 1.1; what is undefined is left out. */
export function renderJsonFeed(feed: Feed): string {
  const { author } = feed
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.homeUrl,
    feed_url: feed.feedUrl,
    description: feed.description,
    icon: feed.iconUrl,
    authors: author && [authorData(author)],
    items: feed.items.map(itemData)
  })
}

function authorData({ name, url, avatarUrl }: FeedAuthor): object {
  return { name, url, avatar: avatarUrl }
}

function itemData({ tags, media, ...item }: FeedItem): object {
  return {
    id: item.id,
    url: item.url,
    title: item.title,
    content_html: item.html,
    content_text: item.text,
    summary: item.summary,
    image: media.find(({ mediaType }) => mediaType.startsWith('image/'))?.url,
    date_published: item.publishedAt,
    date_modified: item.modifiedAt,
    tags: tags.length > 0 ? tags : undefined,
    language: item.language,
    attachments:
      media.length > 0
        ? media.map(({ url, mediaType, title }) => ({ url, mime_type: mediaType, title }))
        : undefined
  }
}
