import { decodeReferences, type HtmlToken } from '../../../../kernel/html-tokens.ts'
import { isPaired } from './balance-tags.ts'

type OpenTag = Extract<HtmlToken, { type: 'open' }>

/** Positions of tokens; `end` is that of the first token after the range. */
export interface TokenRange {
  readonly start: number
  readonly end: number
}

const QUOTE_CLASS =
  /(?:^|\s)(?:gmail_quote(?:_container)?|yahoo_quoted|protonmail_quote|tutanota_quote|zmail_extra)(?:\s|$)/
/** Outlook: all that follows in the same element is the earlier message. */
const OUTLOOK_ID = /^(?:x_)*(?:appendonsend|divRplyFwdMsg|mail-editor-reference-message-container)$/
const OUTLOOK_BORDER = /border-top:\s*solid #(?:e1e1e1|b5c4df) 1\.0pt/i
const FORWARDED = /^[-\s]*(?:begin )?forwarded message/i
/** As much of the text of a quote as tells whether it is a forwarded message. */
const START_LENGTH = 100

/**
 * The earlier messages that a mail program put at the end of a reply, in balanced tokens. Undefined
 * if text follows them, as in replies between the lines, if there is nothing else, or if they are
 * forwarded.
 */
export function findQuote(tokens: readonly HtmlToken[]): TokenRange | undefined {
  const tree = treeOf(tokens)
  const lastText = tokens.findLastIndex(hasText)
  let index = tokens.findIndex((token) => hasText(token) || isImage(token))
  // Without a text or image of its own the message is the quote alone.
  if (index === -1) return undefined
  for (; index < tokens.length; index += 1) {
    const range = quoteAt(tokens, tree, index)
    if (range === undefined) continue
    if (range.end > lastText) return isForwarded(tokens, range) ? undefined : range
    index = range.end - 1
  }
  return undefined
}

/**
 * Positions of closing tags and parents, by position of the opening tag; -1 if the tag is not closed
 * or has no parent.
 */
interface Tree {
  readonly ends: Int32Array
  readonly parents: Int32Array
}

function treeOf(tokens: readonly HtmlToken[]): Tree {
  const ends = new Int32Array(tokens.length).fill(-1)
  const parents = new Int32Array(tokens.length).fill(-1)
  const open: number[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'open' && isPaired(token.name)) {
      parents[index] = open.at(-1) ?? -1
      open.push(index)
    }
    if (token.type === 'close') ends[open.pop() ?? 0] = index
  }
  return { ends, parents }
}

function quoteAt(tokens: readonly HtmlToken[], tree: Tree, start: number): TokenRange | undefined {
  const token = tokens[start]
  const end = tree.ends[start] ?? -1
  if (token?.type !== 'open' || end === -1) return undefined
  if (isQuote(token)) return { start, end: end + 1 }
  const { id = '', style = '' } = token.attributes
  if (OUTLOOK_ID.test(id)) return restOf(tokens, tree, start)
  if (OUTLOOK_BORDER.test(style)) return restOf(tokens, tree, outermost(tokens, tree, start))
  return undefined
}

function isQuote({ name, attributes }: OpenTag): boolean {
  return (
    QUOTE_CLASS.test(attributes.class ?? '') ||
    attributes.id?.startsWith('yahoo_quoted') === true ||
    attributes['data-marker'] === '__QUOTED_TEXT__' ||
    (name === 'blockquote' && attributes.type?.toLowerCase() === 'cite')
  )
}

function restOf(tokens: readonly HtmlToken[], { ends, parents }: Tree, start: number): TokenRange {
  const parent = parents[start] ?? -1
  return { start, end: parent === -1 ? tokens.length : (ends[parent] ?? tokens.length) }
}

/** The border may be in a wrapper of its own; then the earlier message follows the wrapper. */
function outermost(tokens: readonly HtmlToken[], { parents }: Tree, start: number): number {
  let outer = start
  for (let index = start - 1; index >= 0; index -= 1) {
    const token = tokens[index]
    if (token === undefined || hasText(token) || token.type === 'close') break
    if (token.type !== 'open') continue
    if (index !== parents[outer]) break
    outer = index
  }
  return outer
}

function isForwarded(tokens: readonly HtmlToken[], { start, end }: TokenRange): boolean {
  let text = ''
  for (let index = start; index < end && text.length < START_LENGTH; index += 1) {
    const token = tokens[index]
    if (token?.type === 'text') text = (text + token.text).trimStart()
  }
  return FORWARDED.test(text)
}

function hasText(token: HtmlToken): boolean {
  return token.type === 'text' && decodeReferences(token.text).trim() !== ''
}

function isImage(token: HtmlToken): boolean {
  return token.type === 'open' && token.name === 'img'
}
