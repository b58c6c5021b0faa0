import { findUrls } from './find-urls.ts'
import type { Entity } from './record.ts'

/** Positions in UTF-16 units. */
type Found = Entity

const LETTER = '\\p{L}\\p{M}'
/** Also marks that belong to words in some scripts, and joiners. */
const TAG =
  `${LETTER}\\p{Nd}_\\u200c\\u200d\\u00b7\\u05be\\u05f3\\u05f4\\u0f0b\\u0f0c\\u3003\\u301c` +
  '\\u309b\\u309c\\u30a0\\u30fb\\uff5e'
/** The sign of an emoji such as a keycap is not one of a hashtag. */
const HASHTAG = new RegExp(
  `(?<![${TAG}&])[#＃](?![\\ufe0f\\u20e3])[${TAG}]+(?![${TAG}#＃]|://)`,
  'gu'
)
const HAS_LETTER = new RegExp(`[${LETTER}]`, 'u')
const MENTION =
  /(?<=^|[^A-Za-z0-9_!#$%&*@＠]|(?:^|[^A-Za-z0-9_+~.-])rt:?)[@＠]([A-Za-z0-9_]{1,15})(?![A-Za-z0-9_@＠\u00c0-\u024f]|:\/\/)/giu
const SYMBOL =
  /(?<=^|[\s\u200e\u200f\u202a-\u202e\u2066-\u2069])\$[A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?(?=$|[\s\p{P}\p{S}])/gu

/** Links, mentions, hashtags and symbols of a text, as X finds them. */
export function findEntities(text: string): Entity[] {
  const found: Found[] = [
    ...findUrls(text).map((url): Found => ({ type: 'url', ...url })),
    ...hashtagsOf(text),
    ...mentionsOf(text),
    ...symbolsOf(text)
  ]
  found.sort((one, other) => one.start - other.start)
  return inCodePoints(text, withoutOverlaps(found))
}

function* hashtagsOf(text: string): Generator<Found> {
  for (const { 0: tag, index } of text.matchAll(HASHTAG)) {
    if (HAS_LETTER.test(tag)) yield { type: 'hashtag', start: index, end: index + tag.length }
  }
}

function* mentionsOf(text: string): Generator<Found> {
  for (const { 0: mention, 1: name, index } of text.matchAll(MENTION)) {
    const end = index + mention.length
    yield { type: 'mention', start: index, end, href: `https://x.com/${name}` }
  }
}

function* symbolsOf(text: string): Generator<Found> {
  for (const { 0: symbol, index } of text.matchAll(SYMBOL)) {
    yield { type: 'symbol', start: index, end: index + symbol.length }
  }
}

/** The first of those that overlap. */
function withoutOverlaps(sorted: readonly Found[]): Found[] {
  let position = 0
  return sorted.filter(({ start, end }) => {
    if (start < position) return false
    position = end
    return true
  })
}

function inCodePoints(text: string, found: readonly Found[]): Entity[] {
  let unit = 0
  let point = 0
  function pointAt(position: number): number {
    while (unit < position) {
      unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1
      point++
    }
    return point
  }
  return found.map((entity) => ({
    ...entity,
    start: pointAt(entity.start),
    end: pointAt(entity.end)
  }))
}
