import { placeholders } from '../../../kernel/database/groups.ts'
import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { ObjectUnknown } from '../contract.ts'
import type { CardRow } from './rows.ts'

type LabelledCard = Pick<CardRow, 'id' | 'board'>

/** Labels of the card's board only; any other id is an error. */
export function* addLabels(card: LabelledCard, labels: readonly string[]): Transaction<void> {
  if (labels.length === 0) return
  const found = yield* query<{ id: string }>(
    `select id from labels where board = ? and id in (${placeholders(labels.length)})`,
    ...[card.board, ...labels]
  )
  if (found.length !== labels.length) throw new ObjectUnknown()
  const present = new Set(yield* labelsOf(card.id))
  for (const label of labels) {
    if (present.has(label)) continue
    yield* insertRow('card_labels', { card: card.id, label, board: card.board })
  }
}

export function* setLabels(card: LabelledCard, labels: readonly string[]): Transaction<void> {
  yield* query('delete from card_labels where card = ?', card.id)
  yield* addLabels(card, labels)
}

/** Ids in their order. */
export function* labelsOf(card: string): Transaction<string[]> {
  const rows = yield* query<{ label: string }>(
    'select label from card_labels where card = ? order by label',
    card
  )
  return rows.map(({ label }) => label)
}
