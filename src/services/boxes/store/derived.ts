import type { Engine } from '../../../kernel/database/database.ts'
import { type Argument, type Plan, query } from '../../../kernel/database/plan.ts'
import type { Derived } from '../../../kernel/service.ts'
import { queryCopy } from '../text/query-copy.ts'

/** The copy for queries has a form of its own on each engine, and can be made from the text. */
export const derived: Readonly<Record<string, Derived>> = {
  records: { columns: ['doc'], restoreRow }
}

function* restoreRow(row: Readonly<Record<string, Argument>>, engine: Engine): Plan<void> {
  const names = Object.keys(row)
  const marks = names.map(() => '?').join(', ')
  const doc = engine === 'sqlite' ? 'jsonb(?)' : '?'
  const sql = `insert into records (${names.join(', ')}, doc) values (${marks}, ${doc})`
  yield* query(sql, ...Object.values(row), queryCopy(String(row.raw), false))
}
