import { decodeReferences, type HtmlToken, tokenizeHtml } from '../../../../kernel/html-tokens.ts'
import type { Entity } from '../../records/record.ts'
import { cleanText, webUrlOf } from '../json/values.ts'
import { TextBuilder } from '../text/text-builder.ts'

/** Tags that start a line of their own. */
const BLOCKS = [
  'p',
  'div',
  'blockquote',
  'pre',
  'ul',
  'ol',
  'li',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6'
]

interface OpenLink {
  href: string | undefined
  classes: readonly string[]
  text: string
  /** What is shown: without invisible parts, with an ellipsis where text was cut. */
  shown: string
  /** The classes of the open `span` tags. */
  spans: string[]
}

/** The text and links of the HTML of a post. Tags other than `p`, `br`, `a` and `span` are dropped. */
export function htmlText(html: string): { text: string; entities: Entity[] } {
  const converter = new Converter()
  for (const token of tokenizeHtml(cleanText(html))) converter.add(token)
  return converter.finish()
}

class Converter {
  readonly #builder = new TextBuilder()
  #link: OpenLink | undefined
  #breaks = 0

  add(token: HtmlToken): void {
    if ('text' in token) this.#addText(decodeReferences(token.text))
    else if (token.name === 'br') this.#addBreak()
    else if (token.name === 'a') this.#addLink(token)
    else if (token.name === 'span') this.#addSpan(token)
    else if (BLOCKS.includes(token.name)) this.#startLine(token.name === 'li' ? 1 : 2)
  }

  finish(): { text: string; entities: Entity[] } {
    this.#closeLink()
    return this.#builder.finish()
  }

  #addText(text: string): void {
    const link = this.#link
    // Line feeds in the source are spaces.
    const line = text.replace(/[\t\n\r ]+/g, ' ')
    if (link === undefined) {
      if (line.trim() !== '' || !(this.#breaks > 0 || this.#builder.isEmpty)) this.#write(line)
      return
    }
    link.text += line
    if (!link.spans.some((name) => name.includes('invisible'))) link.shown += line
  }

  #addBreak(): void {
    if (this.#link === undefined) this.#write('\n')
    else this.#link.text += '\n'
  }

  #startLine(breaks: number): void {
    this.#closeLink()
    if (!this.#builder.isEmpty) this.#breaks = Math.max(this.#breaks, breaks)
  }

  #write(text: string, entity?: Omit<Entity, 'start' | 'end'>): void {
    if (this.#breaks > 0) this.#builder.add('\n'.repeat(this.#breaks))
    this.#breaks = 0
    this.#builder.add(text, entity)
  }

  #addLink(token: HtmlToken): void {
    this.#closeLink()
    if (token.type !== 'open') return
    const { href, class: names = '' } = token.attributes
    this.#link = {
      ...{ href: webUrlOf(href && decodeReferences(href)), classes: names.split(/\s+/) },
      ...{ text: '', shown: '', spans: [] }
    }
  }

  #addSpan(token: HtmlToken): void {
    if (this.#link === undefined) return
    if (token.type === 'open') {
      this.#link.spans.push(token.attributes.class ?? '')
      return
    }
    const closed = this.#link.spans.pop()
    if (closed?.split(/\s+/).includes('ellipsis')) this.#link.shown += '…'
  }

  #closeLink(): void {
    const link = this.#link
    this.#link = undefined
    if (link === undefined || link.text === '') return
    const { href, text, shown, classes } = link
    if (classes.includes('hashtag') || text.startsWith('#')) this.#write(text, { type: 'hashtag' })
    else if (classes.includes('mention') && href !== undefined) {
      this.#write(text, { type: 'mention', href })
    } else if (href === undefined) this.#write(text)
    else this.#write(text, { type: 'url', href, display: shown || text })
  }
}
