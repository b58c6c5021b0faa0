import type { Database, WriteOptions } from '../../../kernel/database/database.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { AccountRequest, ImportedPost, StoredFile } from '../import/protocol.ts'
import type { AddedAccount, NewAccount } from './add-account.ts'
import type { ImportedAccountResult } from './import-account.ts'
import type { Imported } from './import-posts.ts'
import type { ImportResult } from './plan-import.ts'

export interface StatusStore {
  engine: Database['engine']
  /** Runs a transaction of the functions of this folder that read. */
  read: Database['read']
  /** Runs a transaction that writes, with the time of the write. */
  change: <T extends { isVisible: boolean }>(
    transaction: (time: string) => Transaction<T>,
    options?: WriteOptions
  ) => Promise<T>
  importAccount: (request: AccountRequest) => Promise<ImportedAccountResult>
  importPosts: (
    account: string,
    posts: readonly ImportedPost[],
    dryRun: boolean
  ) => Promise<readonly ImportResult[]>
  /** An account that is not imported; `taken` if another one has the user name. */
  addAccount: (account: NewAccount) => Promise<{ id: string } | 'taken'>
  addUpload: (file: StoredFile) => Promise<void>
  forgetUploads: () => Promise<void>
  /** Erases posts whose time to be restored is over. */
  erasePosts: () => Promise<void>
  /** Whether there was one. */
  removeSample: () => Promise<boolean>
  /** To be called before the first request. */
  enlargeCache: () => Promise<void>
}

/** In KiB. SQLite uses it as far as it reads different parts of the file; 2 MB by default. */
const CACHE_KIB = 32 * 1024

/**
 * `changed` is called after each commit that changes what clients see. What writes is loaded at its
 * first use, because most starts only read.
 */
export function statusStore(database: Database, now: () => Date, changed: () => void): StatusStore {
  const time = () => now().toISOString()
  const run = <T>(transaction: () => Transaction<T>, dryRun: boolean) =>
    dryRun ? database.read(transaction) : database.write(transaction)
  return {
    engine: database.engine,
    read: database.read,
    async change(transaction, writeOptions) {
      const at = time()
      const outcome = await database.write(() => transaction(at), writeOptions)
      if (outcome.isVisible) changed()
      return outcome
    },
    async importAccount(request) {
      const { importAccount } = await import('./import-account.ts')
      const at = time()
      const transaction = (): Transaction<ImportedAccountResult> => importAccount(request, at)
      const outcome = await run(transaction, request.dryRun)
      if ('response' in outcome && outcome.isVisible && !request.dryRun) changed()
      return outcome
    },
    async importPosts(account, posts, dryRun) {
      const { importPosts } = await import('./import-posts.ts')
      const options = { time: time(), dryRun }
      const transaction = (): Transaction<Imported> => importPosts(account, posts, options)
      const { results, isVisible } = await run(transaction, dryRun)
      if (isVisible && !dryRun) changed()
      return results
    },
    async addAccount(account) {
      const { addAccount } = await import('./add-account.ts')
      const { createSnowflake, randomWorker } = await import('../../../kernel/snowflake.ts')
      const id = createSnowflake({ now, worker: randomWorker() }).next()
      const at = time()
      const transaction = (): Transaction<AddedAccount> => addAccount(id, account, at)
      const added = await database.write(transaction)
      if (added !== 'taken' && added.isVisible) changed()
      return added === 'taken' ? added : { id }
    },
    async addUpload(file) {
      const { writeUpload } = await import('./uploads.ts')
      await database.write(() => writeUpload(file))
    },
    async forgetUploads() {
      const { forgetUploads } = await import('./uploads.ts')
      await database.write(forgetUploads, { frees: true })
    },
    async erasePosts() {
      const at = time()
      const { hasErasable } = await import('./erasable.ts')
      if (!(await database.read(() => hasErasable(at)))) return
      const { erasePosts } = await import('./erase-posts.ts')
      await database.write(() => erasePosts(at), { frees: true })
    },
    async removeSample() {
      const { removeSample } = await import('./remove-sample.ts')
      const at = time()
      const isRemoved = await database.write(() => removeSample(at), { frees: true })
      if (isRemoved) changed()
      return isRemoved
    },
    async enlargeCache() {
      if (database.engine !== 'sqlite') return
      await database.read(() => query(`pragma cache_size = -${CACHE_KIB}`))
    }
  }
}
