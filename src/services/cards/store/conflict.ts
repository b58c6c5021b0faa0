import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { CardChanged } from '../contract.ts'
import type { CardRow } from './rows.ts'

/** What a client is told about a card that has changed since its page was shown. */
export interface CardConflict {
  readonly card: string
  readonly revision: number
  readonly list: { readonly id: string; readonly name: string }
  readonly isArchived: boolean
  /** Full name of the member of the card's last action; undefined if no action is stored. */
  readonly changedBy: string | undefined
  readonly changedAt: string
}

/** Throws if the card is not as the page showed it; `revision` is the one that the page had. */
export function* requireRevision(card: CardRow, revision: number): Transaction<void> {
  if (card.revision !== revision) throw yield* cardChanged(card)
}

/** The error; its `data` tells scripts what the card is now. */
export function* cardChanged(
  card: CardRow
): Transaction<InstanceType<typeof CardChanged> & { data: { conflict: CardConflict } }> {
  const [list] = yield* query<{ id: string; name: string }>(
    'select id, name from lists where id = ?',
    card.list
  )
  const [last] = yield* query<{ full_name: string | null }>(
    `select m.full_name from actions a left join members m on m.id = a.member
     where a.card = ? order by a.number desc limit 1`,
    card.id
  )
  const changedBy = last?.full_name ?? undefined
  const conflict: CardConflict = {
    card: card.id,
    revision: card.revision,
    list: list ?? { id: card.list, name: '' },
    isArchived: card.closed === 1,
    changedBy,
    changedAt: card.changed_at
  }
  const by = changedBy === undefined ? '' : ` by ${changedBy}`
  const where = card.closed === 1 ? 'is archived' : `is in ${conflict.list.name}`
  const time = `${card.changed_at.slice(0, 16).replace('T', ' ')} UTC`
  return Object.assign(new CardChanged(card.name, by, time, where), { data: { conflict } })
}
