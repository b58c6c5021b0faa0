/** One file of an archive, in a zip or in a folder. */
export interface ArchiveEntry {
  /** The path below the folder with the data, with slashes. */
  readonly name: string
  readonly size: number
  /** The file and its archive, for messages. */
  readonly label: string
  /** CRC-32 of the bytes. */
  checksum(): Promise<number>
  /** The bytes; throws if they cannot be read to the end. */
  read(): AsyncIterable<Buffer>
}

/** One of the paths that were named. */
export interface ArchivePart {
  readonly path: string
  readonly entries: readonly ArchiveEntry[]
  close(): Promise<void>
}

/** Characters of a name in a key. */
const MAX_NAME = 200

/** Tells whether an imported file is stored, also if the archive was unpacked since. */
export async function sourceKeyOf(entry: ArchiveEntry): Promise<string> {
  const file = entry.name.slice(entry.name.lastIndexOf('/') + 1).slice(-MAX_NAME)
  const checksum = await entry.checksum()
  return `${file}:${entry.size}:${checksum.toString(16).padStart(8, '0')}`
}
