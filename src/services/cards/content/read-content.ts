import type { Engine } from '../../../kernel/database/database.ts'
import { placeholders } from '../../../kernel/database/groups.ts'
import type { Transaction } from '../../../kernel/database/transaction.ts'
import { matchingDocuments } from '../../../kernel/search/find-documents.ts'
import { parseQuery } from '../../../kernel/search/parse-query.ts'
import { SearchSyntaxError } from '../../../kernel/search/query.ts'
import { ContentInvalid } from '../contract.ts'
import type { CardParts } from '../records/card-parts.ts'
import type { Viewer } from '../records/viewer.ts'
import { type BoardParts, countContent, type PageRequest, readPage } from '../store/content.ts'
import { contentOrder } from '../store/content-order.ts'
import { SEARCH_TABLE } from '../store/migrations.ts'
import { readCards } from '../store/read-cards.ts'
import type { BoardRow } from '../store/rows.ts'
import { BOARD_LABEL } from '../store/search-document.ts'
import type { Condition } from '../store/visible.ts'
import { type ContentQuery, queryKey } from './content-query.ts'
import { readCursor, writeCursor } from './cursor.ts'

/** A page of cards, in the order that was asked for. */
export interface ContentPage {
  readonly cards: readonly CardParts[]
  /** Cursor of the next page. */
  readonly next: string | null
  /** On all pages. */
  readonly total: number
}

const INCLUDE = { labels: true, items: true, attachments: true }
const NOTHING: ContentPage = { cards: [], next: null, total: 0 }

/** Takes the same number of statements for any number of cards. */
export function* readContentPage(
  engine: Engine,
  viewer: Viewer,
  board: BoardRow,
  parts: BoardParts,
  query: ContentQuery
): Transaction<ContentPage> {
  const conditions = conditionsOf(engine, board, parts, query)
  const key = queryKey(query)
  const order = contentOrder(engine, query.sort, board.completed_field)
  const after =
    query.cursor === undefined ? undefined : readCursor(query.cursor, key, order.example)
  if (conditions === undefined) return NOTHING
  const request: PageRequest = { board: board.id, conditions, order, after, limit: query.limit }
  const entries = yield* readPage(viewer, request)
  const page = entries.slice(0, query.limit)
  const isWhole = after === undefined && page.length === entries.length
  const total = isWhole ? page.length : yield* countContent(viewer, request)
  const last = page.at(-1)
  const cards = yield* readInOrder(
    viewer,
    page.map(({ id }) => id)
  )
  const hasNext = last !== undefined && entries.length > page.length
  return { cards, next: hasNext ? writeCursor(key, last.position) : null, total }
}

/** Cards that are removed meanwhile are left out. */
export function* readInOrder(
  viewer: Viewer,
  ids: readonly string[]
): Transaction<readonly CardParts[]> {
  if (ids.length === 0) return []
  const found = yield* readCards(viewer, { cards: ids, limit: ids.length }, INCLUDE)
  const byId = new Map(found.map((parts) => [parts.card.id, parts]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Undefined if no card can meet them: unknown lists and labels are like empty ones. */
function conditionsOf(
  engine: Engine,
  board: BoardRow,
  { lists, labels }: BoardParts,
  query: ContentQuery
): Condition[] | undefined {
  const conditions: Condition[] = []
  if (query.list !== undefined) {
    const ids = idsOf(lists, query.list)
    if (ids.length === 0) return undefined
    conditions.push({ sql: `c.list in (${placeholders(ids.length)})`, args: ids })
  }
  for (const label of query.labels) {
    const ids = idsOf(labels, label)
    if (ids.length === 0) return undefined
    const marks = placeholders(ids.length)
    conditions.push({
      sql: `c.id in (select cl.card from card_labels cl where cl.label in (${marks}))`,
      args: ids
    })
  }
  if (query.search !== undefined) conditions.push(searchCondition(engine, board.id, query.search))
  return conditions
}

function idsOf(rows: readonly { id: string; name: string }[], idOrName: string): string[] {
  const wanted = idOrName.toLowerCase()
  return rows
    .filter(({ id, name }) => id === wanted || name.toLowerCase() === wanted)
    .map(({ id }) => id)
}

function searchCondition(engine: Engine, board: string, text: string): Condition {
  const { required, ...query } = parseSearch(text)
  const onBoard = { kind: 'label', name: BOARD_LABEL, value: board } as const
  const all = { ...query, required: [...required, onBoard] }
  return matchingDocuments(engine, SEARCH_TABLE, all, 'c.sort_key')
}

function parseSearch(text: string): ReturnType<typeof parseQuery> {
  try {
    return parseQuery(text, {})
  } catch (error) {
    if (error instanceof SearchSyntaxError) throw new ContentInvalid(`q: ${error.message}`)
    throw error
  }
}
