import type { Database } from '../../../kernel/database/database.ts'
import type { Transaction } from '../../../kernel/database/transaction.ts'
import type { AccountRequest, ImportedPost, StoredFile } from '../import/protocol.ts'
import { type ImportedAccountResult, importAccount } from './import-account.ts'
import { type Imported, importPosts } from './import-posts.ts'
import type { ImportResult } from './plan-import.ts'
import { removeSample } from './remove-sample.ts'
import { forgetUploads, writeUpload } from './uploads.ts'

export interface StatusStore {
  engine: Database['engine']
  /** Runs a transaction of the functions of this folder that read. */
  read: Database['read']
  importAccount: (request: AccountRequest) => Promise<ImportedAccountResult>
  importPosts: (
    account: string,
    posts: readonly ImportedPost[],
    dryRun: boolean
  ) => Promise<readonly ImportResult[]>
  addUpload: (file: StoredFile) => Promise<void>
  forgetUploads: () => Promise<void>
  /** Whether there was one. */
  removeSample: () => Promise<boolean>
}

/** `changed` is called after each commit that changes what clients see. */
export function statusStore(database: Database, now: () => Date, changed: () => void): StatusStore {
  const time = () => now().toISOString()
  const run = <T>(transaction: () => Transaction<T>, dryRun: boolean) =>
    dryRun ? database.read(transaction) : database.write(transaction)
  return {
    engine: database.engine,
    read: database.read,
    async importAccount(request) {
      const at = time()
      const transaction = (): Transaction<ImportedAccountResult> => importAccount(request, at)
      const outcome = await run(transaction, request.dryRun)
      if ('response' in outcome && outcome.isVisible && !request.dryRun) changed()
      return outcome
    },
    async importPosts(account, posts, dryRun) {
      const options = { time: time(), dryRun }
      const transaction = (): Transaction<Imported> => importPosts(account, posts, options)
      const { results, isVisible } = await run(transaction, dryRun)
      if (isVisible && !dryRun) changed()
      return results
    },
    addUpload: (file) => database.write(() => writeUpload(file)),
    forgetUploads: () => database.write(forgetUploads, { frees: true }),
    async removeSample() {
      const at = time()
      const isRemoved = await database.write(() => removeSample(at), { frees: true })
      if (isRemoved) changed()
      return isRemoved
    }
  }
}
