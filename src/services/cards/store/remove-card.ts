import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { removeDocument } from '../../../kernel/search/table.ts'
import { addAction, removeCardActions } from './actions.ts'
import { removeAttachmentsOf } from './attachments.ts'
import { touchBoard } from './board-change.ts'
import { isPublicCard } from './card-change.ts'
import type { Editor } from './editor.ts'
import { findBoard, findCard, findList } from './find.ts'
import { SEARCH_TABLE } from './migrations.ts'

const PARTS = ['card_labels', 'items', 'check_items', 'checklists', 'slugs']

export function* removeCard(idOrLink: string, editor: Editor): Transaction<void> {
  const { viewer, time, nextId } = editor
  const card = yield* findCard(viewer, idOrLink)
  const board = yield* findBoard(viewer, card.board)
  const list = yield* findList(viewer, card.list)
  const wasPublic = yield* isPublicCard(card)
  yield* removeAttachmentsOf('card', card.id)
  yield* removeCardActions(card.board, card.id)
  for (const table of PARTS) yield* query(`delete from ${table} where card = ?`, card.id)
  yield* query('delete from cards where id = ?', card.id)
  yield* removeDocument(SEARCH_TABLE, card.sort_key)
  const data = { card: { id: card.id, idShort: card.number, shortLink: card.short_link } }
  const member = viewer.member
  yield* addAction({ id: nextId(), type: 'deleteCard', member, board, list, data }, time)
  yield* touchBoard(card.board, time, wasPublic)
}
