import type { Database } from '../../../kernel/database/database.ts'
import type { Transaction } from '../../../kernel/database/transaction.ts'
import type { Condition } from '../http/preconditions.ts'
import { openBox, openOrClaimBox } from './access.ts'
import { acknowledge, type KnownBox } from './known-boxes.ts'
import type { Content, StoredRecord } from './record.ts'
import type { Watch } from './watch.ts'
import {
  beginWriting,
  evictBeyondCap,
  freeId,
  requireExisting,
  storeChange,
  storeNew,
  storeRemoval,
  type Writing
} from './write.ts'

export type BatchOperation =
  | {
      readonly op: 'create'
      /** Chosen by the caller, and must not be in use; undefined for a generated id. */
      readonly id: string | undefined
      readonly content: Content
      readonly collection: string | undefined
      readonly ttl: number | undefined
    }
  | {
      readonly op: 'put'
      readonly id: string
      readonly content: Content
      readonly condition: Condition
    }
  | {
      readonly op: 'patch'
      readonly id: string
      readonly patch: (raw: string) => Content
      readonly condition: Condition
    }
  | { readonly op: 'delete'; readonly id: string; readonly condition: Condition }

export interface BatchResult {
  readonly id: string
  /** The record after the operation; undefined if it was deleted. */
  readonly record: StoredRecord | undefined
}

export function runBatches(
  database: Database,
  nextId: () => string,
  timeIn: (box: string) => Promise<{ known: KnownBox; created: number }>,
  watch: Watch
) {
  const { engine } = database

  function* run(writing: Writing, operation: BatchOperation): Transaction<BatchResult> {
    const { op } = operation
    if (op === 'create') return yield* create(writing, operation)
    const { id, condition } = operation
    const held = yield* requireExisting(writing, id, condition)
    if (op === 'delete') {
      yield* storeRemoval(writing, 'pk = ?', [held.pk])
      return { id, record: undefined }
    }
    const content = op === 'put' ? operation.content : operation.patch(held.raw)
    return { id, record: yield* storeChange(writing, held, content) }
  }

  function* create(
    writing: Writing,
    operation: BatchOperation & { op: 'create' }
  ): Transaction<BatchResult> {
    const { time } = writing
    const { id: wanted, content, ttl } = operation
    const collection = operation.collection ?? null
    const id = wanted ?? nextId()
    if (wanted !== undefined) yield* freeId(writing, id)
    const rev = wanted === undefined ? 1 : time
    yield* storeNew(writing, [{ ...content, id, collection, ttl, rev }])
    return { id, record: { id, collection, created: time, updated: null, rev, raw: content.raw } }
  }

  return {
    async runBatch(
      id: string,
      key: string | undefined,
      operations: readonly BatchOperation[]
    ): Promise<BatchResult[]> {
      const { known, created: time } = await timeIn(id)
      const changes = operations.some(({ op }) => op !== 'create')
      const results = await database.write(function* () {
        const box = yield* openOrClaimBox({ id, key, need: 'create', time }, engine)
        if (changes) yield* openBox(id, key, 'write')
        const writing = beginWriting(engine, box, time)
        const results: BatchResult[] = []
        for (const [index, operation] of operations.entries()) {
          try {
            results.push(yield* run(writing, operation))
          } catch (error) {
            throw Object.assign(error as Error, { index })
          }
        }
        yield* evictBeyondCap(writing)
        return results
      })
      acknowledge(known, time)
      watch.changed(id, operations.length)
      return results
    }
  }
}
