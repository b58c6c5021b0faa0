import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../../kernel/database/database.ts'
import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'
import { type BoxRow, findBox, openBox } from './access.ts'
import type { Access } from './indexes.ts'
import type { Watch } from './watch.ts'
import { beginWriting, evictBeyondCap, SOME_EXPIRED, storeRemoval } from './write.ts'

const EVERY_MS = 1000
/** Rows deleted in one transaction. */
const SLICE = 200

/** Prefix of the ids of removed boxes; `parseBoxPath` rejects its control character. */
const REMOVED = '\u0001removed '
/** Tables that hold the rows of a box, with their primary keys. */
const TABLES: Readonly<Record<string, string>> = {
  entries: 'box, path, key, rec',
  changes: 'box, seq',
  keys: 'box, id',
  schemas: 'box, collection',
  records: 'pk'
}

interface Swept extends BoxRow {
  readonly id: string
}

const FIND_EXPIRED =
  'select pk, id, secret, settings, private from boxes where pk = ' +
  '(select box from records where expires is not null and expires <= ? order by expires limit 1)'
const FIND_REMOVED = 'select pk from boxes where id >= ? and id < ? limit 1'

/** Periodic deletion of expired records and of the rows of removed boxes. */
export function sweepBoxes(database: Database, now: () => Date, watch: Watch) {
  const { engine } = database
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> | undefined
  let stopped = false

  async function sweepExpired(): Promise<boolean> {
    const time = now().getTime()
    const swept = await database.write(
      function* (): Transaction<{ id: string; count: number } | undefined> {
        const [box] = yield* query<Swept>(FIND_EXPIRED, time)
        if (box === undefined) return undefined
        const writing = beginWriting(engine, box, time)
        const gone = yield* storeRemoval(writing, SOME_EXPIRED, [box.pk, time, SLICE])
        return { id: box.id, count: gone.length }
      },
      { frees: true }
    )
    if (swept !== undefined) watch.changed(swept.id, swept.count)
    return swept !== undefined
  }

  async function findExpired(): Promise<boolean> {
    const sql = 'select 1 from records where expires is not null and expires <= ? limit 1'
    const found = await database.read(() => queryAutocommit(sql, now().getTime()))
    return found.length > 0
  }

  async function sweepRemoved(): Promise<boolean> {
    const range = [REMOVED, REMOVED.replace(' ', '!')]
    const [box] = await database.read(() => queryAutocommit<{ pk: number }>(FIND_REMOVED, ...range))
    if (box === undefined) return false
    await database.write(() => emptySome(box.pk), { frees: true })
    return true
  }

  async function sweep(): Promise<void> {
    while (!stopped && (await findExpired()) && (await sweepExpired())) await setImmediate()
    while (!stopped && (await sweepRemoved())) await setImmediate()
  }

  /** Only one sweep runs at a time; after an error, the next interval tries again. */
  function start(): Promise<void> {
    sweeping ??= sweep()
      .catch(() => {})
      .finally(() => {
        sweeping = undefined
      })
    return sweeping
  }

  return {
    startSweeping(): void {
      timer = setInterval(start, EVERY_MS).unref()
    },

    async stopSweeping(): Promise<void> {
      stopped = true
      clearInterval(timer)
      await sweeping
    },

    /** Deletes the oldest records beyond the `cap` of the box. */
    async evictAll({ box: id, key }: Access): Promise<void> {
      const time = now().getTime()
      let more = true
      while (more) {
        more = await database.write(
          function* () {
            const box = yield* openBox(id, key, 'manage')
            return box === undefined
              ? false
              : yield* evictBeyondCap(beginWriting(engine, box, time))
          },
          { frees: true }
        )
        await setImmediate()
      }
      watch.changed(id, 1)
    },

    /** Hides the box immediately; its rows are deleted later. False if there was none. */
    async removeBox({ box: id, key, operator }: Access): Promise<boolean> {
      const removed = await database.write(
        function* () {
          const box = yield* operator === true ? findBox(id) : openBox(id, key, 'manage')
          if (box === undefined) return false
          // With settings it is not plain, so inserts of processes that cached its number fail.
          const sql = "update boxes set id = ?, settings = '{}' where pk = ?"
          yield* query(sql, `${REMOVED}${box.pk}`, box.pk)
          return true
        },
        { frees: true }
      )
      if (removed) {
        watch.changed(id, 1)
        start()
      }
      return removed
    }
  }
}

/** Deletes rows of the first table that has some; the box itself if there are none. */
function* emptySome(box: number): Transaction<void> {
  for (const [table, key] of Object.entries(TABLES)) {
    const some = `select ${key} from ${table} where box = ? limit ?`
    const gone = yield* query(
      `delete from ${table} where (${key}) in (${some}) returning 1 as one`,
      ...[box, SLICE]
    )
    if (gone.length > 0) return
  }
  yield* query('delete from boxes where pk = ?', box)
}
