import { UserError } from '../errors.ts'
import { replaceFolder } from '../files/table.ts'
import { findStored } from './check-headers.ts'
import type { FileTarget } from './file-target.ts'
import {
  type ArchiveContent,
  type BackupTable,
  createDigest,
  type ServiceBackup
} from './portable.ts'
import type { RestoreTarget } from './target.ts'

export interface TransferOptions {
  /** Whether existing data is replaced. */
  force: boolean
  services: readonly ServiceBackup[]
  /** Called with the number of rows and files that were stored. */
  progress: (count: number) => void
}

export interface Targets {
  tables: RestoreTarget
  files: FileTarget
}

export interface Transferred {
  rows: number
  files: number
}

/** Requires the tables of a service in sequence, parents first. */
export async function transfer(
  { tables, files }: ArchiveContent,
  targets: Targets,
  options: TransferOptions
): Promise<Transferred> {
  const { tables: target, files: fileTarget } = targets
  const arriving = new Set<ServiceBackup>()
  const done = { rows: 0, files: 0 }
  for await (const table of tables) {
    const stored = findStored(options.services, table)
    if (!arriving.has(stored)) {
      await rejectOccupied(target, stored, options)
      await target.prepare(stored, table.step)
      arriving.add(stored)
    }
    await moveTable(table, target, stored, options)
    done.rows += table.rows
  }
  for await (const file of files ?? []) {
    await fileTarget.add(file)
    done.files += 1
    options.progress(1)
  }
  for (const stored of arriving) await complete(stored, targets)
  await fileTarget.commit()
  await target.commit()
  return done
}

async function complete(stored: ServiceBackup, { tables, files }: Targets): Promise<void> {
  await tables.complete(stored)
  if (stored.hasFiles !== true) return
  const id = await files.identify(stored.name)
  await tables.write(stored, () => replaceFolder(id))
}

async function rejectOccupied(
  target: RestoreTarget,
  stored: ServiceBackup,
  { force }: TransferOptions
): Promise<void> {
  const count = await target.countRows(stored)
  if (count === 0 || force) return
  throw new UserError(`${stored.name} already has ${count} rows there: use --force to replace them`)
}

async function moveTable(
  table: BackupTable,
  target: RestoreTarget,
  stored: ServiceBackup,
  { progress }: TransferOptions
): Promise<void> {
  const sent = createDigest()
  for await (const rows of table.read()) {
    sent.add(rows)
    await target.insert(stored, table, rows)
    progress(rows.length)
  }
  const arrived = createDigest()
  for await (const rows of target.read(stored, table)) arrived.add(rows)
  if (sent.value() !== arrived.value()) {
    throw new UserError(
      `The rows of ${table.service}.${table.table} differ from the source after copying; nothing was changed`
    )
  }
}
