import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../../kernel/database/database.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { TooManyIndexes } from '../contract.ts'
import type { Path } from '../query/filter.ts'
import { isSamePath } from '../query/index-ranges.ts'
import { type BoxRow, openBox, openOrClaimBox, seeBox } from './access.ts'
import { addEntries, FLAVOURS_PER_INDEX, type Indexed } from './entries.ts'
import { type BoxIndex, rulesOf, saveRules } from './rules.ts'
import type { Moment } from './scan.ts'

export const MAX_INDEXES = 16
/** Maximum size of the records that are indexed in one step, which blocks other requests. */
const STEP_BYTES = 64 * 1024
const STEP_RECORDS = 200
const DROP_AT_ONCE = 1000

const BY_NUMBER = 'select pk, secret, settings, private from boxes where pk = ?'
const UNFINISHED = `select pk from boxes where settings like '%"ready":false%' or settings like '%"dropped":%'`
// In the order of creation, for which there is an index; a long record has its own step.
const NEXT =
  'select pk, created, octet_length(raw) as size from records ' +
  'where box = ? and created >= ? and (created, pk) > (?, ?) order by created, pk limit ?'
const TEXTS =
  'select pk, raw from records where box = ? and created >= ? and (created, pk) > (?, ?) ' +
  'and created <= ? and (created, pk) <= (?, ?)'

export interface Access {
  readonly box: string
  readonly key: string | undefined
  /** True for the operator, who needs no key. */
  readonly operator?: boolean
}

/** Declared indexes: saved immediately, built in steps, and used when they are complete. */
export function declareIndexes(database: Database, now: () => Date) {
  const { engine } = database
  /** Running work of this process, by box. */
  const busy = new Map<number, Promise<void>>()

  function* findByNumber(pk: number): Transaction<BoxRow | undefined> {
    const [box] = yield* query<BoxRow>(BY_NUMBER, pk)
    return box
  }

  /** Position to continue from; undefined if all records have their entries. */
  function* buildSome(box: number, index: number, after: Moment): Transaction<Moment | undefined> {
    const found = yield* findByNumber(box)
    const wanted = rulesOf(found?.settings ?? null).indexes?.find((one) => one.number === index)
    if (wanted === undefined || wanted.ready) return undefined
    const from = [box, after.created, after.created, after.pk]
    const sizes = yield* query<Moment & { size: number }>(NEXT, ...from, STEP_RECORDS)
    let bytes = 0
    let last: Moment | undefined
    for (const { pk, created, size } of sizes) {
      bytes += size
      if (last !== undefined && bytes > STEP_BYTES) break
      last = { pk, created }
    }
    if (last === undefined) return undefined
    const until = [last.created, last.created, last.pk]
    const records = yield* query<Indexed>(TEXTS, ...from, ...until)
    yield* addEntries(box, [wanted], records, engine)
    return last
  }

  function* markReady(box: number, index: number): Transaction<void> {
    const found = yield* findByNumber(box)
    if (found === undefined) return
    const rules = rulesOf(found.settings)
    const indexes = rules.indexes?.map((one) =>
      one.number === index ? { ...one, ready: true } : one
    )
    yield* saveRules(box, { ...rules, ...(indexes === undefined ? {} : { indexes }) })
  }

  /** True if there may be more entries. */
  function* dropSome(box: number, index: number): Transaction<boolean> {
    const first = index * FLAVOURS_PER_INDEX
    const some =
      'select path, key, rec from entries where box = ? and path >= ? and path < ? order by path, key, rec limit ?'
    const rows = yield* query<{ path: number; key: Uint8Array; rec: number }>(
      some,
      ...[box, first, first + FLAVOURS_PER_INDEX, DROP_AT_ONCE]
    )
    const last = rows.at(-1)
    if (last !== undefined) {
      const until =
        'delete from entries where box = ? and path >= ? and (path, key, rec) <= (?, ?, ?)'
      yield* query(until, box, first, last.path, last.key, last.rec)
      return true
    }
    const found = yield* findByNumber(box)
    if (found === undefined) return false
    const rules = rulesOf(found.settings)
    const dropped = (rules.dropped ?? []).filter((one) => one !== index)
    yield* saveRules(box, { ...rules, dropped })
    return false
  }

  async function finish(box: number): Promise<void> {
    for (;;) {
      const found = await database.read(() => findByNumber(box))
      const { indexes = [], dropped = [] } = rulesOf(found?.settings ?? null)
      const [gone] = dropped
      const open = indexes.find(({ ready }) => !ready)
      if (gone !== undefined) {
        while (await database.write(() => dropSome(box, gone), { frees: true }))
          await setImmediate()
      } else if (open !== undefined) await build(box, open)
      else return
    }
  }

  async function build(box: number, { number }: BoxIndex): Promise<void> {
    let after: Moment | undefined = { created: 0, pk: 0 }
    while (after !== undefined) {
      const from: Moment = after
      after = await database.write(() => buildSome(box, number, from))
      // Other requests can write between two steps.
      await setImmediate()
    }
    await database.write(() => markReady(box, number))
  }

  /** Builds declared indexes and deletes dropped ones; after an error, the next start continues. */
  function workOn(box: number): Promise<void> {
    const running = busy.get(box)
    // Running work may have read the rules before they changed, so they are read again after it.
    const work = (running ?? Promise.resolve()).then(() => finish(box)).catch(() => {})
    busy.set(box, work)
    return work.finally(() => {
      if (busy.get(box) === work) busy.delete(box)
    })
  }

  return {
    async readIndexes({ box, key }: Access): Promise<readonly BoxIndex[]> {
      const found = await database.read(() => openBox(box, key, 'manage'))
      return rulesOf(found?.settings ?? null).indexes ?? []
    },

    /** The indexes for a reader; empty if the key may not read the box. */
    async seeIndexes({ box, key }: Access): Promise<readonly BoxIndex[]> {
      const found = await database.read(() => seeBox(box, key))
      return rulesOf(found?.settings ?? null).indexes ?? []
    },

    /** From now on every write updates the index. */
    async addIndex({ box: id, key }: Access, path: Path): Promise<BoxIndex> {
      const time = now().getTime()
      const { box, index } = await database.write(function* () {
        const box = yield* openOrClaimBox({ id, key, need: 'manage', time }, engine)
        const rules = rulesOf(box.settings)
        const { indexes = [], dropped = [] } = rules
        const known = indexes.find((one) => isSamePath(one.path, path))
        if (known !== undefined) return { box: box.pk, index: known }
        if (indexes.length >= MAX_INDEXES) throw new TooManyIndexes()
        const number = 1 + Math.max(0, ...indexes.map((one) => one.number), ...dropped)
        const index = { number, path, ready: false }
        yield* saveRules(box.pk, { ...rules, indexes: [...indexes, index] })
        return { box: box.pk, index }
      })
      if (!index.ready) workOn(box)
      return index
    },

    /** False if there was no such index. */
    async dropIndex({ box: id, key }: Access, path: Path): Promise<boolean> {
      const pk = await database.write(
        function* () {
          const box = yield* openBox(id, key, 'manage')
          if (box === undefined) return undefined
          const rules = rulesOf(box.settings)
          const { indexes = [], dropped = [] } = rules
          const known = indexes.find((one) => isSamePath(one.path, path))
          if (known === undefined) return undefined
          yield* saveRules(box.pk, {
            ...rules,
            indexes: indexes.filter((one) => one !== known),
            dropped: [...dropped, known.number]
          })
          return box.pk
        },
        { frees: true }
      )
      if (pk !== undefined) workOn(pk)
      return pk !== undefined
    },

    /** Completes the work that a stopped process has not finished. */
    async finishIndexes(): Promise<void> {
      const boxes = await database.read(() => query<{ pk: number }>(UNFINISHED))
      await Promise.all(boxes.map(({ pk }) => workOn(pk)))
    }
  }
}
