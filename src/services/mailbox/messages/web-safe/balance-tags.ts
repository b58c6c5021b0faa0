import type { HtmlToken } from '../../../../kernel/html-tokens.ts'
import { TAGS, VOID_TAGS } from './vocabulary.ts'

/** Browsers stop at 512; deeper elements lose their tags. */
const MAX_DEPTH = 200

const CELLS = new Set(['td', 'th', 'caption'])
const TABLE_EDGES = new Set([...CELLS, 'table'])
const LISTS = new Set([...TABLE_EDGES, 'ul', 'ol'])
const DEFINITIONS = new Set([...TABLE_EDGES, 'dl'])
const TABLE = new Set(['table'])
const ROW_GROUPS = new Set(['thead', 'tbody', 'tfoot', 'colgroup', 'caption'])
const TABLE_PARTS = new Set([...ROW_GROUPS, 'tr', 'td', 'th'])
const BLOCKS = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'center', 'dd', 'div', 'dl', 'dt', 'figcaption'],
  ...['figure', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hr', 'li', 'main', 'nav'],
  ...['ol', 'p', 'pre', 'section', 'table', 'ul']
])

/** Elements that end where another one begins, and those that they end within. */
interface ImpliedEnd {
  readonly ends: ReadonlySet<string>
  readonly within: ReadonlySet<string>
}

const PARAGRAPH: ImpliedEnd = { ends: new Set(['p']), within: TABLE_EDGES }
const IMPLIED: Readonly<Record<string, ImpliedEnd>> = {
  a: { ends: new Set(['a']), within: TABLE_EDGES },
  li: { ends: new Set(['li']), within: LISTS },
  dt: { ends: new Set(['dt', 'dd']), within: DEFINITIONS },
  dd: { ends: new Set(['dt', 'dd']), within: DEFINITIONS },
  td: { ends: CELLS, within: TABLE },
  th: { ends: CELLS, within: TABLE },
  tr: { ends: new Set([...CELLS, 'tr']), within: TABLE },
  ...Object.fromEntries([...ROW_GROUPS].map((name) => [name, { ends: TABLE_PARTS, within: TABLE }]))
}

/**
 * Tokens in which every tag has its end, so that markup around them stays as it is. Elements end
 * where a browser ends them in most cases; closing tags of elements that are not open are left out.
 */
export function* balanceTags(tokens: Iterable<HtmlToken>): Generator<HtmlToken> {
  const open = new OpenTags()
  let tooDeep = 0
  for (const token of tokens) {
    if (token.type === 'text' || token.type === 'raw') yield token
    else if (token.type === 'close') {
      if (!isPaired(token.name)) continue
      if (tooDeep > 0) tooDeep -= 1
      else yield* open.closeFrom(open.closedBy(token.name))
    } else if (!isPaired(token.name)) yield token
    else if (token.name !== 'body' || !open.has('body')) {
      yield* open.closeFrom(open.endedBy(token.name))
      if (open.depth < MAX_DEPTH) {
        open.push(token.name)
        yield token
      } else tooDeep += 1
    }
  }
  yield* open.closeFrom(0)
}

/** Tags that are balanced. */
export function isPaired(name: string): boolean {
  return name === 'body' || (TAGS.has(name) && !VOID_TAGS.has(name))
}

class OpenTags {
  readonly #names: string[] = []
  /** Most searches are for tags that are not open. */
  readonly #counts = new Map<string, number>()

  get depth(): number {
    return this.#names.length
  }

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0
  }

  push(name: string): void {
    this.#names.push(name)
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  *closeFrom(index: number): Generator<HtmlToken> {
    while (this.#names.length > index) {
      const name = this.#names.pop() ?? ''
      this.#counts.set(name, (this.#counts.get(name) ?? 1) - 1)
      yield { type: 'close', name }
    }
  }

  /** Position of the tag that a closing tag ends; those in a cell end nothing outside of it. */
  closedBy(name: string): number {
    if (!this.has(name)) return this.depth
    const edges = TABLE_PARTS.has(name) || name === 'table' ? TABLE : TABLE_EDGES
    for (let index = this.depth - 1; index >= 0; index -= 1) {
      const one = this.#names[index] ?? ''
      if (one === name) return index
      if (edges.has(one)) break
    }
    return this.depth
  }

  /** Position of the outermost tag that ends where this one begins. */
  endedBy(name: string): number {
    const paragraph = BLOCKS.has(name) ? this.#implied(PARAGRAPH) : this.depth
    const rule = IMPLIED[name]
    return rule === undefined ? paragraph : Math.min(paragraph, this.#implied(rule))
  }

  #implied({ ends, within }: ImpliedEnd): number {
    let first = this.depth
    if (![...ends].some((name) => this.has(name))) return first
    for (let index = this.depth - 1; index >= 0; index -= 1) {
      const one = this.#names[index] ?? ''
      if (ends.has(one)) first = index
      if (within.has(one)) break
    }
    return first
  }
}
