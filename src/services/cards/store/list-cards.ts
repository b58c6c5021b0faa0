import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { CardContext } from '../context.ts'
import { isShown } from '../records/publication.ts'
import { addAction } from './actions.ts'
import { touchBoard } from './board-change.ts'
import { afterCardsChange, type CardsChange } from './card-change.ts'
import { type Author, checkListCount } from './lists.ts'
import { moveToBoard } from './move-to-board.ts'
import { positionFor, type WantedPosition } from './positions.ts'
import type { BoardRow, ListRow } from './rows.ts'
import { publishedCards } from './visible.ts'

type Context = Pick<CardContext, 'nextId' | 'options'>

/** Between two cards. */
const STEP = 65_536

/** Archives the open cards of a list. */
export function* archiveCards(list: ListRow, time: string): Transaction<void> {
  const wasPublic = yield* hasPublicCards(list)
  const rows = yield* query<{ id: string }>(
    'update cards set closed = 1, changed_at = ? where list = ? and closed = 0 returning id',
    ...[time, list.id]
  )
  if (rows.length === 0) return
  yield* afterMove(list, 'c.closed = 1', time, { wasPublic, hasNewBoard: false })
}

/** Moves the open cards of a list to the end of another one, also on another board. */
export function* moveCards(
  { nextId, options }: Context,
  list: ListRow,
  target: ListRow,
  { time }: Author
): Transaction<void> {
  if (list.id === target.id) return
  const cards = { sql: 'c.list = ? and c.closed = 0', args: [list.id] }
  const found = yield* query(
    'select 1 as found from cards c where c.list = ? and c.closed = 0 limit 1',
    list.id
  )
  if (found.length === 0) return
  const wasPublic = yield* hasPublicCards(list)
  if (list.board !== target.board) {
    const { maxCards } = options
    yield* moveToBoard({ cards, source: list.board, target: target.board, maxCards, nextId })
    yield* touchBoard(list.board, time, wasPublic)
  }
  const first = yield* positionFor({ table: 'cards', parent: target.id }, 'bottom')
  yield* query(
    `update cards set list = ?, changed_at = ?, pos = ? + (moved.rank_number - 1) * ${STEP} from (
       select c.id, row_number() over (order by c.pos, c.id) as rank_number from cards c
       where ${cards.sql}
     ) as moved where cards.id = moved.id`,
    ...[target.id, time, first, ...cards.args]
  )
  const hasNewBoard = list.board !== target.board
  yield* afterMove(target, 'c.closed = 0', time, {
    wasPublic: wasPublic && !hasNewBoard,
    hasNewBoard
  })
}

/** Whether the public sees one of them; not if all of them wait for their publication. */
function* hasPublicCards(list: ListRow): Transaction<boolean> {
  if (!isShown(list)) return false
  const found = yield* query(
    `select 1 as found from cards c where c.list = ? and ${publishedCards()} limit 1`,
    list.id
  )
  return found.length > 0
}

export interface ListMove {
  readonly board: BoardRow
  readonly list: ListRow
  readonly destination: BoardRow
  readonly pos: WantedPosition | undefined
}

/** Moves a list with all its cards to another board; its role stays. */
export function* moveList(
  { nextId, options }: Context,
  { board, list, destination, pos }: ListMove,
  { member, actionId: id, time }: Author
): Transaction<ListRow> {
  yield* checkListCount(destination.id)
  const cards = { sql: 'c.list = ?', args: [list.id] }
  const { maxCards } = options
  yield* moveToBoard({ cards, source: board.id, target: destination.id, maxCards, nextId })
  const position = yield* positionFor({ table: 'lists', parent: destination.id }, pos)
  yield* query(
    'update lists set board = ?, pos = ? where id = ?',
    ...[destination.id, position, list.id]
  )
  const moved = { ...list, board: destination.id, pos: position }
  const data = { boardSource: { id: board.id } }
  yield* addAction(
    { id, type: 'moveListToBoard', member, board: destination, list: moved, data },
    time
  )
  yield* touchBoard(board.id, time, isShown(list))
  yield* query('update cards set changed_at = ? where list = ?', time, list.id)
  yield* afterMove(moved, '1 = 1', time, { wasPublic: isShown(list), hasNewBoard: true })
  return moved
}

/** Of the cards of the list that were changed at this time. */
function* afterMove(
  list: ListRow,
  state: string,
  time: string,
  change: CardsChange
): Transaction<void> {
  const where = { sql: `c.list = ? and c.changed_at = ? and ${state}`, args: [list.id, time] }
  yield* afterCardsChange(list.board, where, time, change)
}
