import type { Engine } from '../../../kernel/database/database.ts'
import { query, type SqlValue, type Transaction } from '../../../kernel/database/transaction.ts'
import { NothingToWrite, PreconditionFailed } from '../contract.ts'
import { type Condition, checkRevision } from '../http/preconditions.ts'
import { checkSchema } from '../schema/check.ts'
import type { BoxRow } from './access.ts'
import { addEntries, changeEntries, type Indexed, removeEntries } from './entries.ts'
import { insertRows, insertUnnumbered, type RecordRow } from './insert.ts'
import { type Log, openLog, type Touched } from './log.ts'
import type { Content, StoredRecord } from './record.ts'
import { type BoxRules, rulesOf } from './rules.ts'

/** The state of a transaction that writes to a box after access was checked. */
export interface Writing {
  readonly engine: Engine
  readonly box: BoxRow
  readonly rules: BoxRules
  readonly log: Log
  readonly time: number
}

export function beginWriting(engine: Engine, box: BoxRow, time: number, log = openLog(engine)) {
  return { engine, box, rules: rulesOf(box.settings), log, time }
}

export interface NewRecord extends Content {
  readonly id: string
  readonly collection: string | null
  /** Seconds to live; by default, that of the box. */
  readonly ttl: number | undefined
  readonly rev?: number
  /** Creation time; by default, the time of the transaction. */
  readonly created?: number | undefined
  readonly updated?: number | null
}

/** A stored record with its number. */
export interface ExistingRecord extends StoredRecord {
  readonly pk: number
}

const SECOND_MS = 1000
/** Maximum number of records that are evicted by one statement. */
const MAX_EVICTED = 1000

export const VISIBLE = '(expires is null or expires > ?)'
const FIND = `select pk, id, collection, created, updated, rev, raw from records where box = ? and id = ? and ${VISIBLE}`
export const SOME_EXPIRED =
  'pk in (select pk from records where box = ? and expires is not null and expires <= ? order by expires limit ?)'
const RETURNING = 'returning pk, box, id, collection, rev'
const RETURNING_TEXT = `${RETURNING}, raw`

export function expiryOf({ ttl }: { ttl: number | undefined }, rules: BoxRules, time: number) {
  const seconds = ttl ?? rules.ttl
  return seconds === undefined ? null : time + seconds * SECOND_MS
}

/** Does not apply `cap`; callers run `evictBeyondCap` at the end of the transaction. */
export function* storeNew(writing: Writing, records: readonly NewRecord[]): Transaction<void> {
  const { engine, box, rules, log, time } = writing
  if (rules.schemas !== undefined) {
    for (const [index, { collection, raw }] of records.entries()) {
      yield* checkSchema(box.pk, rules, collection, raw, records.length > 1 ? index : undefined)
    }
  }
  const rows = records.map((record): RecordRow => {
    const { id, collection, raw, doc, rev = 1, created = time, updated = null } = record
    const expires = expiryOf(record, rules, time)
    return { box: box.pk, id, collection, created, updated, expires, rev, raw, doc }
  })
  if ((rules.indexes ?? []).length === 0) return yield* insertUnnumbered(rows, engine, log, time)
  const inserted = yield* insertRows(rows, engine, log, time)
  const raws = new Map(records.map(({ id, raw }) => [id, raw]))
  const indexed = inserted.map(({ pk, id }) => ({ pk, raw: raws.get(id) ?? '{}' }))
  yield* addEntries(box.pk, rules.indexes, indexed, engine)
}

/** The record to change; throws if it does not exist or does not fulfil the condition. */
export function* requireExisting(
  { box, time }: Writing,
  id: string,
  condition: Condition
): Transaction<ExistingRecord> {
  const [held] = yield* query<ExistingRecord>(FIND, box.pk, id, time)
  checkRevision(condition, held?.rev)
  if (held === undefined) throw new NothingToWrite()
  return held
}

export function* storeChange(
  writing: Writing,
  held: ExistingRecord,
  { raw, doc }: Content
): Transaction<StoredRecord> {
  const { engine, box, rules, log, time } = writing
  yield* checkSchema(box.pk, rules, held.collection, raw, undefined)
  // `updated` never decreases, even if the clock is set back.
  const updated = Math.max(time, held.updated ?? held.created)
  const text = engine === 'sqlite' ? 'jsonb(?)' : '?'
  const sql = `update records set raw = ?, doc = ${text}, rev = rev + 1, updated = ? where pk = ? ${RETURNING}`
  yield* log.apply('update', time, { sql, args: [raw, doc, updated, held.pk] })
  yield* changeEntries(box.pk, rules.indexes, held, raw, engine)
  return { ...held, raw, updated, rev: held.rev + 1 }
}

interface Removed extends Touched, Indexed {}

/** Deletes records of the box that fulfil a condition in SQL. */
export function* storeRemoval(
  { engine, box, rules, log, time }: Writing,
  where: string,
  args: readonly SqlValue[]
): Transaction<readonly (Touched & { readonly pk: number })[]> {
  const isIndexed = (rules.indexes ?? []).length > 0
  const sql = `delete from records where box = ? and ${where} ${isIndexed ? RETURNING_TEXT : RETURNING}`
  const gone = yield* log.apply<Removed>('delete', time, { sql, args: [box.pk, ...args] })
  if (isIndexed) yield* removeEntries(box.pk, rules.indexes, gone, engine)
  return gone
}

/** Throws if the id is in use; deletes an expired record with this id. */
export function* freeId(writing: Writing, id: string): Transaction<void> {
  const { box, time } = writing
  const [held] = yield* query(FIND, box.pk, id, time)
  if (held !== undefined) throw new PreconditionFailed()
  yield* storeRemoval(writing, 'id = ?', [id])
}

/** Deletes expired records and the oldest beyond `cap`; true if there may be more. */
export function* evictBeyondCap(writing: Writing): Transaction<boolean> {
  const { box, rules, time } = writing
  if (rules.cap === undefined) return false
  // Expired records do not count, so they are deleted first.
  const expired = yield* storeRemoval(writing, SOME_EXPIRED, [box.pk, time, MAX_EVICTED])
  if (expired.length === MAX_EVICTED) return true
  const beyond =
    'pk in (select pk from records where box = ? order by created desc, pk desc limit ? offset ?)'
  const gone = yield* storeRemoval(writing, beyond, [box.pk, MAX_EVICTED, rules.cap])
  return gone.length === MAX_EVICTED
}
