import type { Database } from '../../../kernel/database/database.ts'
import { queryAutocommit } from '../../../kernel/database/transaction.ts'

/** A box as the operator sees it in a list. */
export interface ListedBox {
  readonly id: string
  readonly created: number
  /** Number of records, expired ones included; `COUNTED + 1` if there are more than `COUNTED`. */
  readonly count: number
  /** Time of the newest change in the log; null if the log of the box is empty. */
  readonly changed: number | null
  readonly isProtected: boolean
  readonly isPrivate: boolean
}

/** Records that are counted in each box, so that a list of large boxes is not slow. */
export const COUNTED = 1000

const COUNT = 'select count(*) from (select 1 from records r where r.box = b.pk limit ?) counted'
const CHANGED = 'select c.at from changes c where c.box = b.pk order by c.seq desc limit 1'
const LIST = `select b.id, b.created, case when b.secret is null then 0 else 1 end as protected, b.private, (${COUNT}) as count, (${CHANGED}) as changed from boxes b where b.id > ? and b.id like ? escape '!' <private> order by b.id limit ?`

interface Found extends Omit<ListedBox, 'isProtected' | 'isPrivate'> {
  readonly protected: number
  readonly private: number
}

/** Boxes with `part` in their id, in the order of their ids, after `after`. */
export interface BoxSearch {
  readonly part: string
  readonly after: string
  readonly limit: number
  readonly withPrivate: boolean
}

export function listBoxes(database: Database) {
  return {
    /** For the operator only. */
    async listBoxes({ part, after, limit, withPrivate }: BoxSearch): Promise<ListedBox[]> {
      // PostgreSQL rejects U+0000; no box id has a control character.
      if (/\p{Cc}/u.test(part + after)) return []
      const pattern = `%${part.replace(/[!%_]/g, '!$&')}%`
      const sql = LIST.replace('<private>', withPrivate ? '' : 'and b.private = 0')
      const rows = await database.read(() =>
        queryAutocommit<Found>(sql, COUNTED + 1, after, pattern, limit)
      )
      return rows.map(({ protected: isProtected, private: isPrivate, count, ...row }) => ({
        ...row,
        count: Number(count),
        isProtected: isProtected === 1,
        isPrivate: isPrivate === 1
      }))
    }
  }
}
