import type { Database, WriteOptions } from '../../../kernel/database/database.ts'
import type { Transaction } from '../../../kernel/database/transaction.ts'
import { NothingToWrite, PreconditionFailed } from '../contract.ts'
import { type Condition, NO_CONDITION } from '../http/preconditions.ts'
import { openBox } from './access.ts'
import { openLog, type Touched } from './log.ts'
import type { Content, StoredRecord } from './record.ts'
import type { Watch } from './watch.ts'
import {
  beginWriting,
  requireExisting,
  storeChange,
  storeRemoval,
  VISIBLE,
  type Writing
} from './write.ts'

export interface Target {
  readonly box: string
  readonly id: string
  readonly key: string | undefined
  readonly condition?: Condition
}

type Changed = Touched & Omit<StoredRecord, 'raw'>

const PLAIN = `box = (select pk from boxes where id = ? and secret is null and settings is null) and id = ? and ${VISIBLE}`

// `updated` never decreases, even if the clock is set back.
const REPLACE =
  'update records set raw = ?, doc = <doc>, rev = rev + 1, ' +
  'updated = case when coalesce(updated, created) > ? then coalesce(updated, created) else ? end ' +
  `where ${PLAIN} <rev> returning box, id, collection, created, updated, rev`
const REMOVE = `delete from records where ${PLAIN} <rev> returning box, id, collection, rev`

export function changeRecords(database: Database, now: () => Date, watch: Watch) {
  const { engine } = database
  const replace = REPLACE.replace('<doc>', engine === 'sqlite' ? 'jsonb(?)' : '?')

  /** Adds the condition to the statement; undefined if it is more than one `If-Match` revision. */
  function withRevision(sql: string, { ifMatch, ifNoneMatch }: Condition) {
    if (ifNoneMatch !== undefined) return undefined
    if (ifMatch === undefined || ifMatch === 'any')
      return { sql: sql.replace('<rev>', ''), args: [] }
    return ifMatch.length === 1
      ? { sql: sql.replace('<rev>', 'and rev = ?'), args: ifMatch }
      : undefined
  }

  /** The general path: applies the rules of the box and throws specific errors. */
  async function work<T>(
    { box: id, key, condition }: Target,
    transaction: (writing: Writing) => Transaction<T>,
    options?: WriteOptions
  ) {
    const time = now().getTime()
    const done = await database.write(function* () {
      const box = yield* openBox(id, key, 'write')
      if (box !== undefined) return yield* transaction(beginWriting(engine, box, time))
      if (condition?.ifMatch !== undefined) throw new PreconditionFailed()
      throw new NothingToWrite()
    }, options)
    watch.changed(id, 1)
    return done
  }

  return {
    /** In a plain box one statement is enough; if it changes no record, `work` runs. */
    async replace({ raw, doc }: Content, target: Target): Promise<StoredRecord> {
      const { box, id, condition = NO_CONDITION } = target
      const time = now().getTime()
      const quick = withRevision(replace, condition)
      if (quick !== undefined) {
        const args = [raw, doc, time, time, box, id, time, ...quick.args]
        const [done] = await database.write(() =>
          openLog(engine).apply<Changed>('update', time, { sql: quick.sql, args }, { alone: true })
        )
        if (done !== undefined) {
          watch.changed(box, 1)
          return { ...done, raw }
        }
      }
      return work(target, function* (writing) {
        const held = yield* requireExisting(writing, id, condition)
        return yield* storeChange(writing, held, { raw, doc })
      })
    },

    /** The new content is made from the current one. */
    change(make: (raw: string) => Content, target: Target): Promise<StoredRecord> {
      const { id, condition = NO_CONDITION } = target
      return work(target, function* (writing) {
        const held = yield* requireExisting(writing, id, condition)
        return yield* storeChange(writing, held, make(held.raw))
      })
    },

    async remove(target: Target): Promise<void> {
      const { box, id, condition = NO_CONDITION } = target
      const time = now().getTime()
      const quick = withRevision(REMOVE, condition)
      if (quick !== undefined) {
        const args = [box, id, time, ...quick.args]
        const done = await database.write(
          () => openLog(engine).apply('delete', time, { sql: quick.sql, args }, { alone: true }),
          { frees: true }
        )
        if (done.length > 0) return watch.changed(box, 1)
      }
      await work(
        target,
        function* (writing) {
          const { pk } = yield* requireExisting(writing, id, condition)
          yield* storeRemoval(writing, 'pk = ?', [pk])
        },
        { frees: true }
      )
    }
  }
}
