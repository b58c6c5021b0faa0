import type { Database, Engine } from '../../../kernel/database/database.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { findHorizon } from './log.ts'

/** Minimum number of changes that the log of a box keeps. */
export const KEPT_CHANGES = 10_000
/** Number of changes between two cuts; the log may be longer by this number. */
const CUT_EVERY = 1000
const CUT_AT_ONCE = 1000
/** Beyond this number of boxes the counts are reset, and some logs are cut later. */
const MAX_COUNTS = 10_000

const CUT_FROM = 'select seq from changes where box = ? order by seq desc limit 1 offset ?'
const CUT_SOME =
  'select max(seq) as seq from (select seq from changes where box = ? and seq <= ? and seq < ? order by seq limit ?) oldest'

/** Cuts the logs; the returned function must be called for every change. */
export function createRetention(database: Database, kept = KEPT_CHANGES) {
  /** Number of changes by this process since it last cut the log, by box. */
  const noted = new Map<string, number>()

  async function cutLog(box: string): Promise<void> {
    let more = true
    while (more)
      more = await database.write(() => cutSome(box, kept, database.engine), { frees: true })
  }

  return function note(box: string, count: number): void {
    if (noted.size > MAX_COUNTS) noted.clear()
    const sum = (noted.get(box) ?? 0) + count
    noted.set(box, sum >= CUT_EVERY ? 0 : sum)
    // If this cut fails, a later one deletes the changes.
    if (sum >= CUT_EVERY) cutLog(box).catch(() => noted.delete(box))
  }
}

/**
 * The newest change is always kept, because it is the state of the box. Changes beyond the horizon
 * are kept too: an older one may not be committed yet, and clients would not receive it.
 */
function* cutSome(id: string, kept: number, engine: Engine): Transaction<boolean> {
  const [box] = yield* query<{ pk: number }>('select pk from boxes where id = ?', id)
  if (box === undefined) return false
  const [last] = yield* query<{ seq: number }>(CUT_FROM, box.pk, kept)
  if (last === undefined) return false
  const horizon = yield* findHorizon(engine)
  const limits = [last.seq, horizon, CUT_AT_ONCE]
  const [some] = yield* query<{ seq: number | null }>(CUT_SOME, box.pk, ...limits)
  const until = some?.seq ?? undefined
  if (until === undefined) return false
  yield* query('delete from changes where box = ? and seq <= ?', box.pk, until)
  yield* query('update boxes set forgotten = ? where pk = ?', until, box.pk)
  return until < last.seq
}
