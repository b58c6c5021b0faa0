import type { Database } from '../../../kernel/database/database.ts'
import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { openBox } from './access.ts'
import type { Row } from './scan.ts'
import type { Watch } from './watch.ts'
import { beginWriting, storeRemoval } from './write.ts'

type Version = Pick<Row, 'pk' | 'rev'>

/** Rows per statement. */
const GROUP = 50
const VERSIONS = placeholders(GROUP, '(cast(? as bigint), cast(? as bigint))')
const STILL = `(pk, rev) in (values ${VERSIONS})`

export function removeRecords(database: Database, now: () => Date, watch: Watch) {
  return {
    /** Throws if the key may not write to the box. */
    async checkAccess(box: string, key: string | undefined): Promise<void> {
      await database.read(() => openBox(box, key, 'write'))
    },

    /** Deletes the records that still have the revision that was read; returns their numbers. */
    async removeVersions(
      id: string,
      key: string | undefined,
      versions: readonly Version[]
    ): Promise<ReadonlySet<number>> {
      const time = now().getTime()
      const removed = await database.write(
        function* () {
          const removed = new Set<number>()
          const box = yield* openBox(id, key, 'write')
          if (box === undefined) return removed
          const writing = beginWriting(database.engine, box, time)
          for (const some of fullGroupsOf(versions, GROUP)) {
            const args = some.flatMap(({ pk, rev }) => [pk, rev])
            for (const { pk } of yield* storeRemoval(writing, STILL, args)) removed.add(pk)
          }
          return removed
        },
        { frees: true }
      )
      if (removed.size > 0) watch.changed(id, removed.size)
      return removed
    }
  }
}
