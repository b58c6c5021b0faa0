import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { STORED } from '../../src/kernel/zip/read-entry.ts'
import {
  centralRecord,
  directoryEnd,
  localHeader,
  type WrittenEntry
} from '../../src/kernel/zip/records.ts'

export interface SparseFile {
  name: string
  /** A number is the size of a hole, which takes no space on the disk. */
  content: Buffer | number
}

/**
 * A zip archive whose large entries are holes. Their checksums are wrong on purpose: a program that
 * reads such an entry fails.
 */
export async function writeSparseZip(path: string, files: readonly SparseFile[]): Promise<void> {
  await using handle = await open(path, 'w')
  const modified = new Date('2026-01-02T03:04:06Z')
  const written: WrittenEntry[] = []
  let position = 0
  for (const { name, content } of files) {
    const isHole = typeof content === 'number'
    const size = isHole ? content : content.length
    const entry: WrittenEntry = {
      ...{ name, modified, method: STORED, offset: position },
      // A size of more than 32 bits is only in the central directory.
      hasDescriptor: isHole,
      crc: isHole ? 0x1badbad1 : crc32(content),
      ...{ size, compressedSize: size, end: 0 }
    }
    const header = localHeader(entry)
    await handle.write(header, 0, header.length, position)
    if (!isHole) await handle.write(content, 0, size, position + header.length)
    position += header.length + size
    entry.end = position
    written.push(entry)
  }
  const records = Buffer.concat(written.map(centralRecord))
  const end = directoryEnd(written.length, position, records.length)
  await handle.write(Buffer.concat([records, end]), 0, undefined, position)
}
