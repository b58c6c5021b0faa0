import type { Engine } from '../../../kernel/database/database.ts'
import { placeholders } from '../../../kernel/database/groups.ts'
import type { Transaction } from '../../../kernel/database/transaction.ts'
import { findDocuments } from '../../../kernel/search/find-documents.ts'
import type { SearchQuery, SearchTerm } from '../../../kernel/search/query.ts'
import type { CardParts } from '../records/card-parts.ts'
import type { Viewer } from '../records/viewer.ts'
import { SEARCH_TABLE } from './migrations.ts'
import { type CardInclude, readCards } from './read-cards.ts'
import { OWNER_LABEL, STATE_OPERATOR } from './search-document.ts'

/** Documents per statement, and statements: so many are compared with what the viewer may see. */
const BATCH = 200
const MAX_BATCHES = 20

export interface CardSearch {
  readonly query: SearchQuery
  /** Ids of boards; all if undefined. */
  readonly boards: readonly string[] | undefined
  readonly limit: number
  readonly skip: number
}

/** Cards of the member's boards that match, the newest first. */
export function* searchCards(
  engine: Engine,
  viewer: Viewer & { kind: 'member' },
  { query, boards, limit, skip }: CardSearch,
  include: CardInclude
): Transaction<CardParts[]> {
  const owner = { kind: 'label', name: OWNER_LABEL, value: viewer.member } as const
  const own = {
    ...query,
    required: [...query.required.filter(isOfDocument), owner],
    excluded: query.excluded.filter(isOfDocument)
  }
  const states = stateConditions(query)
  const found: CardParts[] = []
  let before: string | undefined
  for (let batch = 0; batch < MAX_BATCHES && found.length < skip + limit; batch += 1) {
    const page = yield* findDocuments(engine, SEARCH_TABLE, own, { limit: BATCH, before })
    found.push(...(yield* readFound(viewer, page.sortKeys, { boards, states }, include)))
    before = page.next
    if (before === undefined) break
  }
  return found.slice(skip, skip + limit)
}

function* readFound(
  viewer: Viewer,
  sortKeys: readonly string[],
  { boards, states }: Pick<CardSearch, 'boards'> & { states: readonly string[] },
  include: CardInclude
): Transaction<CardParts[]> {
  if (sortKeys.length === 0 || boards?.length === 0) return []
  const ofBoards = boards === undefined ? '' : ` and c.board in (${placeholders(boards.length)})`
  const found = [`c.sort_key in (${placeholders(sortKeys.length)})${ofBoards}`, ...states]
  const condition = { sql: found.join(' and '), args: [...sortKeys, ...(boards ?? [])] }
  const parts = yield* readCards(viewer, { condition }, include)
  return parts.sort((one, other) => (one.card.sort_key > other.card.sort_key ? -1 : 1))
}

function isOfDocument(term: SearchTerm): boolean {
  return term.kind !== 'label' || term.name !== STATE_OPERATOR
}

/** `is:open` and `is:archived`, of which the second is the first excluded. */
function stateConditions({ required, excluded }: SearchQuery): string[] {
  const condition = (isWanted: boolean) => (term: SearchTerm) => {
    if (term.kind !== 'label' || isOfDocument(term)) return []
    return [(term.value === 'archived') === isWanted ? 'c.closed = 1' : 'c.closed = 0']
  }
  return [...required.flatMap(condition(true)), ...excluded.flatMap(condition(false))]
}
