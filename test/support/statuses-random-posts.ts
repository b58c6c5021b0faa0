import type { ImportedPost } from '../../src/services/statuses/import/protocol.ts'
import type { Entity } from '../../src/services/statuses/records/record.ts'
import type { Random } from './random.ts'

/** Pieces of texts by what is difficult about them; each has at least one code point. */
export const PIECES = {
  astral: ['😀', '𝔘𝔫𝔦', '🦤', '𠜎'],
  zwj: ['👩‍👩‍👧', '🏳️‍🌈', '👩🏽‍💻', '🇩🇪'],
  escapes: ['&lt;', '&amp;amp;', '<b>', '"\'', '\\u0041', '&#x3c;'],
  rightToLeft: ['مرحبا', 'שלום', '\u202eabc\u202c', '\u200f1\u200e'],
  combining: ['e\u0301', 'A\u030a', 'नि', 'ก็'],
  loneMarks: ['\u0301', '\u20dd', '\ufe0f', '\u200d'],
  newlines: ['\n', '\r\n', '\u2028', '\u2029', '\u0085', '\t'],
  plain: ['word', 'two words', '漢字', 'Été', '𐍈', ' ', 'x\ufffdy']
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>

export type Piece = keyof typeof PIECES
const KINDS = Object.keys(PIECES) as [Piece, ...Piece[]]
const ENTITY_TYPES = ['url', 'mention', 'hashtag', 'symbol'] as const

export interface RandomPost {
  post: ImportedPost
  /** What its text has. */
  pieces: ReadonlySet<Piece>
}

const length = (text: string) => Array.from(text).length

/**
 * Texts of 0 to 30 pieces, each piece an entity with a probability of a quarter: of any type, with
 * or without `href` and `display`, next to each other too. One post in eight is hidden.
 */
export function randomPost(random: Random, number: number): RandomPost {
  const pieces = new Set<Piece>()
  const entities: Entity[] = []
  let text = ''
  for (let left = random.below(31); left > 0; left--) {
    const kind = random.pick(KINDS)
    pieces.add(kind)
    const piece = random.pick(PIECES[kind] as readonly [string, ...string[]])
    const start = length(text)
    text += piece
    if (random.below(4) === 0) entities.push(randomEntity(random, start, length(text), piece))
  }
  const count = () => (random.below(3) === 0 ? null : random.below(1_000))
  return {
    pieces,
    post: {
      id: String(1_700_000_000_000_000_000n + BigInt(number) * 4_194_304_001n),
      visibility: random.below(8) === 0 ? 'hidden' : 'public',
      kind: 'post',
      text,
      entities,
      createdAt: new Date(Date.UTC(2023, 6, 1) + number * 60_000).toISOString(),
      media: [],
      counts: { likes: count(), reposts: count(), replies: count(), quotes: count() },
      sensitive: random.below(5) === 0,
      source: 'x_archive',
      ...(random.below(4) === 0 && { summary: random.pick(PIECES.zwj) }),
      ...(random.below(3) === 0 && { raw: JSON.stringify({ full_text: text }) })
    }
  }
}

function randomEntity(random: Random, start: number, end: number, piece: string): Entity {
  return {
    type: random.pick(ENTITY_TYPES),
    start,
    end,
    ...(random.below(2) === 0 && { href: `https://example.org/?q=${encodeURIComponent(piece)}` }),
    ...(random.below(3) === 0 && { display: `${piece}…` })
  }
}
