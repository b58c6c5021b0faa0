import { createCache } from '../../../kernel/cache.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { Path } from '../query/filter.ts'

export interface BoxIndex {
  readonly number: number
  readonly path: Path
  /** Not until every record has its entries does it answer. */
  readonly ready: boolean
}

/** What somebody has laid down for a box; `boxes.settings` in JSON. */
export interface BoxRules {
  /** Seconds that a new record lives. */
  readonly ttl?: number
  /** Records that the box keeps: the newest. */
  readonly cap?: number
  readonly indexes?: readonly BoxIndex[]
  /** Indexes that are gone, and whose entries are not yet. */
  readonly dropped?: readonly number[]
  /** Digests of the schemas by collection; that of the whole box has no name. */
  readonly schemas?: Readonly<Record<string, string>>
}

export const NO_RULES: BoxRules = {}

const MAX_PARSED = 500
const parsed = createCache<BoxRules>(MAX_PARSED)

export function rulesOf(settings: string | null): BoxRules {
  return settings === null ? NO_RULES : parsed.getOrCreate(settings, JSON.parse)
}

/** Null when nothing is laid down: such a box takes the quick ways. */
function settingsOf(rules: BoxRules): string | null {
  const given = Object.entries(rules).filter(
    ([, value]) =>
      value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0)
  )
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given))
}

export function* saveRules(box: number, rules: BoxRules): Transaction<void> {
  yield* query('update boxes set settings = ? where pk = ?', settingsOf(rules), box)
}
