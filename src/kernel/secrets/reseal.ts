import type { Database } from '../database/database.ts'
import type { Transaction } from '../database/transaction.ts'
import { createCheck } from './check.ts'
import { SecretUnreadable } from './errors.ts'
import type { SecretKeys } from './keys.ts'
import type { SealedColumn, SecretRules } from './rules.ts'
import { openValue, sealValue } from './seal.ts'
import { replaceCheck, replaceSealed, type SealedRow, sealedWithOthers } from './table.ts'

/** Values of one transaction. */
const BATCH = 100

export interface Resealed {
  changed: number
  /** Values that no key opens; they are left as they are. */
  unreadable: number
}

interface ResealContext {
  service: string
  rules: SecretRules
  /** The values of the service are sealed with the first one. */
  keys: SecretKeys
}

/**
 * Seals all values with the first key, and the check value in the last transaction. If it is
 * interrupted, each value is readable with one of the keys, and another run does the rest. No
 * other process may seal with another key meanwhile.
 */
export async function reseal(
  database: Pick<Database, 'write'>,
  context: ResealContext
): Promise<Resealed> {
  const total = { changed: 0, unreadable: 0 }
  for (const column of context.rules.columns) {
    let after: string | number | undefined
    while (true) {
      const from = after
      const done = await database.write(() => resealBatch(context, column, from))
      total.changed += done.changed
      total.unreadable += done.unreadable
      if (done.last === undefined) break
      after = done.last
    }
  }
  if (total.unreadable === 0) {
    const check = createCheck(context.service, context.keys)
    await database.write(() => replaceCheck(check))
  }
  return total
}

interface Batch extends Resealed {
  /** Undefined if there are no more values. */
  last: string | number | undefined
}

function* resealBatch(
  context: ResealContext,
  column: SealedColumn,
  after: string | number | undefined
): Transaction<Batch> {
  const [first] = context.keys
  const rows = yield* sealedWithOthers(column, first.id, after, BATCH)
  const batch: Batch = { changed: 0, unreadable: 0, last: rows.at(-1)?.key }
  for (const row of rows) {
    const sealed = resealValue(context, column, row)
    if (sealed === undefined) {
      batch.unreadable += 1
      continue
    }
    yield* replaceSealed(column, row, sealed)
    batch.changed += 1
  }
  return batch
}

/** Undefined if no key opens the value. */
function resealValue(
  { service, keys }: ResealContext,
  { purpose }: SealedColumn,
  { key, sealed }: SealedRow
): string | undefined {
  const context = { service, purpose: typeof purpose === 'string' ? purpose : purpose(key) }
  try {
    return sealValue(keys[0], context, openValue(keys, context, sealed))
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}
