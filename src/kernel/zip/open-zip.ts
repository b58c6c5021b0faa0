import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ArchiveFile } from './archive-file.ts'
import { type EntryRecord, readCentralDirectory, type ZipEntry } from './central-directory.ts'
import { readDirectoryEnd } from './directory-end.ts'
import { DEFAULT_ZIP_LIMITS, ReadBudget, type ZipLimits } from './limits.ts'
import { readEntry } from './read-entry.ts'

export interface ZipArchive {
  /** In the order of the central directory. */
  readonly entries: readonly ZipEntry[]
  find(name: string): ZipEntry | undefined
  /**
   * The bytes of a file. All problems are errors of the stream, a wrong checksum after the last
   * byte: only what was read to its end without an error is right. Nothing is read before the
   * stream is.
   */
  read(entry: ZipEntry): Readable
  /** Destroys streams that are not at their end. */
  close(): Promise<void>
}

/** Opens a zip archive without reading the data of its entries. Throws `ZipError`. */
export async function openZip(path: string, limits: Partial<ZipLimits> = {}): Promise<ZipArchive> {
  const allLimits = { ...DEFAULT_ZIP_LIMITS, ...limits }
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const file = { path, size, handle }
    const records = await readCentralDirectory(file, await readDirectoryEnd(file), allLimits)
    return createArchive(file, records, new ReadBudget(path, allLimits))
  } catch (error) {
    await handle.close()
    throw error
  }
}

function createArchive(
  file: ArchiveFile,
  records: ReadonlyMap<string, EntryRecord>,
  budget: ReadBudget
): ZipArchive {
  const streams = new Set<Readable>()
  let closed: Promise<void> | undefined

  function read(entry: ZipEntry): Readable {
    const record = records.get(entry.name)
    if (record === undefined) throw new TypeError(`${file.path} has no entry ${entry.name}`)
    if (closed !== undefined) throw new TypeError(`${file.path} is closed`)
    const stream = Readable.from(readEntry(file, record, budget), { objectMode: false })
    streams.add(stream)
    stream.once('close', () => streams.delete(stream))
    return stream
  }

  async function closeAll(): Promise<void> {
    await Promise.all([...streams].map(destroyStream))
    await file.handle.close()
  }

  return {
    entries: [...records.values()],
    find: (name) => records.get(name),
    read,
    close: () => {
      closed ??= closeAll()
      return closed
    }
  }
}

/** Without an error, because a stream that is not read yet has no listener for one. */
function destroyStream(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', resolve)
    stream.destroy()
  })
}
