import { createCache } from '../../../kernel/cache.ts'
import { type PresentedToken, tokenSqlWith } from '../../../kernel/credentials/table.ts'
import { placeholders } from '../../../kernel/database/groups.ts'
import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'
import type { Position } from '../content/cursor.ts'
import { ObjectUnknown } from '../contract.ts'
import { isObjectId, isShortLink } from '../records/ids.ts'
import { seesPublishedOnly, type Viewer } from '../records/viewer.ts'
import { type ContentOrder, positionOf } from './content-order.ts'
import type { BoardRow, FieldRow, LabelRow, ListRow, OptionRow } from './rows.ts'
import { type Condition, visibleBoards, visibleCards, visibleLists } from './visible.ts'

/** Of all boards that a viewer sees. */
const MAX_BOARDS = 1_000

/** By the condition of the board, which has one form for each kind of name. */
const keySql = createCache<string>(3)

export interface Revision {
  id: string
  /** Of what the viewer sees. */
  revision: number
}

/** By id, short link or slug; of boards with the same slug the oldest. */
function namedBoard(viewer: Viewer, name: string): Condition {
  const visible = visibleBoards(viewer)
  if (isObjectId(name)) {
    return { sql: `b.id = ? and ${visible.sql}`, args: [name.toLowerCase(), ...visible.args] }
  }
  const named = isShortLink(name) ? '(b.slug = ? or b.short_link = ?)' : 'b.slug = ?'
  const names = isShortLink(name) ? [name, name] : [name]
  return { sql: `${visible.sql} and ${named}`, args: [...visible.args, ...names] }
}

/** One indexed read, which every request for content makes. */
export function* readContentRevision(
  viewer: Viewer,
  name: string
): Transaction<Revision | undefined> {
  const { sql, args } = namedBoard(viewer, name)
  const column = seesPublishedOnly(viewer) ? 'public_revision' : 'revision'
  const rows = yield* queryAutocommit<Revision>(
    `select b.id, b.${column} as revision from boards b where ${sql} order by b.id limit 1`,
    ...args
  )
  return rows[0]
}

/** A publishable key; `found` gets the revision of its board if a URL finds it by the name. */
export function* findKeyWithRevision(
  digest: string,
  { board, name }: { board: string; name: string },
  found: { revision?: Revision }
): Transaction<PresentedToken | undefined> {
  const { sql, args } = namedBoard({ kind: 'publishable', board }, name)
  const [key] = yield* queryAutocommit<PresentedToken & { revision: number | null }>(
    keySql.getOrCreate(sql, joinBoard),
    ...[...args, digest]
  )
  if (key !== undefined && key.revision !== null) {
    found.revision = { id: board, revision: key.revision }
  }
  return key
}

function joinBoard(condition: string): string {
  return tokenSqlWith('b.public_revision as revision', `boards b on ${condition}`)
}

export function* findContentBoard(viewer: Viewer, name: string): Transaction<BoardRow> {
  const { sql, args } = namedBoard(viewer, name)
  const [board] = yield* query<BoardRow>(
    `select b.* from boards b where ${sql} order by b.id limit 1`,
    ...args
  )
  if (board === undefined) throw new ObjectUnknown()
  return board
}

/** Open ones, oldest first. */
export function* readContentBoards(viewer: Viewer): Transaction<readonly BoardRow[]> {
  const { sql, args } = visibleBoards(viewer)
  return yield* query<BoardRow>(
    `select b.* from boards b where ${sql} and b.closed = 0 order by b.id limit ${MAX_BOARDS}`,
    ...args
  )
}

/** What the cards of a board refer to, each in its order. */
export interface BoardParts {
  lists: readonly ListRow[]
  labels: readonly LabelRow[]
  fields: readonly FieldRow[]
  options: readonly OptionRow[]
}

export function* readBoardParts(viewer: Viewer, board: string): Transaction<BoardParts> {
  const lists = visibleLists(viewer)
  return {
    lists: yield* query<ListRow>(
      `select l.* from lists l where l.board = ? and l.closed = 0 and ${lists.sql} order by l.pos, l.id`,
      ...[board, ...lists.args]
    ),
    labels: yield* query<LabelRow>('select * from labels where board = ? order by id', board),
    fields: yield* query<FieldRow>('select * from fields where board = ? order by pos, id', board),
    options: yield* query<OptionRow>(
      'select * from options where board = ? order by pos, id',
      board
    )
  }
}

/** Cards of the content of a board: open ones that are or may be published. */
export function contentCards(viewer: Viewer): Condition {
  const { sql, args } = visibleCards(viewer)
  const open = "c.closed = 0 and c.is_template = 0 and l.closed = 0 and l.role <> 'archive'"
  return { sql: `${sql} and ${open}`, args }
}

/** Cards of a board in an order of their own, after those of the page before. */
export interface PageRequest {
  board: string
  conditions: readonly Condition[]
  order: ContentOrder
  after: Position | undefined
  limit: number
}

function fromCards(
  viewer: Viewer,
  { board, conditions, order }: Omit<PageRequest, 'after' | 'limit'>
): Condition {
  const all = [
    { sql: 'c.board = ?', args: [board] },
    visibleBoards(viewer),
    contentCards(viewer),
    ...conditions
  ]
  return {
    sql: `from cards c join lists l on l.id = c.list join boards b on b.id = c.board ${order.join.sql}
      where ${all.map(({ sql }) => sql).join(' and ')}`,
    args: [...order.join.args, ...all.flatMap(({ args }) => args)]
  }
}

export interface PageEntry {
  id: string
  position: Position
}

/** One more than the limit, if there are more. */
export function* readPage(viewer: Viewer, request: PageRequest): Transaction<PageEntry[]> {
  const { order, after, limit } = request
  const from = fromCards(viewer, request)
  const columns = order.columns.map((column, index) => `${column} as s${index}`)
  const direction = order.isDescending ? 'desc' : 'asc'
  const compared = `(${order.columns.join(', ')}) ${order.isDescending ? '<' : '>'} (${placeholders(order.columns.length)})`
  const rows = yield* query<Record<string, string | number>>(
    `select c.id, ${columns.join(', ')} ${from.sql} ${after === undefined ? '' : `and ${compared}`}
     order by ${order.columns.map((column) => `${column} ${direction}`).join(', ')} limit ?`,
    ...[...from.args, ...(after ?? []), limit + 1]
  )
  return rows.map((row) => ({ id: String(row.id), position: positionOf(row, order) }))
}

export function* countContent(viewer: Viewer, request: PageRequest): Transaction<number> {
  const from = fromCards(viewer, request)
  const [row] = yield* query<{ cards: number }>(
    `select count(*) as cards ${from.sql}`,
    ...from.args
  )
  return row?.cards ?? 0
}

/** Cards that the viewer sees, by list. */
export function* countByList(viewer: Viewer, board: string): Transaction<Map<string, number>> {
  const cards = contentCards(viewer)
  const rows = yield* query<{ list: string; cards: number }>(
    `select c.list, count(*) as cards from cards c join lists l on l.id = c.list
     where c.board = ? and ${cards.sql} group by c.list`,
    ...[board, ...cards.args]
  )
  return new Map(rows.map(({ list, cards: count }) => [list, count]))
}

/** By id, or by its slug or a former one. */
export function* findContentCard(
  viewer: Viewer,
  board: string,
  idOrSlug: string
): Transaction<{ id: string; slug: string | null } | undefined> {
  const isId = isObjectId(idOrSlug)
  const [from, name] = isId
    ? ['cards c', 'c.id = ?']
    : ['slugs s join cards c on c.id = s.card', 's.slug = ? and s.board = c.board']
  const cards = contentCards(viewer)
  const [card] = yield* query<{ id: string; slug: string | null }>(
    `select c.id, c.slug from ${from} join lists l on l.id = c.list
     where ${name} and c.board = ? and ${cards.sql}`,
    ...[isId ? idOrSlug.toLowerCase() : idOrSlug, board, ...cards.args]
  )
  return card
}
