import { type CheckValue, findCheck } from '../kernel/secrets/table.ts'
import { readTables } from './read-tables.ts'
import { SERVICE_NAMES } from './service-names.ts'
import type { Storage } from './storage.ts'

/** The check values of all services that have one there, by name, whether they run or not. */
export async function findChecks(
  storage: Storage,
  names: readonly string[]
): Promise<ReadonlyMap<string, CheckValue>> {
  const all = [...new Set([...SERVICE_NAMES, ...names])]
  const engine = storage.database === undefined ? 'sqlite' : 'postgres'
  const found = await readTables(all, storage, () => findCheck(engine))
  return new Map(
    [...found].flatMap(([name, check]) => (check === undefined ? [] : [[name, check]]))
  )
}
