import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { LimitReached, ObjectUnknown, ValueInvalid } from '../contract.ts'
import { COMMENT } from '../records/comment.ts'
import { touchBoard } from './board-change.ts'
import { addCardAction } from './card-actions.ts'
import type { Editor } from './editor.ts'
import { findAction, findCard } from './find.ts'
import type { ActionRow } from './rows.ts'

/** Of one card. */
const MAX_COMMENTS = 1_000

/** Returns the id of the action. */
export function* addComment(cardId: string, text: string, editor: Editor): Transaction<string> {
  const card = yield* findCard(editor.viewer, cardId)
  const [row] = yield* query<{ total: number }>(
    'select count(*) as total from actions where card = ? and type = ?',
    ...[card.id, COMMENT]
  )
  if ((row?.total ?? 0) >= MAX_COMMENTS) {
    throw new LimitReached(`A card can have at most ${MAX_COMMENTS} comments`)
  }
  const id = yield* addCardAction(card, COMMENT, { text }, editor)
  yield* touchBoard(card.board, editor.time, false)
  return id
}

/** Only comments change. `cardId`: only a comment on this card. */
export function* changeComment(
  action: string,
  text: string,
  editor: Editor,
  cardId?: string
): Transaction<string> {
  const row = yield* findComment(action, editor, cardId)
  const data = JSON.stringify({ ...JSON.parse(row.data), text, dateLastEdited: editor.time })
  yield* query('update actions set data = ? where id = ?', data, row.id)
  yield* touchBoard(row.board, editor.time, false)
  return row.id
}

export function* removeComment(action: string, editor: Editor, cardId?: string): Transaction<void> {
  const row = yield* findComment(action, editor, cardId)
  yield* query('delete from actions where id = ?', row.id)
  yield* touchBoard(row.board, editor.time, false)
}

function* findComment(
  action: string,
  { viewer }: Editor,
  cardId: string | undefined
): Transaction<ActionRow> {
  const row = yield* findAction(viewer, action)
  const card = cardId === undefined ? undefined : yield* findCard(viewer, cardId)
  if (card !== undefined && row.card !== card.id) throw new ObjectUnknown()
  if (row.type !== COMMENT) throw new ValueInvalid('action')
  return row
}
