import MarkdownIt, { type StateCore, type Token } from 'markdown-it'
import { cutText } from './cut-text.ts'
import { html, type Markup } from './html.ts'
import { type CodeLanguage, codeBlock } from './page-parts.ts'

/** Longer texts are shown as they are. The slowest hostile texts take about 10 µs per character. */
export const MAX_MARKDOWN_LENGTH = 100_000
/** What is nested deeper is omitted (blocks) or shown as text (emphasis, links). */
const MAX_NESTING = 20
/** Table cells up to this length are not wrapped, because a line can also break after a hyphen. */
const MAX_SHORT_CELL = 20
const MAX_SHORT_CODE = 32
/** Tables repeat the heading before them as their label. */
const MAX_LABEL = 80

const LANGUAGES: ReadonlyMap<string, CodeLanguage> = new Map([
  ['json', 'json'],
  ['sh', 'shell'],
  ['shell', 'shell'],
  ['bash', 'shell'],
  ['console', 'shell'],
  ['js', 'script'],
  ['javascript', 'script'],
  ['ts', 'script'],
  ['typescript', 'script']
])

export interface MarkdownOptions {
  /** Put before the ids of headings, so that they differ from all other ids of the page. */
  idPrefix: string
  /** Ids, without prefix, of headings on other pages of the same text. */
  usedIds?: readonly string[]
  /** Whether links and images may have relative paths such as `../a.md`; false by default. */
  relativeLinks?: boolean
  /** The URL of a link or image, or the path of a file that has none. Gets allowed targets only. */
  resolveLink?: (target: string) => string | { path: string }
  /** Changes the text of code; the language is '' in a line of text. */
  changeCode?: (text: string, language: string) => string
  /** For other sites: no classes, roles and links to headings, which need the style of our pages. */
  plain?: boolean
}

export interface Heading {
  level: number
  /** Without prefix; the fragment that GitHub uses. */
  id: string
  text: string
  /** Number of the line in the source, from 0. */
  line: number
}

/** HTML that is safe for every text: no raw HTML, no styles, no URLs of other schemes. */
export function renderMarkdown(text: string, options: MarkdownOptions): Markup {
  if (text.length > MAX_MARKDOWN_LENGTH) {
    return options.plain === true ? html`<pre>${text}</pre>` : codeBlock(text)
  }
  return { markup: createParser(options).render(text) }
}

/** The text as `renderMarkdown` shows it, and its beginning, parsed once. */
export function renderArticle(
  text: string,
  options: MarkdownOptions
): { markup: string; firstParagraph: string } {
  if (text.length > MAX_MARKDOWN_LENGTH) {
    return { markup: renderMarkdown(text, options).markup, firstParagraph: '' }
  }
  const parser = createParser(options)
  const tokens = parser.parse(text, {})
  return {
    markup: parser.renderer.render(tokens, parser.options, {}),
    firstParagraph: firstParagraphOf(tokens)
  }
}

export interface Outline {
  headings: Heading[]
  /** Without markup. */
  firstParagraph: string
}

/** The headings of a text, with the ids that `renderMarkdown` gives them, and its beginning. */
export function outlineOf(text: string): Outline {
  if (text.length > MAX_MARKDOWN_LENGTH) return { headings: [], firstParagraph: '' }
  const tokens = createParser({ idPrefix: '', relativeLinks: true }).parse(text, {})
  return { headings: listHeadings(tokens), firstParagraph: firstParagraphOf(tokens) }
}

function firstParagraphOf(tokens: readonly Token[]): string {
  const start = tokens.findIndex(({ type, level }) => type === 'paragraph_open' && level === 0)
  return start === -1 ? '' : textOf(tokens[start + 1])
}

function createParser(options: MarkdownOptions): InstanceType<typeof MarkdownIt> {
  const parser = new MarkdownIt({ html: false, maxNesting: MAX_NESTING })
  parser.validateLink = (target) => isAllowedLink(target, options.relativeLinks === true)
  parser.core.ruler.push('page_markup', (state) => adaptTokens(state, options))
  if (options.plain !== true) addPageRules(parser)
  return parser
}

function addPageRules({ renderer: { rules } }: InstanceType<typeof MarkdownIt>): void {
  const renderCode = (tokens: Token[], index: number) => renderBlock(tokens[index])
  rules.fence = renderCode
  rules.code_block = renderCode
  rules.table_open = (tokens, index) =>
    html`<div class="wide" tabindex="0" role="group" aria-label="${labelOf(tokens[index])}"><table>`
      .markup
  rules.table_close = () => '</table></div>\n'
  rules.heading_close = renderHeadingEnd
}

const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const ALLOWED_SCHEMES = ['http', 'https', 'mailto', 'tel']

/** Browsers treat a backslash as a slash and skip control characters, so neither is allowed. */
function isAllowedLink(target: string, relativeLinks: boolean): boolean {
  if (/[\\\p{Cc}]/u.test(target) || target.startsWith('//')) return false
  const scheme = SCHEME.exec(target)?.[1]
  if (scheme !== undefined) return ALLOWED_SCHEMES.includes(scheme.toLowerCase())
  return relativeLinks || /^[/#]/.test(target)
}

/** Changes tokens between parsing and rendering. */
function adaptTokens({ tokens, Token: Created }: StateCore, options: MarkdownOptions): void {
  nameHeadings(tokens, options)
  const adaptInline = inlineAdapter(options, () => new Created('text', '', 0))
  let label = ''
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1]
    if (token.type === 'heading_open') label = cutText(textOf(next), MAX_LABEL)
    else if (token.type === 'table_open') token.meta = { label }
    else if (/^t[hd]_open$/.test(token.type)) {
      if (options.plain !== true) adaptCell(token, next)
    } else if (token.type === 'fence' || token.type === 'code_block') changeCode(token, options)
    else if (token.children !== null) token.children = adaptInline(token.children)
  }
}

/** The policy of pages allows no style attributes. */
function adaptCell(cell: Token, content: Token | undefined): void {
  const align = /right|center/.exec(String(cell.attrGet('style') ?? ''))?.[0]
  cell.attrs = null
  if (align !== undefined) cell.attrJoin('class', align)
  if (textOf(content).length <= MAX_SHORT_CELL) cell.attrJoin('class', 'fit')
}

function changeCode(
  token: Token,
  { changeCode: change }: Pick<MarkdownOptions, 'changeCode'>
): void {
  if (change !== undefined) token.content = change(token.content, languageOf(token))
}

/**
 * Links share their targets with reference definitions, so that a short text could have a long
 * result. When all targets together are as long as the longest text, further links are only text.
 */
function inlineAdapter(
  { idPrefix, resolveLink, ...options }: MarkdownOptions,
  createText: () => Token
): (children: readonly Token[]) => Token[] {
  let charactersLeft = MAX_MARKDOWN_LENGTH

  function resolve(token: Token, attribute: 'href' | 'src'): string | { path: string } {
    const target = String(token.attrGet(attribute) ?? '')
    charactersLeft -= target.length + String(token.attrGet('title') ?? '').length
    if (charactersLeft < 0 || target === '') return { path: '' }
    return resolveLink?.(target) ?? target
  }

  /** Path of the file that the current link leads to, if it has no URL. */
  let path: string | undefined

  function adaptLink(link: Token): Token | [] {
    const resolved = resolve(link, 'href')
    path = typeof resolved === 'string' ? undefined : resolved.path
    if (typeof resolved !== 'string') return []
    const href = resolved.startsWith('#') ? `#${idPrefix}${resolved.slice(1)}` : resolved
    link.attrSet('href', href)
    if (/^https?:/i.test(href)) link.attrSet('rel', 'nofollow noopener')
    return link
  }

  function adaptImage(image: Token): Token {
    const resolved = resolve(image, 'src')
    if (typeof resolved !== 'string') {
      return Object.assign(createText(), { content: image.content })
    }
    image.attrSet('src', resolved)
    return image
  }

  return (children) =>
    children.flatMap((child) => {
      if (child.type === 'code_inline') adaptCode(child, options)
      if (child.type === 'image') return adaptImage(child)
      if (child.type === 'link_open') return adaptLink(child)
      if (child.type !== 'link_close' || path === undefined) return child
      return describePath(path, createText)
    })
}

/** Short code is not wrapped, because a line can also break after a hyphen. */
function adaptCode(code: Token, options: Pick<MarkdownOptions, 'changeCode' | 'plain'>): void {
  changeCode(code, options)
  if (options.plain !== true && code.content.length > MAX_SHORT_CODE) code.attrJoin('class', 'long')
}

/** ` (path)` with the path as code. */
function describePath(path: string, createText: () => Token): Token[] {
  if (path === '') return []
  const [before, code, after] = [createText(), createText(), createText()]
  before.content = ' ('
  Object.assign(code, { type: 'code_inline', tag: 'code', content: path })
  after.content = ')'
  return [before, code, after]
}

function nameHeadings(
  tokens: readonly Token[],
  { idPrefix, usedIds }: Pick<MarkdownOptions, 'idPrefix' | 'usedIds'>
): void {
  const used = new Set(usedIds)
  const numbers = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const id = uniqueId(fragmentOf(textOf(tokens[index + 1])), used, numbers)
    token.attrSet('id', idPrefix + id)
  }
}

/** As on GitHub: lower case, hyphens for spaces, no punctuation. */
function fragmentOf(text: string): string {
  return text
    .toLowerCase()
    .trim()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

function uniqueId(wanted: string, used: Set<string>, numbers: Map<string, number>): string {
  let id = wanted
  while (used.has(id)) {
    const number = (numbers.get(wanted) ?? 0) + 1
    numbers.set(wanted, number)
    id = `${wanted}-${number}`
  }
  used.add(id)
  return id
}

function listHeadings(tokens: readonly Token[]): Heading[] {
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return []
    return {
      level: Number(token.tag.slice(1)),
      id: String(token.attrGet('id')),
      text: textOf(tokens[index + 1]),
      line: token.map?.[0] ?? 0
    }
  })
}

function textOf(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .map(({ type, content }) => (/break$/.test(type) ? ' ' : content))
    .join('')
}

function languageOf({ info }: Token): string {
  return info.trim().split(/\s/, 1)[0] ?? ''
}

function renderBlock(token: Token | undefined): string {
  if (token === undefined) return ''
  const language = LANGUAGES.get(languageOf(token).toLowerCase())
  return `${codeBlock(token.content.replace(/\n$/, ''), language).markup}\n`
}

function labelOf(table: Token | undefined): string {
  return table?.meta?.label ? `Table: ${table.meta.label}` : 'Table'
}

/** Headings below the first level have a link to themselves. */
function renderHeadingEnd(tokens: readonly Token[], index: number): string {
  const [open, text, close] = tokens.slice(index - 2, index + 1)
  if (close === undefined || close.tag === 'h1') return '</h1>\n'
  const link = html`<a class="anchor" href="#${String(open?.attrGet('id'))}" aria-label="Link to ${textOf(text)}">#</a>`
  return `${link.markup}</${close.tag}>\n`
}
