import { placeholders } from '../../../kernel/database/groups.ts'
import type { SqlValue } from '../../../kernel/database/transaction.ts'
import { isShortLink } from '../records/ids.ts'
import type { Viewer } from '../records/viewer.ts'
import { requireId } from './find.ts'
import { type Condition, visibleBoards, visibleCards } from './visible.ts'

export const MAX_CARDS = 1_000

export type CardFilter = 'open' | 'closed' | 'all' | 'visible'

/** Of which cards are read, of those that the viewer may see. */
export interface CardSelection {
  /** By id or short link; without any of the three all cards of all boards. */
  board?: string | undefined
  list?: string | undefined
  /** By id or short link. */
  cards?: readonly string[] | undefined
  /** `visible`: open cards in open lists. All if undefined. */
  filter?: CardFilter | undefined
  /** The newest cards count; at most `MAX_CARDS`. */
  limit?: number | undefined
  /** Only cards created after and before these ids. */
  since?: string | undefined
  before?: string | undefined
  /** ISO 8601. */
  modifiedSince?: string | undefined
  /** On a card with its list `l`. */
  condition?: Condition | undefined
}

const FILTERS: Readonly<Record<CardFilter, string>> = {
  open: 'c.closed = 0',
  closed: 'c.closed = 1',
  all: '1 = 1',
  visible: 'c.closed = 0 and l.closed = 0'
}

/** `from … where … order by … limit ?` on `cards c`, `lists l` and `boards b`. */
export function selectedCards(viewer: Viewer, selection: CardSelection): Condition {
  const conditions = [
    visibleBoards(viewer),
    visibleCards(viewer),
    ...parentConditions(selection),
    ...rangeConditions(selection)
  ]
  const limit = Math.min(selection.limit ?? MAX_CARDS, MAX_CARDS)
  return {
    sql: `from cards c join lists l on l.id = c.list join boards b on b.id = c.board
      where ${conditions.map(({ sql }) => sql).join(' and ')} order by c.id desc limit ?`,
    args: [...conditions.flatMap(({ args }) => args), limit]
  }
}

function parentConditions({ board, list, cards }: CardSelection): Condition[] {
  const conditions: Condition[] = []
  if (board !== undefined) conditions.push(byIdOrLink('b', [board]))
  if (list !== undefined) conditions.push({ sql: 'c.list = ?', args: [requireId(list)] })
  if (cards !== undefined) conditions.push(byIdOrLink('c', cards))
  return conditions
}

function byIdOrLink(alias: string, texts: readonly string[]): Condition {
  const links = texts.filter(isShortLink)
  const ids = texts.filter((text) => !isShortLink(text)).map(requireId)
  const parts: Condition[] = []
  if (ids.length > 0) parts.push(inList(`${alias}.id`, ids))
  if (links.length > 0) parts.push(inList(`${alias}.short_link`, links))
  if (parts.length === 0) return { sql: '1 = 0', args: [] }
  return {
    sql: `(${parts.map(({ sql }) => sql).join(' or ')})`,
    args: parts.flatMap(({ args }) => args)
  }
}

function inList(column: string, values: readonly SqlValue[]): Condition {
  return values.length === 1
    ? { sql: `${column} = ?`, args: values }
    : { sql: `${column} in (${placeholders(values.length)})`, args: values }
}

function rangeConditions(selection: CardSelection): Condition[] {
  const { filter, since, before, modifiedSince, condition } = selection
  const conditions: Condition[] = []
  if (filter !== undefined) conditions.push({ sql: FILTERS[filter], args: [] })
  if (since !== undefined) conditions.push({ sql: 'c.id > ?', args: [since] })
  if (before !== undefined) conditions.push({ sql: 'c.id < ?', args: [before] })
  if (modifiedSince !== undefined) {
    conditions.push({ sql: 'c.changed_at >= ?', args: [modifiedSince] })
  }
  if (condition !== undefined) conditions.push(condition)
  return conditions
}
