import { open, stat } from 'node:fs/promises'
import { UserError } from '../errors.ts'
import type { ArchivePart } from './entries.ts'
import { openFolderPart } from './folder-part.ts'
import { openZipPart } from './zip-part.ts'

/** The files of a folder or of a zip archive; undefined for a file of another kind. */
export async function openFolderOrZip(path: string): Promise<ArchivePart | undefined> {
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const text = cause.code === 'ENOENT' ? `${path} does not exist` : cause.message
    throw new UserError(text, { cause })
  })
  if (found.isDirectory()) return openFolderPart(path)
  if (!found.isFile()) throw new UserError(`${path} is neither a file nor a folder`)
  const isZip = path.toLowerCase().endsWith('.zip') || (await startsAsZip(path))
  return isZip ? openZipPart(path) : undefined
}

/** Of an archive with entries and of an empty one. */
const ZIP_STARTS = [Buffer.from('PK\x03\x04'), Buffer.from('PK\x05\x06')]

async function startsAsZip(path: string): Promise<boolean> {
  await using handle = await open(path, 'r')
  const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
  return ZIP_STARTS.some((start) => buffer.equals(start))
}
