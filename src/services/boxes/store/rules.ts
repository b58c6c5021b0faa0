import { createCache } from '../../../kernel/cache.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { Path } from '../query/filter.ts'

export interface BoxIndex {
  readonly number: number
  readonly path: Path
  /** Whether every record has its entries; before that, queries do not use the index. */
  readonly ready: boolean
}

/** The rules of a box, stored as JSON in `boxes.settings`. */
export interface BoxRules {
  /** Default time to live of new records in seconds. */
  readonly ttl?: number
  /** Maximum number of records; the oldest beyond it are deleted. */
  readonly cap?: number
  readonly indexes?: readonly BoxIndex[]
  /** Numbers of dropped indexes whose entries are not yet deleted. */
  readonly dropped?: readonly number[]
  /** Digests of the schemas by collection; the whole box has the empty name. */
  readonly schemas?: Readonly<Record<string, string>>
}

export const NO_RULES: BoxRules = {}

const MAX_PARSED = 500
const parsed = createCache<BoxRules>(MAX_PARSED)

export function rulesOf(settings: string | null): BoxRules {
  return settings === null ? NO_RULES : parsed.getOrCreate(settings, JSON.parse)
}

/** Null if there are no rules, so that the box is plain. */
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
