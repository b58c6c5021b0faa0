import { createCache } from '../cache.ts'

const MAX_TEXTS = 1_000
/** Limited, because named statements stay on the server until the connection is closed. */
const MAX_NAMED = 300
/** SQL built from clients' filters is seldom repeated, so it must not use up the names. */
const USES_BEFORE_NAMED = 3

const QUOTED_OR_MARK = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\?/g

/** `?` → `$1`, `$2`, …, outside of quotes and comments. */
export function numberPlaceholders(sql: string): string {
  let count = 0
  return sql.replace(QUOTED_OR_MARK, (found) => (found === '?' ? `$${++count}` : found))
}

export interface Statement {
  text: string
  /** Name of the prepared statement; undefined until it has been used three times. */
  name?: string
}

/** Caches SQL with PostgreSQL's placeholders. */
export function createStatementCache(): (sql: string) => Statement {
  const known = createCache<{ statement: Statement; uses: number }>(MAX_TEXTS)
  let named = 0
  return function statementFor(sql) {
    const entry = known.getOrCreate(sql, () => ({
      statement: { text: numberPlaceholders(sql) },
      uses: 0
    }))
    entry.uses += 1
    if (entry.uses === USES_BEFORE_NAMED && named < MAX_NAMED) {
      entry.statement.name = `nonet_${++named}`
    }
    return entry.statement
  }
}
