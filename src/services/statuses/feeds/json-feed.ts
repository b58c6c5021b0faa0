import { feedPath, type Links, mediaPath, postPath, profilePath } from '../pages/links.ts'
import { altOf, isVideo } from '../pages/media.ts'
import { authorTitle } from '../pages/metadata.ts'
import type { PostItem, Site } from '../pages/views.ts'
import type { Account } from '../records/record.ts'
import { absoluteLinks, feedContent, hashtagsOf } from './content.ts'

export const JSON_FEED_TYPE = 'application/feed+json; charset=utf-8'

/** JSON Feed 1.1 of the newest posts of an account. */
export function renderJsonFeed(account: Account, items: readonly PostItem[], site: Site): string {
  const links = absoluteLinks(site)
  const { userName, avatarHash } = account
  const author = {
    name: authorTitle(account),
    url: links.absolute(profilePath(userName)),
    ...(avatarHash !== undefined && { avatar: links.file(mediaPath(avatarHash)) })
  }
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: authorTitle(account),
    home_page_url: author.url,
    feed_url: links.absolute(feedPath(userName, 'json')),
    ...(account.bio !== '' && { description: account.bio }),
    ...(avatarHash !== undefined && { icon: author.avatar }),
    authors: [author],
    items: items.map((item) => itemData(item, site, links))
  }
  return JSON.stringify(feed)
}

function itemData(item: PostItem, site: Site, links: Links): object {
  const { post } = item
  const url = links.absolute(postPath(post.account.userName, post.id))
  const isCovered = post.sensitive || post.summary !== undefined
  const media = isCovered ? [] : post.media
  const image = media.find((medium) => !isVideo(medium))
  const tags = hashtagsOf(post)
  return {
    id: url,
    url,
    content_html: feedContent(item, site),
    ...(post.summary === undefined ? { content_text: post.text } : { summary: post.summary }),
    ...(image !== undefined && { image: links.file(mediaPath(image.hash, image.mediaType)) }),
    date_published: post.createdAt,
    ...(post.editedAt !== undefined && { date_modified: post.editedAt }),
    ...(tags.length > 0 && { tags }),
    ...(post.lang !== undefined && { language: post.lang }),
    ...(media.length > 0 && {
      attachments: media.map((medium) => ({
        url: links.file(mediaPath(medium.hash, medium.mediaType)),
        mime_type: medium.mediaType,
        title: altOf(medium)
      }))
    })
  }
}
