import { decodeReferences, type HtmlToken, tokenizeHtml } from '../../../../kernel/html-tokens.ts'
import { containedStyle } from './contained-style.ts'
import { MAX_IMAGE_CHARACTERS } from './message-images.ts'
import {
  attribute,
  escapeText,
  idAttribute,
  linkAttributes,
  styleAttribute
} from './safe-attributes.ts'
import { isDataImage, isRemote, safeStyle } from './safe-style.ts'
import { ATTRIBUTES, IMAGE_ATTRIBUTES, TAGS } from './vocabulary.ts'

const COLOUR = /^#?\w{1,30}$/

export interface SafeHtml {
  readonly html: string
  /** Images of other hosts. */
  readonly remoteImages: number
}

export interface SafeHtmlOptions {
  /** URLs of the images of the message, by their Content-IDs as written. */
  readonly imageOf: (id: string) => string | undefined
  /**
   * The markup becomes a part of a page: it has no style sheets and no classes, its ids have a
   * prefix, and its elements cannot cover others.
   */
  readonly isFragment?: boolean
  /** Images of other hosts are removed unless they are kept; `mark`: with their URL as data. */
  readonly remoteImages?: 'remove' | 'mark' | 'keep'
}

/**
 * Markup of a message without scripts, forms and anything that a browser would load. It is written
 * anew from known tags and attributes. `imageOf` has the data URLs of the images of the message.
 */
export function safeHtml(source: string, imageOf: SafeHtmlOptions['imageOf']): SafeHtml {
  const writer = new SafeHtmlWriter({ imageOf })
  for (const token of tokenizeHtml(source)) writer.add(token)
  return writer
}

export class SafeHtmlWriter implements SafeHtml {
  html = ''
  remoteImages = 0
  #imageCharacters = 0
  readonly #options: SafeHtmlOptions

  constructor(options: SafeHtmlOptions) {
    this.#options = options
  }

  add(token: HtmlToken): void {
    const { isFragment = false } = this.#options
    if (token.type === 'text') this.html += escapeText(token.text)
    else if (token.type === 'raw') this.#addRaw(token)
    else if (token.type === 'open' && token.name === 'body') this.#addBody(token.attributes)
    else if (isFragment && token.type === 'close' && token.name === 'body') this.html += '</div>'
    else if (!TAGS.has(token.name)) this.#count(token)
    else if (token.type === 'close') this.html += `</${token.name}>`
    else this.html += `<${token.name}${this.#attributesOf(token)}>`
  }

  #addRaw({ name, text }: { name: string; text: string }): void {
    if (name !== 'style') return
    const css = this.#style(text)
    if (this.#options.isFragment !== true) this.html += `<style>${css}</style>`
  }

  /** The message is shown in a page that has its own `body`. */
  #addBody({ bgcolor = '', style = '', background = '' }: Readonly<Record<string, string>>): void {
    if (isRemote(background)) this.remoteImages += 1
    const colour = COLOUR.test(bgcolor) ? `background-color:${bgcolor};` : ''
    this.html += `<div${this.#styleAttribute(colour + decodeReferences(style))}>`
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
    attributes: Readonly<Record<string, string>>
  }): string {
    const { isFragment = false } = this.#options
    let written = ''
    let hasRemote = false
    for (const [key, value] of Object.entries(attributes)) {
      if (key === 'style') written += this.#styleAttribute(decodeReferences(value))
      else if (key === 'href' && name === 'a') written += linkAttributes(value, isFragment)
      else if (IMAGE_ATTRIBUTES.has(key)) {
        if (key === 'src' && name === 'img') written += this.#source(value)
        hasRemote ||= isRemote(value)
      } else if (isFragment && key === 'class') continue
      else if (isFragment && key === 'id') written += idAttribute(value)
      else if (ATTRIBUTES.has(key)) written += attribute(key, value)
    }
    if (hasRemote) this.remoteImages += 1
    return written
  }

  #source(url: string): string {
    const trimmed = url.trim()
    if (/^cid:/i.test(trimmed)) {
      const image = this.#imageOf(trimmed.slice(4))
      return image === undefined ? '' : attribute('src', image)
    }
    if (isDataImage(trimmed)) return attribute('src', trimmed)
    const { remoteImages = 'remove' } = this.#options
    if (remoteImages === 'remove' || !isRemote(trimmed)) return ''
    const absolute = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed
    if (remoteImages === 'mark') return attribute('data-remote-src', absolute)
    return `${attribute('src', absolute)} referrerpolicy="no-referrer"`
  }

  #imageOf(id: string): string | undefined {
    const image = this.#options.imageOf(id)
    this.#imageCharacters += image?.length ?? 0
    return this.#imageCharacters <= MAX_IMAGE_CHARACTERS ? image : undefined
  }

  #styleAttribute(source: string): string {
    const css = this.#style(source)
    return styleAttribute(this.#options.isFragment === true ? containedStyle(css) : css)
  }

  #style(source: string): string {
    const keepsRemote = this.#options.remoteImages === 'keep'
    const { css, remote } = safeStyle(source, (id) => this.#imageOf(id), keepsRemote)
    this.remoteImages += remote
    return css
  }
}
