import { linkedPostId } from '../../http/post-url.ts'
import type { JsonObject } from '../json/read-items.ts'
import { integerOf, objectOf, objectsOf, stringOf, webUrlOf } from '../json/values.ts'

/** A word of the text that an archive declares to be more than text. */
export interface Mark {
  type: 'url' | 'mention' | 'hashtag' | 'symbol' | 'media'
  /** Characters of which one precedes the word; empty for a URL. */
  signs: string
  word: string
  /** Where the archive says it is, in code points. */
  start: number | undefined
  href?: string
  /** Replaces the word. */
  text?: string
  display?: string
  /** The URL is one of a post. */
  postId?: string
}

/** Links to posts have this host or one of its other names. */
const ORIGINAL_SITE = 'https://x.com'

export const SIGNS = { hashtag: '#＃', mention: '@＠', symbol: '$＄', url: '', media: '' } as const

/** The entities of a post in `tweets.js`. */
export function marksOf(tweet: JsonObject): Mark[] {
  const entities = objectOf(tweet.entities)
  const media = [
    ...objectsOf(objectOf(tweet.extended_entities).media),
    ...objectsOf(entities.media)
  ]
  const marks: (Mark | undefined)[] = [
    ...objectsOf(entities.urls).map((entity) => urlMark('url', entity)),
    ...media.map((entity) => urlMark('media', entity)),
    ...objectsOf(entities.hashtags).map((entity) => wordMark('hashtag', entity, entity.text)),
    ...objectsOf(entities.symbols).map((entity) => wordMark('symbol', entity, entity.text)),
    ...objectsOf(entities.user_mentions).map((entity) =>
      wordMark('mention', entity, entity.screen_name)
    )
  ]
  return uniqueMarks(marks)
}

/** The entities of a long post in `note-tweet.js`, whose members have other names. */
export function noteMarksOf(core: JsonObject): Mark[] {
  const marks = [
    ...objectsOf(core.urls).map(noteUrlMark),
    ...objectsOf(core.hashtags).map((entity) => wordMark('hashtag', entity, entity.text)),
    ...objectsOf(core.cashtags).map((entity) => wordMark('symbol', entity, entity.text)),
    ...objectsOf(core.mentions).map((entity) => wordMark('mention', entity, entity.screenName))
  ]
  return uniqueMarks(marks)
}

/** All media of a post have the same URL in the text. */
function uniqueMarks(marks: readonly (Mark | undefined)[]): Mark[] {
  const byKey = new Map<string, Mark>()
  for (const mark of marks) {
    if (mark === undefined) continue
    const key = `${mark.signs}${mark.word} ${mark.start}`
    if (!byKey.has(key)) byKey.set(key, mark)
  }
  return [...byKey.values()]
}

function startOf(entity: JsonObject): number | undefined {
  const [start] = Array.isArray(entity.indices) ? entity.indices : [entity.fromIndex]
  return integerOf(start)
}

function wordMark(
  type: 'hashtag' | 'symbol' | 'mention',
  entity: JsonObject,
  value: unknown
): Mark | undefined {
  const word = stringOf(value)
  if (word === undefined) return undefined
  const href = type === 'mention' && /^\w{1,20}$/.test(word) ? `https://x.com/${word}` : undefined
  const mark = { type, signs: SIGNS[type], word, start: startOf(entity) }
  return href === undefined ? mark : { ...mark, href }
}

function urlMark(type: 'url' | 'media', entity: JsonObject): Mark | undefined {
  const { url, expanded_url: expanded, display_url: display } = entity
  return linkMark(type, url, expanded, display, startOf(entity))
}

function noteUrlMark(entity: JsonObject): Mark | undefined {
  const { shortUrl, expandedUrl, displayUrl } = entity
  return linkMark('url', shortUrl, expandedUrl, displayUrl, startOf(entity))
}

function linkMark(
  type: 'url' | 'media',
  url: unknown,
  expanded: unknown,
  display: unknown,
  start: number | undefined
): Mark | undefined {
  const word = stringOf(url)
  const href = webUrlOf(expanded) ?? webUrlOf(url)
  if (word === undefined || href === undefined) return undefined
  const shown = stringOf(display)
  const postId = type === 'url' ? linkedPostId(href, ORIGINAL_SITE) : undefined
  return {
    ...{ type, signs: '', word, start, href, text: href },
    ...(shown !== undefined && { display: shown }),
    ...(postId !== undefined && { postId })
  }
}
