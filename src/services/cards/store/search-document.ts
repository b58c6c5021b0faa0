import type { SearchDocument } from '../../../kernel/search/document.ts'
import type { SearchOperators } from '../../../kernel/search/query.ts'
import { createdAt } from '../records/ids.ts'
import type { CardRow } from './rows.ts'

const STATES = ['open', 'archived'] as const
/** The operator of the states, which no document has as a label. */
export const STATE_OPERATOR = 'is'
const PARTS = ['description', 'cover', 'members', 'due'] as const

export const SEARCH_OPERATORS: SearchOperators = {
  [STATE_OPERATOR]: { kind: 'label', values: STATES },
  has: { kind: 'label', values: PARTS },
  since: { kind: 'since' },
  until: { kind: 'until' }
}

/** A label of documents that no operator has, so that only this service requires it. */
export const BOARD_LABEL = 'board'
/** The member whose board it is. */
export const OWNER_LABEL = 'owner'

/**
 * What is searched of a card. Whether it is archived or published is read from its row, so that a
 * list can be archived or published without new documents.
 */
export function searchDocumentOf(card: CardRow, owner: string): SearchDocument {
  const has: (typeof PARTS)[number][] = []
  if (card.description !== '') has.push('description')
  if (card.cover_attachment !== null || card.cover_color !== null) has.push('cover')
  if (card.members !== '[]') has.push('members')
  if (card.due !== null) has.push('due')
  return {
    sortKey: card.sort_key,
    time: Date.parse(createdAt(card.id)),
    texts: [card.name, card.description],
    labels: {
      has,
      [BOARD_LABEL]: [card.board],
      [OWNER_LABEL]: [owner]
    }
  }
}
