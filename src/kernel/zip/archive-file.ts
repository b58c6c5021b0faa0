import type { FileHandle } from 'node:fs/promises'
import { damaged } from './zip-error.ts'

/** The open file of an archive. */
export interface ArchiveFile {
  /** The name in error messages. */
  readonly path: string
  readonly size: number
  readonly handle: FileHandle
}

/** Fills `target` completely or throws. */
export async function readAt(
  { path, handle }: ArchiveFile,
  position: number,
  target: Buffer
): Promise<Buffer> {
  let length = 0
  while (length < target.length) {
    const rest = target.length - length
    const { bytesRead } = await handle.read(target, length, rest, position + length)
    if (bytesRead === 0) throw damaged(path, 'it ends too early')
    length += bytesRead
  }
  return target
}
