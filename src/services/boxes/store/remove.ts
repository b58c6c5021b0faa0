import type { Database } from '../../../kernel/database/database.ts'
import { type Plan, query } from '../../../kernel/database/plan.ts'
import { openForWriting } from './change.ts'
import type { Row } from './scan.ts'

type Version = Pick<Row, 'pk' | 'rev'>

/** Rows of one statement; the last group is filled up, so that one statement does. */
const GROUP = 50
const VERSIONS = Array(GROUP).fill('(cast(? as bigint), cast(? as bigint))').join(', ')
const REMOVE = `delete from records where (pk, rev) in (values ${VERSIONS}) returning pk`

export function removeRecords(database: Database) {
  return {
    /** Throws when the key does not open the box. */
    async checkAccess(box: string, key: string | undefined): Promise<void> {
      await database.read(() => openForWriting(box, key))
    },

    /** Removes those that are still what they were when they were read; tells which. */
    removeVersions(
      box: string,
      key: string | undefined,
      versions: readonly Version[]
    ): Promise<ReadonlySet<number>> {
      return database.write(function* () {
        yield* openForWriting(box, key)
        const removed = new Set<number>()
        for (let from = 0; from < versions.length; from += GROUP) {
          const gone = yield* removeGroup(versions.slice(from, from + GROUP))
          for (const { pk } of gone) removed.add(pk)
        }
        return removed
      })
    }
  }
}

function removeGroup(versions: readonly Version[]): Plan<readonly { pk: number }[]> {
  const args = Array.from({ length: GROUP }, (_, index) => versions[index] ?? versions[0])
  return query<{ pk: number }>(REMOVE, ...args.flatMap((row) => (row ? [row.pk, row.rev] : [])))
}
