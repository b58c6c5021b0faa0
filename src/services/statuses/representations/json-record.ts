import { mediaPath, postPath } from '../pages/links.ts'
import { safeUrl, splitText } from '../pages/text.ts'
import type { OwnPost } from '../records/own-post.ts'
import type { Account, Medium, Post } from '../records/record.ts'
import type { PostContext } from '../store/post-context.ts'

/** The record of a post, with the posts around it. */
export function recordOf(context: PostContext, baseUrl: string): object {
  const { post, quoted, repliesTo, earlier, later } = context
  return {
    ...plainRecordOf(
      post,
      baseUrl,
      repliesTo?.kind === 'shown' ? repliesTo.post.account.userName : undefined
    ),
    quoted:
      quoted?.kind === 'shown'
        ? { ...plainRecordOf(quoted.post, baseUrl, undefined), quoted: quotedStub(quoted.post) }
        : quotedStub(post),
    thread: { previous: earlier.map(({ id }) => id), next: later.map(({ id }) => id) }
  }
}

/** The record for the owner, of the post alone. */
export function ownRecordOf(post: OwnPost, baseUrl: string): object {
  return {
    ...plainRecordOf(post, baseUrl, post.parentName),
    quoted: quotedStub(post),
    visibility: post.visibility,
    restorable_until: post.restorableUntil ?? null
  }
}

/** Of a post that is not public or not stored, only what this post tells itself. */
function quotedStub({ quotedId, quotedUrl }: Post): object | null {
  return quotedId === undefined ? null : { id: quotedId, url: safeUrl(quotedUrl) ?? null }
}

/** `parentName` is that of the author of the post replied to, if it is public. */
function plainRecordOf(post: Post, baseUrl: string, parentName: string | undefined): object {
  return {
    id: post.id,
    url: urlOf(post, baseUrl),
    author: authorOf(post.account, baseUrl),
    text: post.text,
    summary: post.summary ?? null,
    entities: entitiesOf(post),
    lang: post.lang ?? null,
    created_at: post.createdAt,
    edited_at: post.editedAt ?? null,
    media: post.media.map((medium) => mediumOf(medium, baseUrl)),
    in_reply_to: replyOf(post, baseUrl, parentName),
    counts: post.counts,
    sensitive: post.sensitive,
    source: { kind: post.source.kind, original_url: safeUrl(post.source.originalUrl) ?? null }
  }
}

function urlOf({ account, id }: Post, baseUrl: string): string {
  return baseUrl + postPath(account.userName, id)
}

function authorOf({ id, userName, name, avatarHash }: Account, baseUrl: string): object {
  const avatar = avatarHash === undefined ? null : baseUrl + mediaPath(avatarHash)
  return { id, user_name: userName, name, avatar_url: avatar }
}

function entitiesOf({ text, entities }: Post): object[] {
  const found: object[] = []
  let position = 0
  for (const { text: part, entity } of splitText(text, entities)) {
    const start = position
    position += Array.from(part).length
    if (entity === undefined) continue
    const { type, href, display = part } = entity
    found.push({ type, start, end: position, href: safeUrl(href) ?? null, display })
  }
  return found
}

function mediumOf(medium: Medium, baseUrl: string): object {
  const { type, hash, mediaType, posterHash, posterMediaType, bitrate } = medium
  const url = baseUrl + mediaPath(hash, mediaType)
  const poster = posterHash === undefined ? null : baseUrl + mediaPath(posterHash, posterMediaType)
  return {
    id: hash,
    type,
    url,
    width: medium.width,
    height: medium.height,
    alt: medium.alt ?? null,
    poster_url: poster,
    duration_ms: medium.durationMs ?? null,
    variants: type === 'photo' ? [] : [{ url, content_type: mediaType, bitrate: bitrate ?? null }]
  }
}

function replyOf(
  { replyTo, source }: Post,
  baseUrl: string,
  parentName: string | undefined
): object | null {
  if (replyTo === undefined) return null
  const { id = null, userName = null } = replyTo
  if (parentName !== undefined && id !== null) {
    return { id, user_name: parentName, url: baseUrl + postPath(parentName, id), known: true }
  }
  const isOfX = source.kind === 'x_archive' && id !== null
  const url = isOfX ? `https://x.com/${encodeURIComponent(userName ?? 'i')}/status/${id}` : null
  return { id, user_name: userName, url, known: false }
}
