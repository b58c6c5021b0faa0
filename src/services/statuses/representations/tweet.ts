import { mediaPath } from '../pages/links.ts'
import type { Account, Post } from '../records/record.ts'
import type { PostContext } from '../store/post-context.ts'
import { DEFAULT_PICTURE, photosOf, tweetMediaOf, videoOf } from './tweet-media.ts'
import { tweetTextOf } from './tweet-text.ts'

const EDIT_TIME_MS = 3_600_000
/** Unknown language. */
const UNDETERMINED = 'und'

/** A post as the clients of embedded posts expect it; the text is HTML. */
export function tweetOf({ post, quoted, repliesTo }: PostContext, baseUrl: string): object {
  const { replyTo } = post
  const media = mediaOf(post, baseUrl)
  return {
    __typename: 'Tweet',
    ...baseOf(post, baseUrl),
    ...media,
    favorite_count: post.counts.likes ?? 0,
    conversation_count: post.counts.replies ?? 0,
    news_action_type: 'conversation',
    possibly_sensitive: post.sensitive,
    ...(quoted?.kind === 'shown' && { quoted_tweet: quotedOf(quoted.post, baseUrl) }),
    ...(replyTo?.userName !== undefined && { in_reply_to_screen_name: replyTo.userName }),
    ...(replyTo?.id !== undefined && { in_reply_to_status_id_str: replyTo.id }),
    ...(repliesTo?.kind === 'shown' && {
      in_reply_to_user_id_str: repliesTo.post.account.id,
      parent: { ...baseOf(repliesTo.post, baseUrl), ...countsOf(repliesTo.post) }
    })
  }
}

/** Members that quoted posts and parents have, too. */
function baseOf(post: Post, baseUrl: string): object {
  const { text, length, entities } = tweetTextOf(post)
  return {
    id_str: post.id,
    lang: post.lang ?? UNDETERMINED,
    created_at: post.createdAt,
    text,
    display_text_range: [0, length],
    entities,
    user: userOf(post.account, baseUrl),
    edit_control: {
      edit_tweet_ids: [post.id],
      editable_until_msecs: String(Date.parse(post.createdAt) + EDIT_TIME_MS),
      is_edit_eligible: false,
      edits_remaining: '0'
    },
    isEdited: post.editedAt !== undefined,
    isStaleEdit: false
  }
}

function quotedOf(post: Post, baseUrl: string): object {
  return {
    ...baseOf(post, baseUrl),
    ...mediaOf(post, baseUrl),
    ...countsOf(post),
    self_thread: { id_str: post.id }
  }
}

function countsOf({ counts }: Post): object {
  return {
    reply_count: counts.replies ?? 0,
    retweet_count: counts.reposts ?? 0,
    favorite_count: counts.likes ?? 0
  }
}

function mediaOf(post: Post, baseUrl: string): object {
  const mediaDetails = tweetMediaOf(post, baseUrl)
  const photos = photosOf(post, baseUrl)
  const video = videoOf(post, baseUrl)
  return {
    ...(mediaDetails.length > 0 && { mediaDetails }),
    ...(photos.length > 0 && { photos }),
    ...(video !== undefined && { video })
  }
}

function userOf({ id, name, userName, avatarHash }: Account, baseUrl: string): object {
  const picture = avatarHash === undefined ? DEFAULT_PICTURE : mediaPath(avatarHash)
  return {
    id_str: id,
    name,
    screen_name: userName,
    profile_image_url_https: baseUrl + picture,
    profile_image_shape: 'Circle',
    verified: false,
    is_blue_verified: false
  }
}
