import type { CardRow, ListRow } from '../store/rows.ts'

/** Whether the card is in the published part of its board, if that is open. */
export function isPublished(
  card: Pick<CardRow, 'closed' | 'is_template'>,
  list: Pick<ListRow, 'closed' | 'role'>
): boolean {
  return (
    card.closed === 0 && card.is_template === 0 && list.closed === 0 && list.role === 'published'
  )
}
