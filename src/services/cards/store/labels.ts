import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { LimitReached } from '../contract.ts'
import type { Viewer } from '../records/viewer.ts'
import { addAction } from './actions.ts'
import { touchBoard } from './board-change.ts'
import { afterShownChange } from './card-change.ts'
import type { Author } from './lists.ts'
import type { BoardRow, LabelRow } from './rows.ts'
import { visibleBoards } from './visible.ts'

/** Of one board. */
const MAX_LABELS = 500

export interface NewLabel {
  readonly id: string
  readonly name: string
  readonly color: string | null
}

/** In the order of their ids. */
export function readLabels(
  viewer: Viewer,
  board: string,
  limit: number
): Transaction<readonly LabelRow[]> {
  const boards = visibleBoards(viewer)
  return query<LabelRow>(
    `select x.* from labels x join boards b on b.id = x.board
     where x.board = ? and ${boards.sql} order by x.id limit ?`,
    ...[board, ...boards.args, limit]
  )
}

/** The caller touches the board. */
export function* insertLabel(board: string, { id, name, color }: NewLabel): Transaction<LabelRow> {
  const [row] = yield* query<{ count: number }>(
    'select count(*) as count from labels where board = ?',
    board
  )
  if ((row?.count ?? 0) >= MAX_LABELS) {
    throw new LimitReached(`A board can have at most ${MAX_LABELS} labels`)
  }
  const label = { id, board, name, color }
  yield* insertRow('labels', label)
  return label
}

export function* addLabel(board: BoardRow, label: NewLabel, author: Author): Transaction<LabelRow> {
  const { member, actionId: id, time } = author
  const added = yield* insertLabel(board.id, label)
  const data = { label: referenceOf(added) }
  yield* addAction({ id, type: 'createLabel', member, board, data }, time)
  yield* touchBoard(board.id, time, true)
  return added
}

export function* changeLabel(
  board: BoardRow,
  label: LabelRow,
  change: { readonly name?: string | undefined; readonly color?: string | null | undefined },
  { member, actionId: id, time }: Author
): Transaction<LabelRow> {
  const changed: LabelRow = {
    ...label,
    name: change.name ?? label.name,
    color: change.color === undefined ? label.color : change.color
  }
  const old = {
    ...(changed.name !== label.name && { name: label.name }),
    ...(changed.color !== label.color && { color: label.color })
  }
  if (Object.keys(old).length === 0) return label
  yield* query(
    'update labels set name = ?, color = ? where id = ?',
    ...[changed.name, changed.color, label.id]
  )
  const data = { label: referenceOf(changed), old }
  yield* addAction({ id, type: 'updateLabel', member, board, data }, time)
  yield* afterLabelChange(label, time)
  return changed
}

/** From the board and from all its cards. */
export function* removeLabel(
  board: BoardRow,
  label: LabelRow,
  { member, actionId: id, time }: Author
): Transaction<void> {
  yield* afterLabelChange(label, time)
  yield* query('delete from card_labels where label = ?', label.id)
  yield* query('delete from labels where id = ?', label.id)
  const data = { label: referenceOf(label) }
  yield* addAction({ id, type: 'deleteLabel', member, board, data }, time)
}

/** Cards show their labels, and the public sees all labels of a board. */
function* afterLabelChange({ id, board }: LabelRow, time: string): Transaction<void> {
  const sql = 'c.id in (select card from card_labels where label = ?)'
  yield* afterShownChange(board, { sql, args: [id] }, time)
}

function referenceOf({ id, name, color }: LabelRow): object {
  return { id, name, color }
}
