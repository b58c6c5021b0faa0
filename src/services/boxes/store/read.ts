import type { Database } from '../../../kernel/database/database.ts'
import { type Plan, query, queryAlone } from '../../../kernel/database/plan.ts'
import type { StoredRecord } from './record.ts'

export interface Meta {
  readonly count: number
  readonly created: number | null
  readonly updated: number | null
}

const FIND =
  'select r.id, r.collection, r.created, r.updated, r.rev, r.raw ' +
  'from boxes b join records r on r.box = b.pk where b.id = ? and r.id = ?'

const BOX = '(select pk from boxes where id = ?)'
const SPAN = `select (select min(created) from records where box = ${BOX}) as created, (select max(updated) from records where box = ${BOX} and updated is not null) as updated`

export function readRecords(database: Database) {
  return {
    async find(box: string, id: string): Promise<StoredRecord | undefined> {
      const [row] = await database.read(() => queryAlone<StoredRecord>(FIND, box, id))
      return row
    },
    span(box: string): Promise<Omit<Meta, 'count'>> {
      return database.read(function* (): Plan<Omit<Meta, 'count'>> {
        const [row] = yield* query<Omit<Meta, 'count'>>(SPAN, box, box)
        return row ?? { created: null, updated: null }
      })
    }
  }
}
