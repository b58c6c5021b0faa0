import type { Database, WriteOptions } from '../../../kernel/database/database.ts'
import {
  StorageDamaged,
  StorageFull,
  StorageUnavailable,
  StorageUnwritable
} from '../../../kernel/database/errors.ts'
import type { Transaction } from '../../../kernel/database/transaction.ts'
import { Problem } from '../contract.ts'
import { databaseTables } from './database-tables.ts'
import { createMemoryTables, runInMemory } from './memory-tables.ts'
import type { Tables } from './tables.ts'

/** Storage of the state: a database or memory. */
export interface Store {
  tables: Tables
  read: <T>(transaction: () => Transaction<T>) => Promise<T>
  /** Resolves when the change is stored, durably if the store is a database. */
  write: <T>(transaction: () => Transaction<T>, options?: WriteOptions) => Promise<T>
}

export function openStore(database: Database | undefined): Store {
  if (database !== undefined) {
    return {
      tables: databaseTables,
      read: (transaction) => database.read(transaction).catch(translate),
      write: (transaction, options) => database.write(transaction, options).catch(translate)
    }
  }
  const run = async <T>(transaction: () => Transaction<T>) => runInMemory(transaction)
  return { tables: createMemoryTables(), read: run, write: run }
}

/** Turns errors of the database into problems of this service. */
function translate(error: unknown): never {
  if (error instanceof StorageFull) throw new Problem('STORAGE_FULL', `${error.message}.`)
  if (error instanceof StorageUnavailable) {
    throw new Problem('STORAGE_UNAVAILABLE', `${error.message}.`, {
      headers: { 'retry-after': '1' }
    })
  }
  if (error instanceof StorageDamaged || error instanceof StorageUnwritable) {
    throw new Problem('STORAGE_UNAVAILABLE', `${error.message}.`)
  }
  throw error
}
