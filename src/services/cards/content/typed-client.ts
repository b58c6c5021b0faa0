import type { BoardParts } from '../store/content.ts'
import type { BoardRow, FieldType, OptionRow } from '../store/rows.ts'

const FIELD_TYPES: Readonly<Record<FieldType, string>> = {
  text: 'string | null',
  // Numbers that JSON would change are strings.
  number: 'number | string | null',
  checkbox: 'boolean',
  date: 'string | null',
  list: 'string | null'
}

/** A TypeScript module without dependencies: types of the board's cards, and a client. */
export function typedClient(board: BoardRow, parts: BoardParts, baseUrl: string): string {
  const labels = new Set(parts.labels.map(({ name }) => name))
  return `${comment(board)}
export type LabelName = ${unionOf([...labels])}

/** Custom fields of the board. */
export interface Fields {
${fieldLines(parts)}}

${TYPES}
const SERVICE_URL = ${JSON.stringify(baseUrl)}
const BOARD_PATH = ${JSON.stringify(`/content/${encodeURIComponent(board.slug)}`)}
${CLIENT}`
}

function comment({ name }: BoardRow): string {
  return `// Cards of the board ${JSON.stringify(name)}: written by \`nonet types cards\`.\n`
}

function fieldLines({ fields, options }: BoardParts): string {
  const lines = new Map<string, string>()
  for (const { id, name, type } of fields) {
    if (lines.has(name)) continue
    const texts = options.filter(({ field }) => field === id)
    lines.set(name, type === 'list' ? optionType(texts) : FIELD_TYPES[type])
  }
  return [...lines].map(([name, type]) => `  ${literal(name)}: ${type}\n`).join('')
}

function optionType(options: readonly OptionRow[]): string {
  if (options.length === 0) return FIELD_TYPES.list
  return `${unionOf([...new Set(options.map(({ text }) => text))])} | null`
}

function unionOf(texts: readonly string[]): string {
  return texts.length === 0 ? 'string' : texts.map(literal).join(' | ')
}

/** A string of TypeScript: JSON, without the two line ends that end no JSON. */
function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (end) =>
    end === '\u2028' ? '\\u2028' : '\\u2029'
  )
}

const TYPES = `export interface Image {
  id: string
  alt: string
  width: number
  height: number
  mimeType: string
  bytes: number
  url: string
  dominantColor: string | null
  srcset: { width: number; url: string; format: string }[]
}

export interface Card {
  id: string
  slug: string | null
  title: string
  /** Markdown. */
  description: string
  /** Safe HTML. */
  descriptionHtml: string
  excerpt: string
  images: Image[]
  /** Id of an image. */
  cover: string | null
  labels: { id: string; name: LabelName; color: string | null }[]
  /** A day such as 2024-05-01. */
  completedAt: string | null
  url: string | null
  fields: Fields
  list: { id: string; name: string }
  pos: number
  publishedAt: string | null
  /** When the card will be public; only for tokens that read drafts. */
  publishAt?: string | null
  updatedAt: string
  revision: number
}

export interface CardPage {
  cards: Card[]
  /** Cursor of the next page. */
  next: string | null
  total: number
}

export interface CardQuery {
  list?: string
  label?: LabelName | LabelName[]
  q?: string
  sort?:
    | 'pos'
    | 'completed'
    | '-completed'
    | 'name'
    | '-name'
    | 'published'
    | '-published'
    | 'updated'
    | '-updated'
  limit?: number
  cursor?: string
  lang?: string
}

export interface ClientOptions {
  /** URL of the service, without a slash at the end. */
  url?: string | undefined
  /** A publishable key \`pk_…\`, or another token. */
  token?: string | undefined
}
`

const CLIENT = `
/** Sends the ETag of the last response of a URL; an unchanged body is not sent again. */
export function createClient({ url = SERVICE_URL, token }: ClientOptions = {}) {
  const known = new Map<string, { etag: string; body: unknown }>()

  async function get<Body>(path: string): Promise<Body> {
    const last = known.get(path)
    const response = await fetch(url + BOARD_PATH + path, {
      headers: {
        ...(token !== undefined && { authorization: \`Bearer \${token}\` }),
        ...(last !== undefined && { 'if-none-match': last.etag })
      }
    })
    if (response.status === 304 && last !== undefined) return last.body as Body
    if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)
    const body: unknown = await response.json()
    const etag = response.headers.get('etag')
    if (etag !== null) known.set(path, { etag, body })
    return body as Body
  }

  function cards(query: CardQuery = {}): Promise<CardPage> {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      for (const one of [value].flat()) parameters.append(name, String(one))
    }
    const text = parameters.toString()
    return get(\`/cards\${text === '' ? '' : \`?\${text}\`}\`)
  }

  return {
    /** One page. */
    cards,
    /** All pages. */
    async allCards(query: Omit<CardQuery, 'cursor' | 'limit'> = {}): Promise<Card[]> {
      const all: Card[] = []
      let cursor: string | null = null
      do {
        const page: CardPage = await cards({ ...query, limit: 1000, ...(cursor && { cursor }) })
        all.push(...page.cards)
        cursor = page.next
      } while (cursor !== null)
      return all
    },
    /** By id or slug. */
    card: (idOrSlug: string): Promise<Card> => get(\`/cards/\${encodeURIComponent(idOrSlug)}\`)
  }
}
`
