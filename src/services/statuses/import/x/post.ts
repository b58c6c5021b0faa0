import type { JsonObject } from '../json/read-items.ts'
import { cleanText, idOf, integerOf, objectOf, stringOf, timeOf } from '../json/values.ts'
import type { AltTexts, ParsedPost, SkippedPost } from '../parsed.ts'
import { type ConvertedText, convertText } from './convert-text.ts'
import { marksOf } from './marks.ts'
import { type MediaFiles, mediaOf } from './media.ts'
import type { Note, Notes } from './notes.ts'

/** What the other files of the archive tell about its posts. */
export interface PostContext {
  accountId: string | undefined
  userName: string
  /** The present and former names in lower case. */
  ownNames: ReadonlySet<string>
  notes: Notes
  media: MediaFiles
  altTexts: AltTexts
}

/** The repost of another account's post; its text was cut, and its id is not in the archive. */
const REPOST = /^RT @\w{1,20}: /

export function tweetOf(item: JsonObject): JsonObject {
  return objectOf(item.tweet ?? item)
}

export function tweetId({ id_str: text, id }: JsonObject): string | undefined {
  return idOf(text) ?? idOf(id)
}

export function parsePost(tweet: JsonObject, context: PostContext): ParsedPost | SkippedPost {
  const id = tweetId(tweet)
  const createdAt = timeOf(tweet.created_at)
  const fullText = typeof tweet.full_text === 'string' ? tweet.full_text : tweet.text
  if (id === undefined) return { id: 'unknown', skipped: 'without a valid id' }
  if (createdAt === undefined) return { id, skipped: 'without a valid date' }
  if (typeof fullText !== 'string') return { id, skipped: 'without a text' }
  const isRepost = REPOST.test(fullText)
  const note = isRepost ? undefined : context.notes.find(createdAt, fullText)
  const { text, entities, quoted } = textOf(tweet, cleanText(fullText), note)
  const reply = isRepost ? undefined : replyOf(tweet)
  const { media, missing } = isRepost
    ? { media: [], missing: [] }
    : mediaOf(tweet, id, context.media, context.altTexts)
  const lang = stringOf(tweet.lang)
  const editedAt = editTimeOf(tweet, id, createdAt) ?? note?.editedAt
  return {
    id,
    kind: isRepost ? 'repost' : reply === undefined ? 'post' : 'reply',
    ...{ text, entities, createdAt, media },
    ...(lang !== undefined && /^[a-z]{2,3}(-\w+)?$/.test(lang) && lang !== 'und' && { lang }),
    ...(editedAt !== undefined && { editedAt }),
    ...(reply !== undefined && { replyTo: reply }),
    ...(quoted !== undefined && !isRepost && { quotedId: quoted.id, quotedUrl: quoted.url }),
    counts: {
      likes: integerOf(tweet.favorite_count) ?? null,
      reposts: integerOf(tweet.retweet_count) ?? null,
      ...{ replies: null, quotes: null }
    },
    sensitive: tweet.possibly_sensitive === true || tweet.possibly_sensitive === 'true',
    source: 'x_archive',
    originalUrl: `https://x.com/${context.userName}/status/${id}`,
    missingMedia: missing,
    repliesToOthers: reply !== undefined && !isOwnReply(tweet, context),
    hiddenBecause: isRepost ? 'reposts of other accounts' : undefined
  }
}

function textOf(tweet: JsonObject, text: string, note: Note | undefined): ConvertedText {
  if (note === undefined) {
    return convertText({ text, marks: marksOf(tweet), isEscaped: true, range: rangeOf(tweet) })
  }
  // URLs that only the post declares may be in the text of the note too.
  const urls = marksOf(tweet).filter(({ type }) => type === 'url' || type === 'media')
  const known = new Set(note.marks.map(({ word }) => word))
  const others = urls.filter(({ word }) => !known.has(word))
  return convertText({ text: note.text, marks: [...note.marks, ...others], isEscaped: false })
}

function rangeOf({ display_text_range: range }: JsonObject): readonly [number, number] | undefined {
  const [start, end] = Array.isArray(range) ? range.map(integerOf) : []
  return start === undefined || end === undefined ? undefined : [start, end]
}

/** A reply to a deleted post has lost the id, not the name. */
function replyOf(tweet: JsonObject): { id?: string; userName?: string } | undefined {
  const id = idOf(tweet.in_reply_to_status_id_str) ?? idOf(tweet.in_reply_to_status_id)
  const userName = stringOf(tweet.in_reply_to_screen_name)
  const user = idOf(tweet.in_reply_to_user_id_str) ?? idOf(tweet.in_reply_to_user_id)
  if (id === undefined && userName === undefined && user === undefined) return undefined
  return { ...(id !== undefined && { id }), ...(userName !== undefined && { userName }) }
}

function isOwnReply(tweet: JsonObject, { accountId, ownNames }: PostContext): boolean {
  const user = idOf(tweet.in_reply_to_user_id_str) ?? idOf(tweet.in_reply_to_user_id)
  if (user !== undefined && accountId !== undefined) return user === accountId
  return ownNames.has((stringOf(tweet.in_reply_to_screen_name) ?? '').toLowerCase())
}

/** The ids of all versions of an edited post, the newest last. */
export function versionsOf(tweet: JsonObject): string[] {
  const { initial, edit } = objectOf(tweet.edit_info)
  const control = initial ?? objectOf(edit).editControlInitial
  const { editTweetIds } = objectOf(control)
  return Array.isArray(editTweetIds) ? editTweetIds.flatMap((id) => idOf(id) ?? []) : []
}

/** A later version was created when the post was edited. */
function editTimeOf(tweet: JsonObject, id: string, createdAt: string): string | undefined {
  const versions = versionsOf(tweet)
  return versions.length > 1 && versions[0] !== id ? createdAt : undefined
}
