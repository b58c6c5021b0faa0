import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FileDriver } from '../files/driver.ts'
import type { BackupFile, BackupTable } from './portable.ts'

/**
 * The files that the rows of a table of references count. `onLost` is called for each that is
 * missing or whose content is damaged, because a backup that contains it could not be restored.
 */
export async function* referencedFiles(
  table: BackupTable,
  driver: FileDriver,
  onLost: (hash: string) => void
): AsyncGenerator<BackupFile> {
  for await (const hash of hashesOf(table)) {
    const size = await intactSize(driver, hash)
    if (size === undefined) onLost(hash)
    else yield { service: table.service, file: hash, size, read: () => readFile(driver, hash) }
  }
}

async function* hashesOf({ columns, read }: BackupTable): AsyncGenerator<string> {
  const hash = columns.indexOf('hash')
  const refs = columns.indexOf('refs')
  for await (const rows of read()) {
    for (const row of rows) if (Number(row[refs]) > 0) yield String(row[hash])
  }
}

/** Undefined if the file is missing or its content has another hash. */
async function intactSize(driver: FileDriver, hash: string): Promise<number | undefined> {
  const opened = await driver.open(hash)
  if (opened === undefined) return undefined
  const digest = createHash('sha256')
  for await (const chunk of opened.stream) digest.update(chunk)
  return digest.digest('hex') === hash ? opened.size : undefined
}

async function* readFile(driver: FileDriver, hash: string): AsyncGenerator<Uint8Array> {
  const opened = await driver.open(hash)
  if (opened === undefined) throw new Error(`The file ${hash} was removed while it was read`)
  yield* opened.stream as Readable & AsyncIterable<Uint8Array>
}
