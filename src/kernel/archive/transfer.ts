import { UserError } from '../errors.ts'
import { findStored } from './check-headers.ts'
import { type BackupTable, createDigest, type ServiceBackup } from './portable.ts'
import type { RestoreTarget } from './target.ts'

export interface TransferOptions {
  /** Whether existing data is replaced. */
  force: boolean
  services: readonly ServiceBackup[]
  progress: (rows: number) => void
}

/** Requires the tables of a service in sequence, parents first. Resolves to the number of rows. */
export async function transfer(
  tables: AsyncIterable<BackupTable>,
  target: RestoreTarget,
  options: TransferOptions
): Promise<number> {
  const arriving = new Set<ServiceBackup>()
  let total = 0
  for await (const table of tables) {
    const stored = findStored(options.services, table)
    if (!arriving.has(stored)) {
      await rejectOccupied(target, stored, options)
      await target.prepare(stored, table.step)
      arriving.add(stored)
    }
    await moveTable(table, target, stored, options)
    total += table.rows
  }
  for (const stored of arriving) await target.complete(stored)
  await target.commit()
  return total
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
