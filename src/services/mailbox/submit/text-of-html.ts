import { decodeReferences, type HtmlToken, tokenizeHtml } from '../../../kernel/html-tokens.ts'
import { TextLines } from './text-lines.ts'

/** Elements that begin on a line of their own. */
const BLOCKS = new Set([
  ...['address', 'article', 'aside', 'center', 'dd', 'div', 'dl', 'dt', 'fieldset', 'figcaption'],
  ...['figure', 'footer', 'form', 'header', 'hr', 'li', 'main', 'nav', 'ol', 'section', 'tr', 'ul']
])
/** Blocks with an empty line before and after them. */
const PARAGRAPHS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'table', 'pre'])
const CELLS = new Set(['td', 'th'])

/** What a reader of plain text gets of HTML: lines, list items and the URLs of links. */
export function textOfHtml(html: string): string {
  const writer = new Writer()
  for (const token of tokenizeHtml(html)) writer.add(token)
  return writer.lines.text()
}

type Open = Extract<HtmlToken, { type: 'open' }>

class Writer {
  readonly lines = new TextLines()
  #isInHead = false
  #isPreformatted = false
  /** Links are not nested. */
  #link: { readonly url: string; readonly start: number } | undefined

  add(token: HtmlToken): void {
    if (token.type === 'raw') return
    if (token.type === 'text') this.#addText(token.text)
    else if (token.type === 'open') this.#open(token)
    else this.#close(token.name)
  }

  #addText(text: string): void {
    if (this.#isInHead) return
    if (this.#isPreformatted) this.lines.addAsIs(decodeReferences(text))
    else this.lines.add(decodeReferences(text))
  }

  #open(token: Open): void {
    const { name, attributes } = token
    this.#break(name)
    if (name === 'head' || name === 'body') this.#isInHead = name === 'head'
    else if (name === 'pre') this.#isPreformatted = true
    else if (name === 'br') this.lines.endLine()
    else if (name === 'li') this.lines.addAsIs('* ')
    else if (name === 'img') this.#addText(attributes.alt ? `[${attributes.alt}]` : '')
    else if (name === 'a') {
      const url = decodeReferences(attributes.href ?? '').trim()
      this.#link = { url, start: this.lines.pieces.length }
    }
  }

  #close(name: string): void {
    this.#break(name)
    if (name === 'head') this.#isInHead = false
    else if (name === 'pre') this.#isPreformatted = false
    else if (name === 'a') this.#endLink()
  }

  #break(name: string): void {
    if (PARAGRAPHS.has(name)) this.lines.endBlock(2)
    else if (BLOCKS.has(name)) this.lines.endBlock(1)
    else if (CELLS.has(name)) this.lines.add(' ')
  }

  #endLink(): void {
    const { url = '', start = 0 } = this.#link ?? {}
    this.#link = undefined
    if (!/^(?:https?|ftp):\/\//i.test(url)) return
    const label = this.lines.pieces.slice(start).join('')
    if (!label.includes(url.replace(/\/$/, ''))) this.lines.add(` [${url}]`)
  }
}
