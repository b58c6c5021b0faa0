import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { ObjectUnknown } from '../contract.ts'
import { addCardAction } from './card-actions.ts'
import { afterCardChange, isPublicCard } from './card-change.ts'
import { addLabels, labelsOf } from './card-labels.ts'
import type { Editor } from './editor.ts'
import { findCard, findLabel } from './find.ts'
import { insertLabel } from './labels.ts'
import type { CardRow, LabelRow } from './rows.ts'

/** Returns the ids of all labels of the card. */
export function* labelCard(
  cardId: string,
  labels: readonly string[],
  editor: Editor
): Transaction<string[]> {
  const card = yield* findCard(editor.viewer, cardId)
  yield* addLabels(card, labels)
  yield* afterLabels(card, editor)
  return yield* labelsOf(card.id)
}

/** With a new label of the board. */
export function* addNewLabel(
  cardId: string,
  { name, color }: { readonly name: string; readonly color: string | null },
  editor: Editor
): Transaction<LabelRow> {
  const card = yield* findCard(editor.viewer, cardId)
  const label = yield* insertLabel(card.board, { id: editor.nextId(), name, color })
  yield* addLabels(card, [label.id])
  const data = { label: { id: label.id, name, color } }
  yield* addCardAction(card, 'addLabelToCard', data, editor)
  // All labels of a board are public.
  yield* afterCardChange(card.id, editor.time, { wasPublic: true })
  return label
}

export function* unlabelCard(cardId: string, labelId: string, editor: Editor): Transaction<void> {
  const card = yield* findCard(editor.viewer, cardId)
  const label = yield* findLabel(editor.viewer, labelId)
  const removed = yield* query(
    'delete from card_labels where card = ? and label = ? returning label',
    ...[card.id, label.id]
  )
  if (removed.length === 0) throw new ObjectUnknown()
  yield* afterLabels(card, editor)
}

function* afterLabels(card: CardRow, { time }: Editor): Transaction<void> {
  yield* afterCardChange(card.id, time, { wasPublic: yield* isPublicCard(card) })
}
