export interface FoundUrl {
  /** Positions in UTF-16 units. */
  start: number
  end: number
  href: string
}

/** After these a word is a part of something else, such as an email address. */
const GLUED = /[A-Za-z0-9@＠$#＃\u202a-\u202e]/
/** Before a domain without a scheme. */
const GLUED_DOMAIN = /[A-Za-z0-9@＠$#＃\u202a-\u202e_./-]/
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}_-]{0,61}[\\p{L}\\p{N}\\p{M}])?'
const ASCII_LABEL = '[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?'
const WITH_SCHEME = new RegExp(`https?://((?:${LABEL}\\.){1,10})`, 'giu')
const DOMAIN = new RegExp(`(?:${ASCII_LABEL}\\.){1,10}`, 'gi')
const TOP_LEVEL = /(?:xn--[a-z0-9]{1,59}|[a-z]{2,63})(?![0-9a-z@＠+_-])/iy
const PORT = /:\d{1,5}(?!\d)/y
/** Of a path or query, which X limits to Latin and Cyrillic letters. */
const REST = /[A-Za-z0-9\u00c0-\u024f\u0400-\u04ff!*';:=+,.$%#[\]\-_~@|&/?()]/
const LAST_OF_REST = /[A-Za-z0-9\u00c0-\u024f\u0400-\u04ff=_#/+\-&)]/

const NOT_ASCII = new RegExp(
  `(?:${[
    ...['рф', 'рус', 'бел', 'укр', 'срб', 'онлайн', 'сайт', 'москва', 'ελ', 'ไทย', 'भारत'],
    ...['中国', '中國', '香港', '台灣', '台湾', '新加坡', '公司', '网络', '网址', '商店'],
    ...['みんな', 'コム', '한국']
  ].join('|')})`,
  'iuy'
)

/** Domains of these are links without a scheme. */
const BARE = words(
  'com org net edu gov mil int info biz pro dev app io ai co tv fm gg ly xyz online site blog shop',
  'store tech cloud wiki news art design uk de fr jp eu ca au ch nl es se dk fi br ru cn kr mx nz ie',
  'pt gr cz hu ro bg hr sk si lt lv ee il tr za ar cl tw hk sg th vn ph'
)
/** Also words of English, which follow a full stop if a space is missing: only with a path. */
const BARE_WITH_PATH = words('am at be id in is it me my name no page so to us')

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '))
}

/** URLs with a scheme, and domains with a known end. A domain in a path is found too. */
export function findUrls(text: string): FoundUrl[] {
  return [...withScheme(text), ...bareDomains(text)]
}

function withScheme(text: string): FoundUrl[] {
  const found: FoundUrl[] = []
  for (const match of text.matchAll(WITH_SCHEME)) {
    const { index: start } = match
    if (GLUED.test(text.charAt(start - 1))) continue
    const { 0: all, 1: labels = '' } = match
    const end = hostEnd(text, start + all.length - labels.length, labels, () => true)
    if (end !== undefined) add(found, text, start, end, '')
  }
  return found
}

/** The longest host that ends with an accepted top-level domain. */
function hostEnd(
  text: string,
  start: number,
  labels: string,
  isAccepted: (label: string, end: number) => boolean
): number | undefined {
  let dot = start + labels.length
  for (;;) {
    const end = topLevelEnd(text, dot)
    if (end !== undefined && isAccepted(text.slice(dot, end).toLowerCase(), end)) return end
    const before = text.lastIndexOf('.', dot - 2)
    if (before < start) return undefined
    dot = before + 1
  }
}

function topLevelEnd(text: string, at: number): number | undefined {
  for (const pattern of [TOP_LEVEL, NOT_ASCII]) {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) return at + found.length
  }
  return undefined
}

function bareDomains(text: string): FoundUrl[] {
  const found: FoundUrl[] = []
  const isAccepted = (label: string, end: number) =>
    BARE.has(label) || (text.charAt(end) === '/' && BARE_WITH_PATH.has(label))
  for (const { 0: labels, index: start } of text.matchAll(DOMAIN)) {
    if (GLUED_DOMAIN.test(text.charAt(start - 1))) continue
    const end = hostEnd(text, start, labels, isAccepted)
    if (end !== undefined) add(found, text, start, end, 'https://')
  }
  return found
}

function add(found: FoundUrl[], text: string, start: number, host: number, scheme: string): void {
  PORT.lastIndex = host
  const [port = ''] = PORT.exec(text) ?? []
  const end = restEnd(text, host + port.length)
  const url = scheme + text.slice(start, end)
  if (URL.canParse(url)) found.push({ start, end, href: new URL(url).href })
}

/** A path or query without punctuation at its end; parentheses belong to it in pairs only. */
function restEnd(text: string, start: number): number {
  if (!/[/?]/.test(text.charAt(start))) return start
  const open: number[] = []
  let end = start
  for (; end < text.length && REST.test(text.charAt(end)); end++) {
    if (text.charAt(end) === '(') open.push(end)
    else if (text.charAt(end) === ')' && open.pop() === undefined) break
  }
  end = open[0] ?? end
  while (end > start && !LAST_OF_REST.test(text.charAt(end - 1))) end--
  return end
}
