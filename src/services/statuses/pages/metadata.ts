import { html, type Markup } from '../../../kernel/html.ts'
import type { Account, Medium, Post } from '../records/record.ts'
import { feedLinks, shownName } from './layout.ts'
import { type Links, mediaPath, postPath, profilePath } from './links.ts'
import { altOf, isVideo, mediaText } from './media.ts'
import { excerptOf } from './text.ts'
import type { PostView, ReferencedPost, Site } from './views.ts'

/** Code points. */
const MAX_TITLE_TEXT = 50
const MAX_DESCRIPTION = 300
const EMBED_WIDTH = 550
const AVATAR_SIZE = 400

/** `Ada Palmer (@ada): “The tide clock runs…”`; the text is not told if there is a warning. */
export function postTitle(post: Post): string {
  const text = excerptOf(post.summary ?? post.text, MAX_TITLE_TEXT)
  const author = authorTitle(post.account)
  return text === '' ? author : `${author}: “${text}”`
}

export function authorTitle(account: Account): string {
  return `${excerptOf(shownName(account), MAX_TITLE_TEXT)} (@${account.userName})`
}

/** One line about a post: the warning, the text, or what its media are. */
export function describePost(post: Post): string {
  const text = excerptOf(post.summary ?? post.text, MAX_DESCRIPTION)
  return text === '' ? mediaText(post.media) : text
}

/** Canonical URL, alternates, Open Graph, Twitter card and JSON-LD of a post. */
export function postHead(view: PostView, site: Site, links: Links): Markup {
  const { post } = view
  const path = postPath(post.account.userName, post.id)
  const url = links.absolute(path)
  const oembed = links.absolute(`/oembed?${new URLSearchParams({ url })}`)
  return html`<link rel="canonical" href="${url}">
${
  !links.isStatic &&
  html`<link rel="alternate" type="application/json+oembed" title="${postTitle(post)}" href="${oembed}">
<link rel="alternate" type="application/json" href="${url}">`
}
${feedLinks(post.account, links)}
<meta name="description" content="${describePost(post)}">
${property('og:site_name', site.name)}
${property('og:type', 'article')}
${property('og:title', authorTitle(post.account))}
${property('og:description', describePost(post))}
${property('og:url', url)}
${property('og:published_time', post.createdAt)}
${property('article:published_time', post.createdAt)}
${property('profile:username', post.account.userName)}
${property('og:locale', post.lang?.replace('-', '_'))}
${mediaProperties(post, links)}
${jsonLd(postData(view, links))}`
}

export function property(name: string, content: string | number | undefined): Markup | false {
  return (
    content !== undefined &&
    html`<meta property="${name}" content="${content}">
`
  )
}

/** Pictures of sensitive posts are not shown in previews. */
function mediaProperties(post: Post, links: Links): Markup {
  const media = isCovered(post) ? [] : post.media
  const video = media.find(isVideo)
  const images = media.filter((medium) => !isVideo(medium))
  if (video !== undefined) return html`${videoProperties(post, video, links)}${card('player')}`
  if (images.length > 0) {
    return html`${images.map((image) => imageProperties(image, links))}${card('summary_large_image')}`
  }
  return html`${!isCovered(post) && avatarProperties(post.account, links)}${card('summary')}`
}

function isCovered({ sensitive, summary }: Post): boolean {
  return sensitive || (summary !== undefined && summary.trim() !== '')
}

function card(name: string): Markup {
  return html`<meta name="twitter:card" content="${name}">`
}

function imageProperties(image: Medium, links: Links): Markup {
  return html`${property('og:image', links.absolute(mediaPath(image.hash, image.mediaType)))}${property('og:image:type', image.mediaType)}${sizeProperties('og:image', image)}${property('og:image:alt', altOf(image))}`
}

export function avatarProperties({ avatarHash }: Account, links: Links): Markup | false {
  if (avatarHash === undefined) return false
  const size = { width: AVATAR_SIZE, height: AVATAR_SIZE }
  return html`${property('og:image', links.absolute(mediaPath(avatarHash)))}${sizeProperties('og:image', size)}`
}

function videoProperties(post: Post, video: Medium, links: Links): Markup {
  const source = links.absolute(mediaPath(video.hash, video.mediaType))
  const player = links.absolute(`${postPath(post.account.userName, post.id)}/embed`)
  return html`${
    video.posterHash !== undefined &&
    property('og:image', links.absolute(mediaPath(video.posterHash, video.posterMediaType)))
  }${property('og:video', source)}${source.startsWith('https:') && property('og:video:secure_url', source)}${property('og:video:type', video.mediaType)}${sizeProperties('og:video', video)}${sizeProperties('twitter:player', { width: EMBED_WIDTH, height: playerHeight(video) })}${property('twitter:player', player)}`
}

function playerHeight({ width, height }: Medium): number {
  return width > 0 ? Math.round((EMBED_WIDTH * height) / width) : EMBED_WIDTH
}

function sizeProperties(name: string, size: { width: number; height: number }): Markup | false {
  if (size.width <= 0 || size.height <= 0) return false
  return html`${property(`${name}:width`, size.width)}${property(`${name}:height`, size.height)}`
}

/** A data block that no text can end. */
export function jsonLd(data: object): Markup {
  const json = JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return html`<script type="application/ld+json">${{ markup: json }}</script>`
}

function postData({ post, quoted }: PostView, links: Links): object {
  const path = postPath(post.account.userName, post.id)
  const media = isCovered(post) ? [] : post.media
  return {
    '@context': 'https://schema.org',
    '@type': 'SocialMediaPosting',
    '@id': links.absolute(path),
    url: links.absolute(path),
    identifier: post.id,
    datePublished: post.createdAt,
    dateModified: post.editedAt ?? post.createdAt,
    inLanguage: post.lang,
    author: personData(post.account, links),
    headline: describePost(post),
    text: post.text,
    image: listOrNone(
      media.filter((medium) => !isVideo(medium)).map((image) => imageData(image, links))
    ),
    video: listOrNone(media.filter(isVideo).map((video) => videoData(video, post, links))),
    interactionStatistic: listOrNone(statistics(post)),
    sharedContent: sharedData(quoted, links)
  }
}

export function personData(account: Account, links: Links): object {
  const { avatarHash, userName } = account
  return {
    '@type': 'Person',
    name: shownName(account),
    alternateName: `@${userName}`,
    identifier: account.id,
    url: links.absolute(profilePath(userName)),
    image: avatarHash === undefined ? undefined : links.absolute(mediaPath(avatarHash))
  }
}

function imageData(image: Medium, links: Links): object {
  return {
    '@type': 'ImageObject',
    contentUrl: links.absolute(mediaPath(image.hash, image.mediaType)),
    encodingFormat: image.mediaType,
    width: image.width,
    height: image.height,
    description: image.alt
  }
}

function videoData(video: Medium, post: Post, links: Links): object {
  return {
    '@type': 'VideoObject',
    name: altOf(video),
    description: altOf(video),
    uploadDate: post.createdAt,
    contentUrl: links.absolute(mediaPath(video.hash, video.mediaType)),
    thumbnailUrl:
      video.posterHash === undefined
        ? undefined
        : links.absolute(mediaPath(video.posterHash, video.posterMediaType)),
    encodingFormat: video.mediaType
  }
}

function statistics({ counts }: Post): object[] {
  const all = [
    ['LikeAction', counts.likes],
    ['ShareAction', counts.reposts],
    ['ReplyAction', counts.replies]
  ] as const
  return all.flatMap(([action, count]) =>
    count === null
      ? []
      : [
          {
            '@type': 'InteractionCounter',
            interactionType: `https://schema.org/${action}`,
            userInteractionCount: count
          }
        ]
  )
}

function sharedData(quoted: ReferencedPost | undefined, links: Links): object | undefined {
  if (quoted?.kind !== 'shown') return undefined
  const { account, id } = quoted.post
  return { '@type': 'WebPage', url: links.absolute(postPath(account.userName, id)) }
}

function listOrNone<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}
