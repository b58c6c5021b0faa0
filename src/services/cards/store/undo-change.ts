import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { LimitReached, UndoEnded, UndoNotPossible } from '../contract.ts'
import { touchBoard } from './board-change.ts'
import { spotOf } from './board-moves.ts'
import { addCardAction } from './card-actions.ts'
import { indexCards, isPublicCard, updatePublication } from './card-change.ts'
import { type CardSnapshot, insertSnapshot } from './card-snapshot.ts'
import { changeCard } from './change-card.ts'
import { cardChanged } from './conflict.ts'
import type { Editor } from './editor.ts'
import { findBoard } from './find.ts'
import { positionBeside, positionFor } from './positions.ts'
import { publicationList, publishCard, setSchedule } from './publish-card.ts'
import type { BoardRow, CardRow, ListRow } from './rows.ts'
import { addPublication } from './schedule-card.ts'
import { type CardSpot, type StoredMove, takeUndo } from './undo.ts'

/** Undoes the last move or deletion of the member; returns the id of the card. */
export function* undoChange(link: string, id: string, editor: Editor): Transaction<string> {
  const board = yield* findBoard(editor.viewer, link)
  const undo = yield* takeUndo(id, board.id, editor)
  if (undo === undefined) throw new UndoEnded()
  return undo.kind === 'move'
    ? yield* undoMove(board, undo.data, editor)
    : yield* undoRemoval(board, undo.data, editor)
}

/** Only while the card is where the move put it: later moves are not overwritten. */
function* undoMove(board: BoardRow, move: StoredMove, editor: Editor): Transaction<string> {
  const card = yield* storedCard(move.card)
  if (card === undefined) throw new UndoNotPossible('the card was deleted')
  if (card.board !== board.id || !isSame(spotOf(card), move.to)) throw yield* cardChanged(card)
  yield* openList(board, move.from.list)
  const pos = yield* formerPosition(card, move)
  const { closed, publish_at } = move.from
  const isScheduled = publish_at !== null && publish_at > editor.time
  const columns = {
    ...(card.closed !== closed && { closed }),
    ...(isScheduled && { publish_at })
  }
  yield* changeCard(card.id, { columns, list: move.from.list, pos }, editor)
  if (isScheduled) yield* addPublication({ card: card.id, publishAt: publish_at }, editor.time)
  return card.id
}

function isSame(one: CardSpot, other: CardSpot): boolean {
  return (
    one.list === other.list &&
    one.pos === other.pos &&
    one.closed === other.closed &&
    one.publish_at === other.publish_at
  )
}

function* storedCard(id: string): Transaction<CardRow | undefined> {
  const [row] = yield* query<CardRow>('select * from cards where id = ?', id)
  return row
}

function* openList(board: BoardRow, id: string): Transaction<ListRow> {
  const [list] = yield* query<ListRow>('select * from lists where id = ?', id)
  if (list !== undefined && list.board === board.id && list.closed === 0) return list
  throw new UndoNotPossible('the list is archived or on another board now')
}

/** As it was if it still is between its neighbours, otherwise beside one of them. */
function* formerPosition(card: CardRow, move: StoredMove): Transaction<number> {
  const { list, pos } = move.from
  const scope = { table: 'cards', parent: list, moved: card.id } as const
  const next = yield* posIn(list, move.next)
  const previous = yield* posIn(list, move.previous)
  const isBetween = (next?.pos ?? Infinity) > pos && (previous?.pos ?? -Infinity) < pos
  if (isBetween) return yield* positionFor(scope, pos)
  if (next !== undefined) return yield* positionBeside(scope, next, 'before')
  return previous === undefined
    ? yield* positionFor(scope, pos)
    : yield* positionBeside(scope, previous, 'after')
}

function* posIn(
  list: string,
  id: string | null
): Transaction<{ id: string; pos: number } | undefined> {
  if (id === null) return undefined
  const [row] = yield* query<{ id: string; pos: number }>(
    'select id, pos from cards where id = ? and list = ?',
    ...[id, list]
  )
  return row
}

function* undoRemoval(
  board: BoardRow,
  snapshot: CardSnapshot,
  editor: Editor
): Transaction<string> {
  const [card] = snapshot.cards
  if (card === undefined) throw new UndoEnded()
  if ((yield* storedCard(card.id)) !== undefined) {
    throw new UndoNotPossible('the card was imported again')
  }
  yield* openList(board, card.list)
  const [count] = yield* query<{ total: number }>(
    'select count(*) as total from cards where board = ?',
    board.id
  )
  if ((count?.total ?? 0) >= editor.maxCards) {
    throw new LimitReached(`A board can have at most ${editor.maxCards} cards`)
  }
  yield* insertSnapshot(snapshot)
  yield* indexCards(yield* updatePublication('c.id = ?', [card.id], editor.time))
  yield* addCardAction(card, 'createCard', {}, editor)
  yield* touchBoard(board.id, editor.time, yield* isPublicCard(card))
  if (card.publish_at !== null) yield* scheduleAgain(card, card.publish_at, editor)
  return card.id
}

/** The job of the schedule may have found no card. */
function* scheduleAgain(card: CardRow, publishAt: string, editor: Editor): Transaction<void> {
  if (publishAt > editor.time) {
    return yield* addPublication({ card: card.id, publishAt }, editor.time)
  }
  const list = yield* publicationList(card)
  if (list === undefined) yield* setSchedule(card, null, editor)
  else yield* publishCard(card, list, editor)
}
