export type HtmlToken =
  | { type: 'text'; text: string }
  | { type: 'open'; name: string; attributes: Readonly<Record<string, string>> }
  | { type: 'close'; name: string }

const TAG = /<(\/?)([a-z][a-z0-9]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/giy
const ATTRIBUTE = /([a-z][a-z0-9-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }
}

/** The tags and texts of the HTML of a post. What is not a complete tag is text. */
export function* tokenize(html: string): Generator<HtmlToken> {
  let position = 0
  let text = ''
  while (position < html.length) {
    const next = html.indexOf('<', position)
    text += html.slice(position, next === -1 ? html.length : next)
    if (next === -1) break
    const tag = tagAt(html, next)
    position = next + (tag?.length ?? 1)
    if (tag === undefined) text += '<'
    else {
      if (text !== '') yield { type: 'text', text: decodeReferences(text) }
      text = ''
      if (tag.token !== undefined) yield tag.token
    }
  }
  if (text !== '') yield { type: 'text', text: decodeReferences(text) }
}

/** Undefined if there is no complete tag; a comment has no token. */
function tagAt(
  html: string,
  start: number
): { length: number; token: HtmlToken | undefined } | undefined {
  if (html.startsWith('<!--', start)) {
    const end = html.indexOf('-->', start)
    return end === -1 ? undefined : { length: end + 3 - start, token: undefined }
  }
  TAG.lastIndex = start
  const [whole, slash, name = '', rest = ''] = TAG.exec(html) ?? []
  if (whole === undefined) return undefined
  const lower = name.toLowerCase()
  const token: HtmlToken =
    slash === '/'
      ? { type: 'close', name: lower }
      : { type: 'open', name: lower, attributes: attributesOf(rest) }
  return { length: whole.length, token }
}

function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [
    name.toLowerCase(),
    decodeReferences(double ?? single ?? bare ?? '')
  ])
  return Object.fromEntries(pairs)
}

function decodeReferences(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, ...found) => {
    const [decimal, hexadecimal, name] = found as (string | undefined)[]
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : '\ufffd'
  })
}
