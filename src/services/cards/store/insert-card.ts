import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { LimitReached } from '../contract.ts'
import type { CardRow } from './rows.ts'
import { freeShortLink } from './short-links.ts'

/** Columns that are chosen by the caller; the others are set here or later. */
export type NewCard = Pick<CardRow, 'id' | 'board' | 'list' | 'sort_key' | 'name' | 'pos'> &
  Pick<CardRow, 'creator'> &
  Partial<CardRow>

/**
 * A card with the next number of its board. `afterCardChange` follows in the same transaction,
 * after what belongs to the card.
 */
export function* insertCard(card: NewCard, time: string, maxCards: number): Transaction<CardRow> {
  const number = yield* nextNumber(card.board, maxCards)
  const row: CardRow = {
    number,
    short_link: card.short_link ?? (yield* freeShortLink('cards')),
    description: '',
    closed: 0,
    due: null,
    due_complete: 0,
    due_reminder: null,
    start: null,
    cover_attachment: null,
    cover_is_manual: 0,
    cover_color: null,
    cover_size: 'normal',
    cover_brightness: 'dark',
    is_template: 0,
    card_role: null,
    location: null,
    members: '[]',
    slug: null,
    published_at: null,
    publish_at: null,
    revision: 0,
    changed_at: time,
    ...card
  }
  yield* insertRow('cards', { ...row })
  return row
}

function* nextNumber(board: string, maxCards: number): Transaction<number> {
  const [count] = yield* query<{ total: number }>(
    'select count(*) as total from cards where board = ?',
    board
  )
  if ((count?.total ?? 0) >= maxCards) {
    throw new LimitReached(`A board can have at most ${maxCards} cards`)
  }
  const [row] = yield* query<{ last_number: number }>(
    'update boards set last_number = last_number + 1 where id = ? returning last_number',
    board
  )
  return row?.last_number ?? 1
}
