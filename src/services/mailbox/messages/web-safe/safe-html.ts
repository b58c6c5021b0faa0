import { decodeReferences, type HtmlToken, tokenizeHtml } from '../../../../kernel/html-tokens.ts'
import { isDataImage, isRemote, safeStyle } from './safe-style.ts'

const TAGS = new Set([
  ...['a', 'abbr', 'address', 'article', 'aside', 'b', 'bdi', 'bdo', 'big', 'blockquote', 'br'],
  ...['caption', 'center', 'cite', 'code', 'col', 'colgroup', 'dd', 'del', 'dfn', 'div', 'dl'],
  ...['dt', 'em', 'figcaption', 'figure', 'font', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['header', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'main', 'mark', 'nav', 'ol', 'p', 'pre'],
  ...['q', 's', 'samp', 'section', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'table'],
  ...['tbody', 'td', 'tfoot', 'th', 'thead', 'time', 'tr', 'tt', 'u', 'ul', 'var', 'wbr']
])
const ATTRIBUTES = new Set([
  ...['abbr', 'align', 'alt', 'bgcolor', 'border', 'cellpadding', 'cellspacing', 'class', 'color'],
  ...['colspan', 'dir', 'face', 'height', 'hidden', 'hspace', 'id', 'lang', 'noshade', 'nowrap'],
  ...['reversed', 'rowspan', 'rules', 'scope', 'size', 'span', 'start', 'summary', 'title'],
  ...['valign', 'value', 'vspace', 'width']
])
/** Attributes with the URL of an image. */
const IMAGE_ATTRIBUTES = new Set(['src', 'srcset', 'background', 'poster'])
const LINK = /^\s*(?:https?:\/\/|mailto:|tel:)/i
const COLOUR = /^#?\w{1,30}$/

export interface SafeHtml {
  readonly html: string
  /** Images of other hosts that were removed. */
  readonly remoteImages: number
}

/**
 * Markup of a message without scripts, forms and anything that a browser would load. It is written
 * anew from known tags and attributes. `imageOf` has the data URLs of the images of the message.
 */
export function safeHtml(source: string, imageOf: (id: string) => string | undefined): SafeHtml {
  const writer = new Writer(imageOf)
  for (const token of tokenizeHtml(source)) writer.add(token)
  return writer
}

class Writer {
  html = ''
  remoteImages = 0
  readonly #imageOf: (id: string) => string | undefined

  constructor(imageOf: (id: string) => string | undefined) {
    this.#imageOf = imageOf
  }

  add(token: HtmlToken): void {
    if (token.type === 'text') this.html += token.text.replace(/[<>]/g, escapeCharacter)
    else if (token.type === 'raw') this.#addRaw(token)
    else if (token.type === 'open' && token.name === 'body') this.#addBody(token.attributes)
    else if (!TAGS.has(token.name)) this.#count(token)
    else if (token.type === 'close') this.html += `</${token.name}>`
    else this.html += `<${token.name}${this.#attributesOf(token)}>`
  }

  #addRaw({ name, text }: { name: string; text: string }): void {
    if (name === 'style') this.html += `<style>${this.#style(text)}</style>`
  }

  /** The message is shown in a page that has its own `body`. */
  #addBody({ bgcolor = '', style = '', background = '' }: Readonly<Record<string, string>>): void {
    if (isRemote(background)) this.remoteImages += 1
    const colour = COLOUR.test(bgcolor) ? `background-color:${bgcolor};` : ''
    this.html += `<div${styleAttribute(colour + this.#style(decodeReferences(style)))}>`
  }

  /** Images of tags that are dropped. */
  #count(token: HtmlToken): void {
    if (token.type !== 'open') return
    const urls = Object.entries(token.attributes).filter(([name]) => IMAGE_ATTRIBUTES.has(name))
    if (urls.some(([, url]) => isRemote(url))) this.remoteImages += 1
  }

  #attributesOf({
    name,
    attributes
  }: {
    name: string
    attributes: Record<string, string>
  }): string {
    let written = ''
    let isBlocked = false
    for (const [key, value] of Object.entries(attributes)) {
      if (ATTRIBUTES.has(key)) written += attribute(key, value)
      else if (key === 'style') written += styleAttribute(this.#style(decodeReferences(value)))
      else if (key === 'href' && name === 'a') written += linkAttributes(value)
      else if (IMAGE_ATTRIBUTES.has(key)) {
        const image = this.#image(value)
        if (image !== undefined && key === 'src') written += attribute('src', image)
        isBlocked ||= isRemote(value)
      }
    }
    if (isBlocked) this.remoteImages += 1
    return written
  }

  #image(url: string): string | undefined {
    const trimmed = url.trim()
    if (/^cid:/i.test(trimmed)) return this.#imageOf(trimmed.slice(4))
    return isDataImage(trimmed) ? trimmed : undefined
  }

  #style(source: string): string {
    const { css, remote } = safeStyle(source, this.#imageOf)
    this.remoteImages += remote
    return css
  }
}

/** The check is of the URL as written, so a reference cannot hide another scheme. */
function linkAttributes(url: string): string {
  if (url.startsWith('#')) return attribute('href', url)
  if (!LINK.test(url)) return ''
  return `${attribute('href', url)} target="_blank" rel="noopener noreferrer"`
}

/** References in the value stay as they are. */
function attribute(name: string, value: string): string {
  return ` ${name}="${value.replace(/["<>]/g, escapeCharacter)}"`
}

/** References could hide the name of a function, so the value has none. */
function styleAttribute(css: string): string {
  return css === '' ? '' : attribute('style', css.replaceAll('&', '&amp;'))
}

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeCharacter(character: string): string {
  return ESCAPES[character] ?? character
}
