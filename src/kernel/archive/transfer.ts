import { StartFailure } from '../failures.ts'
import { createDigest, type PortableTable, type Stored } from './portable.ts'
import type { Target } from './target.ts'

export interface TransferOptions {
  /** Replace what is there. */
  force: boolean
  services: readonly Stored[]
  progress: (rows: number) => void
}

/** Tables of one service follow each other, parents first. Returns how many rows arrived. */
export async function transfer(
  tables: AsyncIterable<PortableTable>,
  target: Target,
  options: TransferOptions
): Promise<number> {
  const arriving = new Set<Stored>()
  let total = 0
  for await (const table of tables) {
    const stored = findStored(options.services, table)
    if (!arriving.has(stored)) {
      await refuseOccupied(target, stored, options)
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

function findStored(
  services: readonly Stored[],
  { service, step }: Pick<PortableTable, 'service' | 'step'>
): Stored {
  const stored = services.find(({ name }) => name === service)
  if (stored === undefined) {
    throw new StartFailure(`Unknown service ${service}, or it stores no data`)
  }
  if (step > stored.migrations.length) {
    throw new StartFailure(
      `The data of ${service} was written by a newer version of nonet: use that version`
    )
  }
  return stored
}

async function refuseOccupied(
  target: Target,
  stored: Stored,
  { force }: TransferOptions
): Promise<void> {
  const count = await target.countRows(stored)
  if (count === 0 || force) return
  throw new StartFailure(
    `${stored.name} already has ${count} rows there: use --force to replace them`
  )
}

async function moveTable(
  table: PortableTable,
  target: Target,
  stored: Stored,
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
    throw new StartFailure(
      `The rows of ${table.service}.${table.table} differ from the source after copying; nothing was changed`
    )
  }
}
