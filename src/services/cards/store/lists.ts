import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { LimitReached } from '../contract.ts'
import { roleOfName } from '../records/list-role.ts'
import { isShown } from '../records/publication.ts'
import type { Viewer } from '../records/viewer.ts'
import { addAction } from './actions.ts'
import { touchBoard } from './board-change.ts'
import { afterListChange } from './card-change.ts'
import { positionFor, type WantedPosition } from './positions.ts'
import type { BoardRow, ListRow } from './rows.ts'
import { visibleBoards, visibleLists } from './visible.ts'

/** Of one board. */
const MAX_LISTS = 500

/** Who changes something, and when. */
export interface Author {
  readonly member: string
  /** For the action. */
  readonly actionId: string
  readonly time: string
}

export type ListFilter = 'all' | 'open' | 'closed' | 'none'

const FILTERS: Readonly<Record<ListFilter, string>> = {
  all: '1 = 1',
  open: 'l.closed = 0',
  closed: 'l.closed = 1',
  none: '1 = 0'
}

/** Those that the viewer sees, in their order. */
export function readLists(
  viewer: Viewer,
  board: string,
  filter: ListFilter
): Transaction<readonly ListRow[]> {
  const boards = visibleBoards(viewer)
  const lists = visibleLists(viewer)
  return query<ListRow>(
    `select l.* from lists l join boards b on b.id = l.board
     where l.board = ? and ${boards.sql} and ${lists.sql} and ${FILTERS[filter]}
     order by l.pos, l.id`,
    ...[board, ...boards.args, ...lists.args]
  )
}

export interface NewList {
  readonly id: string
  readonly name: string
  readonly pos: WantedPosition | undefined
}

/** Throws if the board has as many lists as it may have. */
export function* checkListCount(board: string): Transaction<void> {
  const [row] = yield* query<{ count: number }>(
    'select count(*) as count from lists where board = ?',
    board
  )
  if ((row?.count ?? 0) < MAX_LISTS) return
  throw new LimitReached(`A board can have at most ${MAX_LISTS} lists`)
}

/** At the top, unless the position is given. The caller touches the board. */
export function* insertList(board: string, { id, name, pos }: NewList): Transaction<ListRow> {
  yield* checkListCount(board)
  const position = yield* positionFor({ table: 'lists', parent: board }, pos, 'top')
  const list = { id, board, name, closed: 0, pos: position, role: roleOfName(name) }
  yield* insertRow('lists', list)
  return list
}

export function* addList(board: BoardRow, list: NewList, author: Author): Transaction<ListRow> {
  const { member, actionId: id, time } = author
  const added = yield* insertList(board.id, list)
  yield* addAction({ id, type: 'createList', member, board, list: added }, time)
  yield* touchBoard(board.id, time, isShown(added))
  return added
}

export interface ListChange {
  readonly name?: string | undefined
  readonly closed?: boolean | undefined
  readonly pos?: WantedPosition | undefined
}

export function* changeList(
  board: BoardRow,
  list: ListRow,
  change: ListChange,
  { member, actionId: id, time }: Author
): Transaction<ListRow> {
  const moved = { table: 'lists', parent: board.id, moved: list.id } as const
  const changed: ListRow = {
    ...list,
    name: change.name ?? list.name,
    closed: Number(change.closed ?? list.closed === 1),
    pos: change.pos === undefined ? list.pos : yield* positionFor(moved, change.pos)
  }
  const old = {
    ...(changed.name !== list.name && { name: list.name }),
    ...(changed.closed !== list.closed && { closed: list.closed === 1 }),
    ...(changed.pos !== list.pos && { pos: list.pos })
  }
  if (Object.keys(old).length === 0) return list
  yield* query(
    'update lists set name = ?, closed = ?, pos = ? where id = ?',
    ...[changed.name, changed.closed, changed.pos, list.id]
  )
  yield* addAction({ id, type: 'updateList', member, board, list: changed, data: { old } }, time)
  if (changed.closed !== list.closed) yield* afterListChange(list.id, time)
  yield* touchBoard(board.id, time, isShown(list) || isShown(changed))
  return changed
}
