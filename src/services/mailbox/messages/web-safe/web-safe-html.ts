import { cutText } from '../../../../kernel/cut-text.ts'
import { tokenizeHtml } from '../../../../kernel/html-tokens.ts'
import { balanceTags } from './balance-tags.ts'
import { findQuote } from './find-quote.ts'
import { decodeId } from './message-images.ts'
import { SafeHtmlWriter } from './safe-html.ts'

/** Characters of markup; the rest is left out. */
const MAX_HTML = 1_000_000
/** As EmailEngine folds earlier messages: pages add the text of the summary by their own styles. */
export const FOLD_START = '<details class="ee-collapsed-thread"><summary></summary>'
export const FOLD_END = '</details>'

export interface WebSafeOptions {
  /**
   * Data URLs of the images of the message by their decoded Content-IDs. Undefined: references to
   * them stay as they are.
   */
  readonly images?: ReadonlyMap<string, string> | undefined
  /** `block`: images of other hosts have their URL in `data-remote-src`. They are kept otherwise. */
  readonly remoteImages?: 'keep' | 'block' | undefined
}

export interface WebSafeHtml {
  readonly html: string
  /** The message is longer. */
  readonly isCut: boolean
  /** Images of other hosts. */
  readonly remoteImages: number
}

/**
 * Markup that can be put into a page: scripts, styles of the whole page, forms and frames are
 * removed, all tags have their ends, and the messages that a reply quotes at its end are folded.
 */
export function webSafeHtml(source: string, options: WebSafeOptions = {}): WebSafeHtml {
  const { images, remoteImages = 'keep' } = options
  const writer = new SafeHtmlWriter({
    imageOf: (id) => (images === undefined ? `cid:${id}` : images.get(decodeId(id))),
    isFragment: true,
    remoteImages: remoteImages === 'block' ? 'mark' : 'keep'
  })
  const tokens = [...balanceTags(tokenizeHtml(cut(source)))]
  const quote = findQuote(tokens)
  for (const [index, token] of tokens.entries()) {
    if (index === quote?.end) writer.html += FOLD_END
    if (index === quote?.start) writer.html += FOLD_START
    writer.add(token)
  }
  if (quote?.end === tokens.length) writer.html += FOLD_END
  return {
    html: writer.html,
    isCut: source.length > MAX_HTML,
    remoteImages: writer.remoteImages
  }
}

/** A tag that is cut would be shown as text. */
function cut(source: string): string {
  if (source.length <= MAX_HTML) return source
  const part = cutText(source, MAX_HTML)
  const tag = part.lastIndexOf('<')
  return tag > part.lastIndexOf('>') ? part.slice(0, tag) : part
}
