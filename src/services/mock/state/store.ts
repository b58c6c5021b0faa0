import type { Database } from '../../../kernel/database/database.ts'
import type { Plan } from '../../../kernel/database/plan.ts'
import { databaseTables } from './database-tables.ts'
import { createMemoryTables, runInMemory } from './memory-tables.ts'
import type { Tables } from './tables.ts'

/** Where the state is kept. */
export interface Store {
  tables: Tables
  read: <T>(plan: () => Plan<T>) => Promise<T>
  /** Resolves when the change is durable, as far as this store is. */
  write: <T>(plan: () => Plan<T>) => Promise<T>
}

export function openStore(database: Database | undefined): Store {
  if (database !== undefined) {
    return { tables: databaseTables, read: database.read, write: database.write }
  }
  const run = async <T>(plan: () => Plan<T>) => runInMemory(plan)
  return { tables: createMemoryTables(), read: run, write: run }
}
