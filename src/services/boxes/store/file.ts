import type { FastifyError } from 'fastify'
import type { Database } from '../../../kernel/database/database.ts'
import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { SchemaMismatch } from '../contract.ts'
import { checkSchema } from '../schema/check.ts'
import { openOrClaimBox, openOrClaimFreely } from './access.ts'
import { changeEntries } from './entries.ts'
import type { Content } from './record.ts'
import type { Watch } from './watch.ts'
import {
  beginWriting,
  type ExistingRecord,
  evictBeyondCap,
  expiryOf,
  storeNew,
  storeRemoval,
  type Writing
} from './write.ts'

/** An imported record with its own id and dates; those that are undefined are assigned here. */
export interface Filing extends Content {
  readonly id: string | undefined
  readonly created: number | undefined
  readonly updated: number | undefined
  readonly collection: string | undefined
}

export interface FileTarget {
  readonly box: string
  readonly key: string | undefined
  /** True for the operator, who needs no key. */
  readonly operator: boolean
}

export interface Filed {
  readonly created: number
  readonly replaced: number
  readonly unchanged: number
  /** Errors of records that do not match the schemas, by their position in the input. */
  readonly rejected: ReadonlyMap<number, FastifyError>
}

/** A record as it is to be stored. */
interface Wanted extends Content {
  readonly id: string
  readonly collection: string | null
  readonly created: number
  readonly updated: number | null
}

interface Mortal {
  readonly expires: number | null
}

/** Ids per statement. */
const GROUP = 50
const FIND = `select pk, id, collection, created, updated, rev, raw, expires from records where box = ? and id in (${placeholders(GROUP)})`
const LEAVING = 'select pk, box, id, collection, rev from records where pk = ?'
const LAST = 'select max(created) as last from records where box = ?'

/** Stores imported records: new ones, and those that differ from the stored one with their id. */
export function fileRecords(
  database: Database,
  nextId: () => string,
  now: () => Date,
  watch: Watch
) {
  const { engine } = database

  return {
    async file(target: FileTarget, filings: readonly Filing[]): Promise<Filed> {
      const time = now().getTime()
      const ids = filings.map(({ id }) => id ?? nextId())
      const { box: id, key } = target
      const open = target.operator ? openOrClaimFreely : openOrClaimBox
      const filed = await database.write(function* () {
        const box = yield* open({ id, key, need: 'write', time }, engine)
        const writing = beginWriting(engine, box, time)
        const held = yield* findHeld(writing, ids)
        const usual = yield* usualTime(writing, filings)
        const wanted = filings.map((filing, at) => {
          const one = wantedOf(filing, ids[at] ?? '', usual)
          const found = held.get(one.id)
          return found === undefined ? one : keepDates(filing, one, found, time)
        })
        return yield* store(writing, wanted, held)
      })
      watch.changed(id, filed.created + filed.replaced)
      return filed
    }
  }
}

function* store(
  writing: Writing,
  wanted: readonly Wanted[],
  held: ReadonlyMap<string, ExistingRecord>
): Transaction<Filed> {
  const rejected = yield* findMismatches(writing, wanted)
  const good = wanted.filter((_, at) => !rejected.has(at))
  const added = good.filter(({ id }) => !held.has(id))
  const changed = good.filter((one) => differs(held.get(one.id), one))
  // A revision that no earlier record with this id had, so that old ETags do not match.
  const records = added.map((one) => ({ ...one, ttl: undefined, rev: writing.time }))
  yield* storeNew(writing, records)
  for (const one of changed) {
    const before = held.get(one.id)
    if (before !== undefined) yield* replace(writing, before, one)
  }
  yield* evictBeyondCap(writing)
  const unchanged = good.length - added.length - changed.length
  return { created: added.length, replaced: changed.length, unchanged, rejected }
}

/** Errors of records that do not match the schemas; the others are stored. */
function* findMismatches(
  { box, rules }: Writing,
  wanted: readonly Wanted[]
): Transaction<ReadonlyMap<number, FastifyError>> {
  const rejected = new Map<number, FastifyError>()
  if (rules.schemas === undefined) return rejected
  for (const [at, { collection, raw }] of wanted.entries()) {
    try {
      yield* checkSchema(box.pk, rules, collection, raw, undefined)
    } catch (error) {
      if (!(error instanceof SchemaMismatch)) throw error
      rejected.set(at, error)
    }
  }
  return rejected
}

function* replace(writing: Writing, held: ExistingRecord, wanted: Wanted): Transaction<void> {
  const { engine, box, rules, log, time } = writing
  const { raw, doc, created, updated, collection } = wanted
  const text = engine === 'sqlite' ? 'jsonb(?)' : '?'
  const sql = `update records set raw = ?, doc = ${text}, created = ?, updated = ?, collection = ?, expires = ?, rev = rev + 1 where pk = ? returning pk, box, id, collection, rev`
  const expires = expiryOf({ ttl: undefined }, rules, time)
  const args = [raw, doc, created, updated, collection, expires, held.pk]
  const moves = held.collection !== collection
  // Clients that follow the old collection must receive a delete.
  if (moves) yield* log.apply('delete', time, { sql: LEAVING, args: [held.pk] })
  yield* log.apply(moves ? 'create' : 'update', time, { sql, args })
  yield* changeEntries(box.pk, rules.indexes, held, raw, engine)
}

/** The stored records by id. Expired ones are deleted, so that their ids can be used. */
function* findHeld(
  writing: Writing,
  ids: readonly string[]
): Transaction<ReadonlyMap<string, ExistingRecord>> {
  const { box, time } = writing
  const held = new Map<string, ExistingRecord>()
  for (const args of fullGroupsOf(ids, GROUP)) {
    for (const row of yield* query<ExistingRecord & Mortal>(FIND, box.pk, ...args)) {
      if (row.expires === null || row.expires > time) held.set(row.id, row)
      else yield* storeRemoval(writing, 'pk = ?', [row.pk])
    }
  }
  return held
}

/** Creation time of records without one, never earlier than that of the newest record. */
function* usualTime({ box, time }: Writing, filings: readonly Filing[]): Transaction<number> {
  if (filings.every(({ created }) => created !== undefined)) return time
  const [row] = yield* query<{ last: number | null }>(LAST, box.pk)
  return Math.max(time, row?.last ?? 0)
}

function wantedOf({ raw, doc, ...filing }: Filing, id: string, usual: number): Wanted {
  return {
    ...{ id, raw, doc },
    created: filing.created ?? usual,
    updated: filing.updated ?? null,
    collection: filing.collection ?? null
  }
}

/** Without `created`, the record keeps its creation time and is updated as by any update. */
function keepDates(filing: Filing, wanted: Wanted, held: ExistingRecord, time: number): Wanted {
  if (filing.created !== undefined) return wanted
  const { created, updated } = held
  const same = held.raw === wanted.raw && held.collection === wanted.collection
  return { ...wanted, created, updated: same ? updated : Math.max(time, updated ?? created) }
}

function differs(held: ExistingRecord | undefined, wanted: Wanted): boolean {
  if (held === undefined) return false
  return (
    held.raw !== wanted.raw ||
    held.collection !== wanted.collection ||
    held.created !== wanted.created ||
    held.updated !== wanted.updated
  )
}
