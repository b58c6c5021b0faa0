import type { Transaction } from '../../../../kernel/database/transaction.ts'
import type { ImportedCard } from '../../import-export/imported.ts'
import { isShown } from '../../records/publication.ts'
import type { ListRow } from '../rows.ts'
import { addPublication } from '../schedule-card.ts'

/** A card whose time is past is published, if a list of the board is for that. */
export function settleSchedule(
  card: ImportedCard,
  lists: ReadonlyMap<string, ListRow>,
  now: string
): ImportedCard {
  const { publishAt } = card
  if (publishAt === undefined || publishAt === null || publishAt > now) return card
  const published = { ...card, publishAt: null }
  const list = lists.get(card.list)
  const isDone = card.isClosed || card.isTemplate || list === undefined || isShown(list)
  const target = isDone ? undefined : firstShown([...lists.values()])
  return target === undefined ? published : { ...published, list: target.id }
}

function firstShown(lists: readonly ListRow[]): ListRow | undefined {
  return lists.filter(isShown).sort(byPosition)[0]
}

function byPosition(one: ListRow, other: ListRow): number {
  return one.pos - other.pos || (one.id < other.id ? -1 : 1)
}

/** Jobs of the cards that wait for their publication. */
export function* addPublications(cards: readonly ImportedCard[], time: string): Transaction<void> {
  for (const { id, publishAt } of cards) {
    if (publishAt === undefined || publishAt === null) continue
    yield* addPublication({ card: id, publishAt }, time)
  }
}
