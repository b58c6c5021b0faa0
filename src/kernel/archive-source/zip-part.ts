import { basename } from 'node:path'
import { openZip } from '../zip/open-zip.ts'
import type { ArchivePart } from './entries.ts'

/** A zip archive; the data of its entries is read only on request. */
export async function openZipPart(path: string): Promise<ArchivePart> {
  const zip = await openZip(path)
  const entries = zip.entries
    .filter(({ isFolder }) => !isFolder)
    .map((entry) => ({
      name: entry.name,
      size: entry.size,
      label: `${entry.name} of ${basename(path)}`,
      checksum: async () => entry.crc,
      read: () => zip.read(entry)
    }))
  return { path, entries, close: () => zip.close() }
}
