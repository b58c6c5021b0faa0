import { notify, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { removeAttachmentsOf } from './attachments.ts'
import { boardTopic } from './board-change.ts'
import { SEARCH_TABLE } from './migrations.ts'
import { removeUndoOf } from './undo.ts'
import { removeWebhooksOfBoard } from './webhooks.ts'

/** In an order in which no row refers to a removed one. */
const TABLES = [
  'announced',
  'items',
  'card_labels',
  'slugs',
  'check_items',
  'checklists',
  'actions',
  'cards',
  'options',
  'fields',
  'labels',
  'lists'
] as const

/** The board with all that is on it, and its references to files. */
export function* removeBoard(board: string): Transaction<void> {
  yield* removeAttachmentsOf('board', board)
  yield* removeUndoOf(board)
  yield* query(
    `delete from ${SEARCH_TABLE} where sort_key in (select sort_key from cards where board = ?)`,
    board
  )
  yield* removeWebhooksOfBoard(board)
  for (const table of TABLES) yield* query(`delete from ${table} where board = ?`, board)
  yield* query('delete from boards where id = ?', board)
  yield* notify(boardTopic(board))
}
