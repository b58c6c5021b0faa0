/** A part of HTML as it is written; references such as `&amp;` are not decoded. */
export type HtmlToken =
  | { type: 'text'; text: string }
  | { type: 'open'; name: string; attributes: Readonly<Record<string, string>> }
  | { type: 'close'; name: string }
  /** An element whose content is not markup, such as `style`. */
  | { type: 'raw'; name: string; text: string }

const RAW_ELEMENTS = new Set([
  ...['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes']
])
const TAG_START = /<(\/?)([a-z][^\s/>]*)/iy
const SPACE = /[\s/]*/y
const ATTRIBUTE_NAME = /[^\s/>][^\s/>=]*/y
const EQUALS = /\s*=\s*/y
const UNQUOTED = /[^\s>]*/y

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }
}

/** The tags and texts of HTML, in linear time. What is not a complete tag is text. */
export function* tokenizeHtml(html: string): Generator<HtmlToken> {
  let position = 0
  let textStart = 0
  while (position < html.length) {
    const next = html.indexOf('<', position)
    if (next === -1) break
    const found = markupAt(html, next)
    // A tag or comment that does not end has no other one after it.
    if (found === 'endless') break
    if (found === undefined) {
      position = next + 1
      continue
    }
    if (next > textStart) yield { type: 'text', text: html.slice(textStart, next) }
    if (found.token !== undefined) yield found.token
    position = found.end
    textStart = found.end
  }
  if (textStart < html.length) yield { type: 'text', text: html.slice(textStart) }
}

interface Markup {
  end: number
  /** Undefined for a comment or declaration. */
  token: HtmlToken | undefined
}

function markupAt(html: string, start: number): Markup | 'endless' | undefined {
  if (html.startsWith('<!--', start)) return skipTo(html, '-->', start)
  if (/[!?]/.test(html.charAt(start + 1))) return skipTo(html, '>', start)
  TAG_START.lastIndex = start
  const [whole, slash, name = ''] = TAG_START.exec(html) ?? []
  if (whole === undefined) return undefined
  const found = attributesAt(html, start + whole.length)
  if (found === undefined) return 'endless'
  const { end, values } = found
  const lower = name.toLowerCase()
  if (slash === '/') return { end, token: { type: 'close', name: lower } }
  if (RAW_ELEMENTS.has(lower)) return rawElement(html, lower, end)
  return { end, token: { type: 'open', name: lower, attributes: Object.fromEntries(values) } }
}

function skipTo(html: string, mark: string, start: number): Markup | 'endless' {
  const found = html.indexOf(mark, start)
  return found === -1 ? 'endless' : { end: found + mark.length, token: undefined }
}

interface Attributes {
  end: number
  values: ReadonlyMap<string, string>
}

/** Undefined if the tag does not end. */
function attributesAt(html: string, start: number): Attributes | undefined {
  const values = new Map<string, string>()
  let position = endOf(SPACE, html, start)
  while (position < html.length) {
    if (html[position] === '>') return { end: position + 1, values }
    const nameEnd = endOf(ATTRIBUTE_NAME, html, position)
    const name = html.slice(position, nameEnd).toLowerCase()
    const value = valueAt(html, nameEnd)
    if (value === undefined) return undefined
    // The first of several attributes of one name counts.
    if (!values.has(name)) values.set(name, value.text)
    position = endOf(SPACE, html, value.end)
  }
  return undefined
}

/** Undefined if its quotes do not end. */
function valueAt(html: string, nameEnd: number): { end: number; text: string } | undefined {
  const start = endOf(EQUALS, html, nameEnd)
  if (start === nameEnd) return { end: nameEnd, text: '' }
  const quote = html.charAt(start)
  if (quote !== '"' && quote !== "'") {
    const end = endOf(UNQUOTED, html, start)
    return { end, text: html.slice(start, end) }
  }
  const end = html.indexOf(quote, start + 1)
  return end === -1 ? undefined : { end: end + 1, text: html.slice(start + 1, end) }
}

function endOf(pattern: RegExp, html: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(html) ? pattern.lastIndex : start
}

function rawElement(html: string, name: string, start: number): Markup {
  const close = new RegExp(`</${name}[\\s/>]`, 'gi')
  close.lastIndex = start
  const found = close.exec(html)
  const textEnd = found?.index ?? html.length
  const tagEnd = found === null ? -1 : html.indexOf('>', found.index)
  return {
    end: tagEnd === -1 ? html.length : tagEnd + 1,
    token: { type: 'raw', name, text: html.slice(start, textEnd) }
  }
}

/** Numeric references and the few names that XML has; others stay as they are. */
export function decodeReferences(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, ...found) => {
    const [decimal, hexadecimal, name] = found as (string | undefined)[]
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : '\ufffd'
  })
}
