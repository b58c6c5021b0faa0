import type { Engine } from '../../../kernel/database/database.ts'
import { query, type SqlValue, type Transaction } from '../../../kernel/database/transaction.ts'
import type { RecomputedColumns } from '../../../kernel/service.ts'
import { parseQueryCopy } from '../text/query-copy.ts'
import { NUMBERS_PER_TRANSACTION } from './log.ts'

/**
 * `records.doc` has another form on each engine and is made from `raw`. `feed.base` depends on the
 * transaction numbers of the server that the backup is restored to.
 */
export const derived: Readonly<Record<string, RecomputedColumns>> = {
  records: { columns: ['doc'], restoreRow: restoreRecord },
  feed: { columns: ['base'], restoreRow: restoreFeed }
}

type Row = Readonly<Record<string, SqlValue>>

function* restoreRecord(row: Row, engine: Engine): Transaction<void> {
  const names = Object.keys(row)
  const marks = names.map(() => '?').join(', ')
  const doc = engine === 'sqlite' ? 'jsonb(?)' : '?'
  const sql = `insert into records (${names.join(', ')}, doc) values (${marks}, ${doc})`
  yield* query(sql, ...Object.values(row), JSON.stringify(parseQueryCopy(String(row.raw))))
}

const GREATEST =
  'select greatest((select max(seq) from changes), (select max(seq) from boxes), 0) as seq'

/** Tables are restored in the order of their names, so boxes and changes exist already. */
function* restoreFeed({ id = 1 }: Row, engine: Engine): Transaction<void> {
  let base = 0
  if (engine === 'postgres') {
    const [found] = yield* query<{ base: number }>(
      `select greatest(0, (${GREATEST}) - (txid_current() - 1) * ${NUMBERS_PER_TRANSACTION}) as base`
    )
    base = found?.base ?? 0
  }
  yield* query('insert into feed (id, base) values (?, ?)', id, base)
}
