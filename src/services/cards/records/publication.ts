import type { CardRow, ListRow } from '../store/rows.ts'

/** Whether the card is in the published part of its board, if that is open. */
export function isPublished(
  card: Pick<CardRow, 'closed' | 'is_template' | 'publish_at'>,
  list: Pick<ListRow, 'closed' | 'role'>
): boolean {
  return canBePublished(card) && card.publish_at === null && isShown(list)
}

/** Whether only its list and its schedule decide. */
export function canBePublished(card: Pick<CardRow, 'closed' | 'is_template'>): boolean {
  return card.closed === 0 && card.is_template === 0
}

/** Whether the public sees the list while the board is open. */
export function isShown({ role, closed }: Pick<ListRow, 'role' | 'closed'>): boolean {
  return role === 'published' && closed === 0
}
