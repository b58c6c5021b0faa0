import type { Cache } from '../../../kernel/cache.ts'
import type { CardContext } from '../context.ts'
import { JSON_TYPE, ObjectUnknown } from '../contract.ts'
import { WrittenJson, writeJson } from '../http/write-json.ts'
import { seesPublishedOnly, type Viewer } from '../records/viewer.ts'
import {
  type BoardParts,
  countByList,
  findContentBoard,
  findContentCard,
  readBoardParts,
  readContentBoards
} from '../store/content.ts'
import type { BoardRow } from '../store/rows.ts'
import { boardFacts } from './board-facts.ts'
import type { CardView, ContentCard } from './content-card.ts'
import { type ContentQuery, DEFAULT_QUERY } from './content-query.ts'
import type { Description } from './description.ts'
import type { CardFeed } from './feed.ts'
import type { ReadName, ReadPlan } from './plan.ts'
import { readContentPage, readInOrder } from './read-content.ts'
import { renderCards } from './render-cards.ts'

const MAX_FEED_CARDS = 50

export interface ReadRequest {
  readonly viewer: Viewer
  readonly baseUrl: string
  readonly plan: ReadPlan
  /** Of a preview. */
  readonly imageToken: string | undefined
}

/** A body, or the slug that the card has instead of the one in the path. */
export type Content =
  | { readonly kind: 'body'; readonly type: string; readonly body: string | Buffer }
  | { readonly kind: 'moved'; readonly slug: string }

export interface Renderer {
  readonly context: CardContext
  readonly descriptions: Cache<Description>
}

type Read = (renderer: Renderer, request: ReadRequest) => Promise<Content>

export const READS: Readonly<Record<ReadName, Read>> = {
  boards: readBoards,
  board: readBoard,
  cards: readCardList,
  card: readOneCard,
  feedXml: (renderer, request) => readFeed(renderer, request, 'rss'),
  feedJson: (renderer, request) => readFeed(renderer, request, 'json'),
  openapi: readOpenapi
}

function json(value: unknown): Content {
  return { kind: 'body', type: JSON_TYPE, body: JSON.stringify(value) }
}

async function readBoards({ context }: Renderer, request: ReadRequest): Promise<Content> {
  const boards = await context.store.read(() => readContentBoards(request.viewer))
  return json({
    boards: boards.map(({ slug, name }) => ({
      slug,
      name,
      url: `${request.baseUrl}/content/${encodeURIComponent(slug)}`
    }))
  })
}

async function readBoard({ context }: Renderer, request: ReadRequest): Promise<Content> {
  const { viewer, plan } = request
  const facts = await context.store.read(function* () {
    const board = yield* findContentBoard(viewer, plan.board)
    const parts = yield* readBoardParts(viewer, board.id)
    return { board, parts, counts: yield* countByList(viewer, board.id) }
  })
  return json(boardFacts({ ...facts, viewer, baseUrl: request.baseUrl }))
}

async function readCardList(renderer: Renderer, request: ReadRequest): Promise<Content> {
  const query = request.plan.query ?? DEFAULT_QUERY
  const { cards, next, total } = await readList(
    renderer,
    request,
    query,
    (card) => new WrittenJson(Buffer.from(JSON.stringify(card)))
  )
  return { kind: 'body', type: JSON_TYPE, body: await writeJson({ cards, next, total }) }
}

interface RenderedList<T> {
  board: BoardRow
  cards: T[]
  next: string | null
  total: number
}

async function readList<T>(
  { context: { store }, descriptions }: Renderer,
  request: ReadRequest,
  query: ContentQuery,
  use: (card: ContentCard) => T
): Promise<RenderedList<T>> {
  const { viewer, plan } = request
  const { board, parts, page } = await store.read(function* () {
    const found = yield* findContentBoard(viewer, plan.board)
    const shared = yield* readBoardParts(viewer, found.id)
    const cards = yield* readContentPage(store.engine, viewer, found, shared, query)
    return { board: found, parts: shared, page: cards }
  })
  const view = viewOf(board, parts, request)
  const cards = await renderCards(page.cards, view, descriptions, use)
  return { board, cards, next: page.next, total: page.total }
}

function viewOf(
  board: BoardRow,
  { lists, fields, options }: BoardParts,
  { viewer, baseUrl, imageToken }: ReadRequest
): CardView {
  return {
    board,
    lists: new Map(lists.map((list) => [list.id, list])),
    fields: { fields, options: new Map(options.map((option) => [option.id, option])) },
    baseUrl,
    showsDrafts: !seesPublishedOnly(viewer),
    imageToken
  }
}

async function readOneCard(renderer: Renderer, request: ReadRequest): Promise<Content> {
  const { viewer, plan } = request
  const { board, parts, card, cards } = await renderer.context.store.read(function* () {
    const of = yield* findContentBoard(viewer, plan.board)
    const found = yield* findContentCard(viewer, of.id, plan.card)
    if (found === undefined) throw new ObjectUnknown()
    const shared = yield* readBoardParts(viewer, of.id)
    return { board: of, parts: shared, card: found, cards: yield* readInOrder(viewer, [found.id]) }
  })
  if (card.slug !== null && plan.card !== card.slug && plan.card.toLowerCase() !== card.id) {
    return { kind: 'moved', slug: card.slug }
  }
  const view = viewOf(board, parts, request)
  const [content] = await renderCards(cards, view, renderer.descriptions, (one) => one)
  if (content === undefined) throw new ObjectUnknown()
  return json(content)
}

async function readFeed(
  renderer: Renderer,
  request: ReadRequest,
  format: 'rss' | 'json'
): Promise<Content> {
  const query = { ...DEFAULT_QUERY, sort: '-published', limit: MAX_FEED_CARDS } as const
  // A feed has the cards of the whole board.
  if (request.viewer.kind === 'preview' && request.viewer.card !== undefined) {
    throw new ObjectUnknown()
  }
  const { id } = await renderer.context.store.read(() =>
    findContentBoard(request.viewer, request.plan.board)
  )
  // Members and preview tokens get the feed of the public too, without drafts.
  const published = { ...request, viewer: { kind: 'publishable', board: id } } as const
  const { board, cards } = await readList(renderer, published, query, (card) => card)
  const { renderFeed } = await import('./feed.ts')
  const feed: CardFeed = {
    title: renderer.context.options.title ?? board.name,
    description: board.description,
    url: `${request.baseUrl}/content/${encodeURIComponent(request.plan.board)}`,
    cards
  }
  return { kind: 'body', ...renderFeed(feed, format) }
}

async function readOpenapi({ context }: Renderer, request: ReadRequest): Promise<Content> {
  const { viewer, plan } = request
  const { board, parts } = await context.store.read(function* () {
    const found = yield* findContentBoard(viewer, plan.board)
    return { board: found, parts: yield* readBoardParts(viewer, found.id) }
  })
  const { boardOpenapi } = await import('./openapi-content.ts')
  return json(boardOpenapi(request.baseUrl, plan.board, board, parts))
}
