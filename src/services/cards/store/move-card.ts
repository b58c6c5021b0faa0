import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { touchBoard } from './board-change.ts'
import { isPublicCard } from './card-change.ts'
import type { Editor } from './editor.ts'
import { moveToBoard } from './move-to-board.ts'
import { positionFor, type WantedPosition } from './positions.ts'
import type { CardRow, ListRow } from './rows.ts'

/**
 * To a list of the same or another board. `afterCardChange` follows, which tells the new board; the
 * one that the card leaves is told here.
 */
export function* moveCard(
  card: CardRow,
  list: ListRow,
  wanted: WantedPosition | undefined,
  { time, maxCards, nextId }: Pick<Editor, 'time' | 'maxCards' | 'nextId'>
): Transaction<CardRow> {
  if (list.board !== card.board) {
    yield* touchBoard(card.board, time, yield* isPublicCard(card))
    const cards = { sql: 'c.id = ?', args: [card.id] }
    yield* moveToBoard({ cards, source: card.board, target: list.board, maxCards, nextId })
  }
  const pos = yield* positionFor({ table: 'cards', parent: list.id, moved: card.id }, wanted)
  yield* query('update cards set list = ?, pos = ? where id = ?', list.id, pos, card.id)
  return { ...card, board: list.board, list: list.id, pos }
}
