import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { CardParts } from '../records/card-parts.ts'
import type { Viewer } from '../records/viewer.ts'
import { readLabels } from './labels.ts'
import { readLists } from './lists.ts'
import { readCards } from './read-cards.ts'
import type { BoardRow, LabelRow, ListRow } from './rows.ts'
import { readUndo, type Undo } from './undo.ts'

/** Cards of one page; lists with more show the first ones. */
const MAX_SHOWN = 1_000
const MAX_IN_LIST = 100
/** Of the list that is shown in full as far as possible. */
const MAX_IN_CHOSEN = 500
const MAX_LABELS = 1_000

export interface BoardFilter {
  /** Words of the name; empty for all cards. */
  readonly text: string
  /** Id of a label; empty for all cards. */
  readonly label: string
  /** Whether archived cards and lists with the role `archive` show their cards. */
  readonly showsArchive: boolean
  /** Id of the list that shows more cards; empty for none. */
  readonly more: string
}

export interface ShownColumn {
  readonly list: ListRow
  readonly cards: readonly CardParts[]
  /** Those that match the filter. */
  readonly matching: number
  /** All that are not archived. */
  readonly total: number
  readonly isCollapsed: boolean
}

export interface BoardView {
  readonly columns: readonly ShownColumn[]
  readonly archive: Omit<ShownColumn, 'list'>
  readonly labels: readonly LabelRow[]
  readonly undo: Undo | undefined
}

interface NamedCard {
  id: string
  list: string
  name: string
  closed: number
}

/** What the page of a board shows to a member; `time` is in Unix milliseconds. */
export function* readBoardView(
  viewer: Viewer & { kind: 'member' },
  board: BoardRow,
  filter: BoardFilter,
  time: number
): Transaction<BoardView> {
  const lists = yield* readLists(viewer, board.id, 'open')
  const named = yield* namedCards(board.id, filter.label)
  const isWanted = matcher(filter.text)
  const totals = yield* totalsOf(board.id)
  const groups = Map.groupBy(named.filter(isWanted), ({ list, closed }) =>
    closed === 1 ? '' : list
  )
  const isCollapsed = ({ role }: ListRow) => role === 'archive' && !filter.showsArchive
  const open = lists.filter((list) => !isCollapsed(list))
  const limit = Math.min(MAX_IN_LIST, Math.max(1, Math.floor(MAX_SHOWN / 2 / (open.length + 1))))
  const chosen = new Map<string, readonly NamedCard[]>(
    open.map(({ id }) => [
      id,
      (groups.get(id) ?? []).slice(0, id === filter.more ? MAX_IN_CHOSEN : limit)
    ])
  )
  if (filter.showsArchive) chosen.set('', (groups.get('') ?? []).slice(0, limit))
  const cards = yield* readShown(viewer, [...chosen.values()].flat())
  const shown = (id: string, collapsed: boolean) => ({
    cards: (chosen.get(id) ?? []).flatMap((card) => cards.get(card.id) ?? []),
    matching: groups.get(id)?.length ?? 0,
    total: totals.get(id) ?? 0,
    isCollapsed: collapsed
  })
  return {
    columns: lists.map((list) => ({ list, ...shown(list.id, isCollapsed(list)) })),
    archive: shown('', !filter.showsArchive),
    labels: yield* readLabels(viewer, board.id, MAX_LABELS),
    undo: yield* readUndo(board.id, viewer.member, time)
  }
}

/** In their order, of open lists. */
function* namedCards(board: string, label: string): Transaction<readonly NamedCard[]> {
  const join = label === '' ? '' : 'join card_labels cl on cl.card = c.id and cl.label = ?'
  return yield* query<NamedCard>(
    `select c.id, c.list, c.name, c.closed from cards c join lists l on l.id = c.list ${join}
     where c.board = ? and (l.closed = 0 or c.closed = 1) order by c.pos, c.id`,
    ...(label === '' ? [] : [label]),
    board
  )
}

/** By list; those of archived cards by ''. */
function* totalsOf(board: string): Transaction<ReadonlyMap<string, number>> {
  const rows = yield* query<{ list: string; total: number }>(
    `select case when closed = 1 then '' else list end as list, count(*) as total from cards
     where board = ? group by 1`,
    board
  )
  return new Map(rows.map(({ list, total }) => [list, total]))
}

/** Each word is somewhere in the name, in any case. */
function matcher(text: string): (card: NamedCard) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return ({ name }) => {
    const folded = name.toLowerCase()
    return words.every((word) => folded.includes(word))
  }
}

function* readShown(
  viewer: Viewer,
  chosen: readonly NamedCard[]
): Transaction<ReadonlyMap<string, CardParts>> {
  const ids = chosen.map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const include = { labels: true, items: true, attachments: true }
  const parts = yield* readCards(viewer, { cards: ids }, include)
  return new Map(parts.map((one) => [one.card.id, one]))
}
