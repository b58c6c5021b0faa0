import type { Transaction } from '../../../kernel/database/transaction.ts'
import { PositionUnknown } from '../contract.ts'
import type { Viewer } from '../records/viewer.ts'
import { type Author, changeList, readLists } from './lists.ts'
import type { WantedPosition } from './positions.ts'
import type { BoardRow, ListRow } from './rows.ts'

/** Before the open list with this id; `end` for the end, `left` and `right` by one. */
export type ListTarget = 'left' | 'right' | 'end' | { readonly before: string }

/** Returns the open lists in their new order. */
export function* moveListOnBoard(
  viewer: Viewer,
  { board, list, target }: { board: BoardRow; list: ListRow; target: ListTarget },
  author: Author
): Transaction<readonly ListRow[]> {
  const lists = yield* readLists(viewer, board.id, 'open')
  const pos = wantedPosition(lists, list.id, target)
  if (pos !== undefined) yield* changeList(board, list, { pos }, author)
  return yield* readLists(viewer, board.id, 'open')
}

/** Undefined if the list is there already. */
function wantedPosition(
  lists: readonly ListRow[],
  moved: string,
  target: ListTarget
): WantedPosition | undefined {
  const others = lists.filter(({ id }) => id !== moved)
  const now = lists.findIndex(({ id }) => id === moved)
  const wanted = wantedIndex(others, now, target)
  if (wanted === now || wanted < 0 || wanted > others.length) return undefined
  const [before, after] = [others[wanted - 1], others[wanted]]
  if (before === undefined) return 'top'
  return after === undefined ? 'bottom' : (before.pos + after.pos) / 2
}

function wantedIndex(others: readonly ListRow[], now: number, target: ListTarget): number {
  if (target === 'left') return now - 1
  if (target === 'right') return now + 1
  if (target === 'end') return others.length
  const index = others.findIndex(({ id }) => id === target.before)
  if (index === -1) throw new PositionUnknown()
  return index
}
