import { CHECK_TABLE } from '../secrets/table.ts'
import type { ArchiveContent, BackupRow, BackupTable } from './portable.ts'

/** Key that the sealed values of a service need; it is in no backup and no copy. */
export interface NeededKey {
  service: string
  keyId: string
}

/** The same content; `needed` is filled while its tables are read. */
export function observeKeys(content: ArchiveContent, needed: NeededKey[]): ArchiveContent {
  async function* tables(): AsyncGenerator<BackupTable> {
    for await (const table of content.tables) {
      yield table.table === CHECK_TABLE ? observed(table, needed) : table
    }
  }
  return { ...content, tables: tables() }
}

function observed(table: BackupTable, needed: NeededKey[]): BackupTable {
  const cell = table.columns.indexOf('key_id')
  return {
    ...table,
    async *read(): AsyncGenerator<readonly BackupRow[]> {
      for await (const rows of table.read()) {
        for (const row of rows) needed.push({ service: table.service, keyId: String(row[cell]) })
        yield rows
      }
    }
  }
}
