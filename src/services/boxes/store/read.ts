import type { Database } from '../../../kernel/database/database.ts'
import { query, queryAutocommit } from '../../../kernel/database/transaction.ts'
import { type BoxRow, hasPermission } from './access.ts'
import type { StoredRecord } from './record.ts'
import type { RecordScope } from './scan.ts'
import { VISIBLE } from './write.ts'

export interface Meta {
  readonly count: number
  readonly created: number | null
  readonly updated: number | null
}

type Found = StoredRecord & Pick<BoxRow, 'pk' | 'secret' | 'private'>

const FIND =
  'select r.id, r.collection, r.created, r.updated, r.rev, r.raw, b.pk, b.secret, b.private ' +
  'from boxes b join records r on r.box = b.pk where b.id = ? and r.id = ? and (r.expires is null or r.expires > ?)'

const SPAN =
  'select (select min(created) from records where box = ? <visible>) as created, ' +
  '(select max(updated) from records where box = ? and updated is not null <visible>) as updated'

export function readRecords(database: Database, now: () => Date) {
  return {
    /** Undefined if the record does not exist or the key may not read it. */
    find(box: string, id: string, key: string | undefined): Promise<StoredRecord | undefined> {
      const time = now().getTime()
      return database.read(function* () {
        const [row] = yield* query<Found>(FIND, box, id, time)
        return (yield* hasPermission(row, key, 'read')) ? row : undefined
      })
    },
    async span({ box, visibleAt }: RecordScope): Promise<Omit<Meta, 'count'>> {
      const isAll = visibleAt === undefined
      const sql = SPAN.replaceAll('<visible>', isAll ? '' : `and ${VISIBLE}`)
      const args = isAll ? [box, box] : [box, visibleAt, box, visibleAt]
      const [row] = await database.read(() => queryAutocommit<Omit<Meta, 'count'>>(sql, ...args))
      return row ?? { created: null, updated: null }
    }
  }
}
