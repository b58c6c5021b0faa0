import type { Transaction } from '../../../kernel/database/transaction.ts'
import { removeDocument } from '../../../kernel/search/table.ts'
import { addAction } from './actions.ts'
import { removeAttachmentsOf } from './attachments.ts'
import { touchBoard } from './board-change.ts'
import { isPublicCard } from './card-change.ts'
import { deleteSnapshot, readSnapshot } from './card-snapshot.ts'
import type { Editor } from './editor.ts'
import { findBoard, findCard, findList } from './find.ts'
import { SEARCH_TABLE } from './migrations.ts'
import type { CardRow } from './rows.ts'
import { storeUndo, type Undo } from './undo.ts'
import { removeWebhooksOfCard } from './webhooks.ts'

export function* removeCard(idOrLink: string, editor: Editor): Transaction<void> {
  const card = yield* findCard(editor.viewer, idOrLink)
  yield* removeAttachmentsOf('card', card.id)
  yield* removeRows(card, editor)
}

/** All rows and files of the card stay for a while, so that it can be undone. */
export function* removeCardWithUndo(card: CardRow, editor: Editor): Transaction<Undo> {
  const data = yield* readSnapshot(card.id)
  yield* removeRows(card, editor)
  const about = { name: card.name, change: 'deleted' } as const
  return yield* storeUndo(card.board, about, { kind: 'delete', data }, editor)
}

/** The action is added first: SQLite would give it a number of a deleted one. */
function* removeRows(card: CardRow, { viewer, time, nextId }: Editor): Transaction<void> {
  const board = yield* findBoard(viewer, card.board)
  const list = yield* findList(viewer, card.list)
  const wasPublic = yield* isPublicCard(card)
  yield* removeWebhooksOfCard(card.id)
  const data = { card: { id: card.id, idShort: card.number, shortLink: card.short_link } }
  const { member } = viewer
  yield* addAction({ id: nextId(), type: 'deleteCard', member, board, list, data }, time)
  yield* deleteSnapshot(card.board, card.id)
  yield* removeDocument(SEARCH_TABLE, card.sort_key)
  yield* touchBoard(card.board, time, wasPublic)
}
