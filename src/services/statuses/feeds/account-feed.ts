import type { Feed, FeedItem } from '../../../kernel/feeds/feed.ts'
import { renderJsonFeed } from '../../../kernel/feeds/json-feed.ts'
import { renderRss } from '../../../kernel/feeds/rss.ts'
import { feedPath, type Links, mediaPath, postPath, profilePath } from '../pages/links.ts'
import { altOf } from '../pages/media.ts'
import { authorTitle, describePost } from '../pages/metadata.ts'
import { excerptOf } from '../pages/text.ts'
import type { PostItem, Site } from '../pages/views.ts'
import type { Account } from '../records/record.ts'
import { absoluteLinks, feedContent, hashtagsOf } from './content.ts'

const MAX_TITLE = 80

/** RSS of the newest posts of an account. */
export function renderAccountRss(account: Account, items: readonly PostItem[], site: Site): string {
  const feed = accountFeed(account, items, site, 'xml')
  return renderRss({ ...feed, description: feed.description ?? `Posts of ${feed.title}` })
}

/** JSON Feed of the newest posts of an account. */
export function renderAccountJson(
  account: Account,
  items: readonly PostItem[],
  site: Site
): string {
  return renderJsonFeed(accountFeed(account, items, site, 'json'))
}

function accountFeed(
  account: Account,
  items: readonly PostItem[],
  site: Site,
  format: 'xml' | 'json'
): Feed {
  const links = absoluteLinks(site)
  const { userName, avatarHash } = account
  const title = authorTitle(account)
  const homeUrl = links.absolute(profilePath(userName))
  const iconUrl = avatarHash === undefined ? undefined : links.file(mediaPath(avatarHash))
  return {
    title,
    homeUrl,
    iconUrl,
    feedUrl: links.absolute(feedPath(userName, format)),
    description: account.bio === '' ? undefined : account.bio,
    author: { name: title, url: homeUrl, avatarUrl: iconUrl },
    items: items.map((item) => feedItem(item, site, links))
  }
}

function feedItem(item: PostItem, site: Site, links: Links): FeedItem {
  const { post } = item
  const url = links.absolute(postPath(post.account.userName, post.id))
  const isCovered = post.sensitive || post.summary !== undefined
  return {
    id: url,
    url,
    excerpt: excerptOf(describePost(post), MAX_TITLE),
    html: feedContent(item, site),
    text: post.summary === undefined ? post.text : undefined,
    summary: post.summary,
    publishedAt: post.createdAt,
    modifiedAt: post.editedAt,
    authorName: authorTitle(post.account),
    language: post.lang,
    tags: hashtagsOf(post),
    media: (isCovered ? [] : post.media).map((medium) => ({
      url: links.file(mediaPath(medium.hash, medium.mediaType)),
      mediaType: medium.mediaType,
      title: altOf(medium),
      width: medium.width,
      height: medium.height
    }))
  }
}
