import { safeUrl, splitText } from '../pages/text.ts'
import type { Entity, Post } from '../records/record.ts'

type Indices = readonly [number, number]

export interface TweetEntities {
  hashtags: { indices: Indices; text: string }[]
  urls: { display_url: string; expanded_url: string; url: string; indices: Indices }[]
  user_mentions: { id_str: string; indices: Indices; name: string; screen_name: string }[]
  symbols: { indices: Indices; text: string }[]
}

export interface TweetText {
  text: string
  /** Code points. */
  length: number
  entities: TweetEntities
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Clients insert the text into pages as HTML. */
export function escapeForTweet(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? '')
}

/** The text escaped, with positions that count the code points of the escaped text. */
export function tweetTextOf({ text, entities }: Pick<Post, 'text' | 'entities'>): TweetText {
  const found: TweetEntities = { hashtags: [], urls: [], user_mentions: [], symbols: [] }
  let escaped = ''
  let position = 0
  for (const part of splitText(text, entities)) {
    const piece = escapeForTweet(part.text)
    const end = position + Array.from(piece).length
    if (part.entity !== undefined) addEntity(found, part.entity, part.text, [position, end])
    escaped += piece
    position = end
  }
  return { text: escaped, length: position, entities: found }
}

function addEntity(found: TweetEntities, entity: Entity, text: string, indices: Indices): void {
  const word = escapeForTweet(text.slice(1))
  if (entity.type === 'hashtag') found.hashtags.push({ indices, text: word })
  else if (entity.type === 'symbol') found.symbols.push({ indices, text: word })
  else if (entity.type === 'mention') {
    found.user_mentions.push({ id_str: '', indices, name: word, screen_name: word })
  } else {
    const href = safeUrl(entity.href)
    if (href === undefined) return
    const display = shownUrl(entity.display ?? text)
    found.urls.push({ display_url: display, expanded_url: href, url: href, indices })
  }
}

/** Clients insert it as HTML in quoted posts: it is cut before a character that HTML would need. */
export function shownUrl(display: string): string {
  const cut = display.replace(/[&<>"'].*$/s, '')
  return cut === display ? display : `${cut}…`
}
