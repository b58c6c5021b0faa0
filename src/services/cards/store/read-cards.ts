import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { ObjectUnknown } from '../contract.ts'
import { type CardParts, NO_COUNTS } from '../records/card-parts.ts'
import { seesPublishedOnly, type Viewer } from '../records/viewer.ts'
import { readAttachments, readChecklists } from './card-details.ts'
import { type CardSelection, selectedCards } from './card-selection.ts'
import { readCardSummaries } from './card-summaries.ts'
import { findBoard, findList } from './find.ts'
import type { CardRow } from './rows.ts'

/** What is read besides the cards; by default nothing. */
export interface CardInclude {
  labels?: boolean
  items?: boolean
  attachments?: boolean
  /** Only for members: the public gets none. */
  checklists?: boolean
  /** Only for members. */
  counts?: boolean
}

export const EVERYTHING_OF_CARDS: CardInclude = {
  labels: true,
  items: true,
  attachments: true,
  counts: true
}

interface SelectedRow extends CardRow {
  list_pos: number
}

/**
 * Cards in the order of their lists and positions, with what belongs to them: one statement for the
 * cards, one for labels, items and counts, one for attachments, one for checklists. An unknown board or
 * list is an error; unknown cards are left out.
 */
export function* readCards(
  viewer: Viewer,
  selection: CardSelection,
  include: CardInclude = {}
): Transaction<CardParts[]> {
  const isPublic = seesPublishedOnly(viewer)
  const selected = selectedCards(viewer, selection)
  const rows = yield* query<SelectedRow>(
    `select c.*, l.pos as list_pos ${selected.sql}`,
    ...selected.args
  )
  if (rows.length === 0) {
    yield* requireParents(viewer, selection)
    return []
  }
  const subquery = { sql: `select c.id ${selected.sql}`, args: selected.args }
  const summaries = yield* readCardSummaries(subquery, {
    ...include,
    counts: include.counts === true && !isPublic
  })
  const attachments = include.attachments ? yield* readAttachments(subquery) : new Map()
  const checklists = include.checklists && !isPublic ? yield* readChecklists(subquery) : new Map()
  return rows.toSorted(byPosition).map((row) => ({
    card: isPublic ? { ...row, members: '[]' } : row,
    ...(summaries.get(row.id) ?? { labels: [], items: [], counts: NO_COUNTS }),
    attachments: attachments.get(row.id) ?? [],
    checklists: checklists.get(row.id) ?? []
  }))
}

/** One card, which is an error if the viewer may not see it. */
export function* readCard(
  viewer: Viewer,
  idOrLink: string,
  include: CardInclude = EVERYTHING_OF_CARDS
): Transaction<CardParts> {
  const [parts] = yield* readCards(viewer, { cards: [idOrLink] }, include)
  if (parts === undefined) throw new ObjectUnknown()
  return parts
}

function* requireParents(viewer: Viewer, { board, list }: CardSelection): Transaction<void> {
  if (board !== undefined) yield* findBoard(viewer, board)
  if (list !== undefined) yield* findList(viewer, list)
}

function byPosition(one: SelectedRow, other: SelectedRow): number {
  return (
    one.list_pos - other.list_pos ||
    compare(one.list, other.list) ||
    one.pos - other.pos ||
    compare(one.id, other.id)
  )
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
