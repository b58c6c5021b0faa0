import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { UserError } from '../errors.ts'
import { createPrivateFile, loadSqlite } from './sqlite-connection.ts'
import { explainFileErrors, isBusy, isDamage } from './sqlite-errors.ts'

export interface Lock {
  release: () => void
}

/**
 * Allows one nonet process per SQLite file, because services cache data in memory. It is SQLite's
 * lock on an empty file beside it, which the system releases however the process ends; a process
 * id in a file could by then belong to another process.
 */
export function lockDatabase(file: string): Lock {
  const name = `${file}.lock`
  return explainFileErrors(name, () => {
    const { DatabaseSync } = loadSqlite()
    createPrivateFile(name)
    const holder = new DatabaseSync(name)
    try {
      // Without a journal on the disk, which may be full.
      holder.exec('pragma journal_mode = memory; begin exclusive')
    } catch (cause) {
      holder.close()
      if (isDamage(cause)) {
        throw new UserError(`${name} is damaged: delete it, it contains no data`, { cause })
      }
      if (!isBusy(cause)) throw cause
      throw new UserError(
        `Another nonet process uses ${file}: stop it, or choose another folder with --data`,
        { cause }
      )
    }
    return { release: () => holder.close() }
  })
}

/** Removes the file, its log and the copies made before migrations. */
export async function removeDatabase(file: string): Promise<void> {
  if (!existsSync(file)) return
  const lock = lockDatabase(file)
  const folder = dirname(file)
  const copies = (await readdir(folder)).filter((name) =>
    name.startsWith(`${basename(file)}.step-`)
  )
  const paths = [file, `${file}-wal`, `${file}-shm`, ...copies.map((name) => join(folder, name))]
  for (const path of paths) await rm(path, { force: true })
  lock.release()
}
