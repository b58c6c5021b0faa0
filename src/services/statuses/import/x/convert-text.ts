import type { Entity } from '../../records/record.ts'
import { findPlainLinks } from '../text/plain-links.ts'
import { TextBuilder } from '../text/text-builder.ts'
import { type LocatedMark, locateMarks } from './locate-marks.ts'
import type { Mark } from './marks.ts'

export interface TextSource {
  text: string
  marks: readonly Mark[]
  /** `&`, `<` and `>` are escaped, and positions count the escaped text. */
  isEscaped: boolean
  /** The part of the text that is shown, in code points. */
  range?: readonly [number, number] | undefined
}

export interface ConvertedText {
  text: string
  entities: Entity[]
  /** The URL of a quoted post, which was at the end of the text. */
  quoted: { id: string; url: string } | undefined
}

/**
 * The plain text of a post. Shortened URLs become the URLs they stand for; links to the post's own
 * media and to the quoted post are removed from the end, mentions before the shown part from the
 * start.
 */
export function convertText({ text, marks, isEscaped, range }: TextSource): ConvertedText {
  const characters = Array.from(text)
  const located = locateMarks(characters, marks)
  const start = shownStart(characters, located, range)
  const { end, quoted } = shownEnd(characters, located, start)
  const builder = new TextBuilder()
  let position = start
  const addPlain = (to: number) => {
    const plain = characters.slice(position, to).join('')
    addLinked(builder, isEscaped ? unescapeText(plain) : plain)
  }
  for (const mark of located) {
    if (mark.start < position || mark.end > end) continue
    addPlain(mark.start)
    addMark(builder, mark, characters)
    position = mark.end
  }
  if (position < end) addPlain(end)
  return { ...builder.finish(), quoted }
}

function addMark(builder: TextBuilder, mark: LocatedMark, characters: readonly string[]): void {
  const { type, href, display } = mark
  const word = mark.text ?? characters.slice(mark.start, mark.end).join('')
  builder.add(word, {
    type: type === 'media' ? 'url' : type,
    ...(href !== undefined && { href }),
    ...(display !== undefined && { display })
  })
}

function addLinked(builder: TextBuilder, text: string): void {
  let position = 0
  for (const { start, end, href } of findPlainLinks(text)) {
    builder.add(text.slice(position, start))
    builder.add(text.slice(start, end), { type: 'url', href })
    position = end
  }
  builder.add(text.slice(position))
}

/** Archives escape these three characters only. */
export function unescapeText(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (_, name: 'amp' | 'lt' | 'gt') => UNESCAPED[name])
}

const UNESCAPED = { amp: '&', lt: '<', gt: '>' } as const

/** The names that a reply starts with are not shown if the archive says so. */
function shownStart(
  characters: readonly string[],
  located: readonly LocatedMark[],
  range: TextSource['range']
): number {
  const [start] = range ?? [0]
  if (start <= 0 || start > characters.length) return 0
  const rest = characters.slice(0, start)
  for (const { type, start: from, end } of located) {
    if (type === 'mention' && end <= start) rest.fill(' ', from, end)
  }
  return rest.join('').trim() === '' ? start : 0
}

function shownEnd(
  characters: readonly string[],
  located: readonly LocatedMark[],
  start: number
): { end: number; quoted: ConvertedText['quoted'] } {
  let end = endWithoutSpaces(characters, characters.length)
  let quoted: ConvertedText['quoted']
  for (const mark of located.toReversed()) {
    if (mark.end !== end || mark.start < start) break
    const isQuote = mark.postId !== undefined && quoted === undefined
    if (mark.type !== 'media' && !isQuote) break
    const before = endWithoutSpaces(characters, mark.start)
    if (isQuote) quoted = { id: mark.postId ?? '', url: mark.href ?? '' }
    // A post that only quotes shows the URL as its text.
    if (isQuote && before <= start) break
    end = before
  }
  return { end: Math.max(end, start), quoted }
}

function endWithoutSpaces(characters: readonly string[], from: number): number {
  let end = from
  while (end > 0 && (characters[end - 1] ?? '').trim() === '') end--
  return end
}
