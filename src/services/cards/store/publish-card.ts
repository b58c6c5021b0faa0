import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { canBePublished, isShown } from '../records/publication.ts'
import { cardReference } from './actions.ts'
import { addCardAction, addChangeActions } from './card-actions.ts'
import { afterCardChange, isPublicCard } from './card-change.ts'
import type { Editor } from './editor.ts'
import { findCard } from './find.ts'
import { moveCard } from './move-card.ts'
import type { CardRow, ListRow } from './rows.ts'

/**
 * The list in which the public sees the card: its own, or the first open one of its board with the
 * role `published`. Undefined without one, and for archived cards and templates.
 */
export function* publicationList(card: CardRow): Transaction<ListRow | undefined> {
  if (!canBePublished(card)) return undefined
  const lists = yield* query<ListRow>(
    `select * from lists where board = ? and closed = 0 and role = 'published' order by pos, id`,
    card.board
  )
  return lists.find((list) => list.id === card.list && isShown(list)) ?? lists[0]
}

/** Makes the card public in a `publicationList`, at its end if it moves there. */
export function* publishCard(card: CardRow, list: ListRow, editor: Editor): Transaction<CardRow> {
  if (yield* isPublicCard(card)) return card
  if (list.id === card.list) return yield* setSchedule(card, null, editor)
  const moved = yield* moveCard(card, list, 'bottom', editor)
  yield* writeSchedule(card, null)
  yield* addChangeActions(card, { ...moved, publish_at: null }, editor)
  yield* afterCardChange(card.id, editor.time, { wasPublic: false })
  return yield* findCard(editor.viewer, card.id)
}

/** Without a time, the list alone decides again whether the card is public. */
export function* setSchedule(
  card: CardRow,
  publishAt: string | null,
  editor: Editor
): Transaction<CardRow> {
  const wasPublic = yield* isPublicCard(card)
  yield* applySchedule(card, publishAt, editor)
  yield* afterCardChange(card.id, editor.time, { wasPublic })
  return yield* findCard(editor.viewer, card.id)
}

/** The row and the action; the caller ends the change with `afterCardChange`. */
export function* applySchedule(
  card: CardRow,
  publishAt: string | null,
  editor: Editor
): Transaction<void> {
  yield* writeSchedule(card, publishAt)
  const old = { publishAt: card.publish_at }
  const data = { old, card: { ...cardReference(card), publishAt } }
  yield* addCardAction(card, 'updateCard', data, editor)
}

function* writeSchedule({ id }: CardRow, publishAt: string | null): Transaction<void> {
  yield* query('update cards set publish_at = ? where id = ?', publishAt, id)
}
