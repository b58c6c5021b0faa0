import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { type Files, FileTooLarge } from '../../../kernel/files/files.ts'
import { findImageType } from '../../../kernel/images/image-type.ts'
import { ImageRefused, type Images, ImagesBusy } from '../../../kernel/images/images.ts'
import { IMAGE_LIMITS } from '../../../kernel/images/limits.ts'
import { requestChunks } from '../../../kernel/request-body.ts'
import { FileRefused, FilesBusy, ImportAborted, ImportTooLarge } from '../contract.ts'
import type { StoredFile } from '../import/protocol.ts'

export interface FileStorage {
  files: Files
  images: Images
  /** Of a video. */
  maxFileBytes: number
}

/** Enough to tell the type of a file. */
const FIRST_BYTES = 64

/** Stores an image without its metadata, or a video as it is. */
export async function storeFile(
  request: IncomingMessage,
  storage: FileStorage
): Promise<StoredFile> {
  const chunks = requestChunks(request, () => new ImportAborted())
  try {
    return await storeChunks(chunks, storage)
  } catch (error) {
    // The host closes a connection with an unread rest, on which the client may send more already.
    await chunks.return(undefined)
    await finished(request.resume(), { writable: false }).catch(() => undefined)
    throw error
  }
}

async function storeChunks(
  chunks: AsyncGenerator<Buffer>,
  { files, images, maxFileBytes }: FileStorage
): Promise<StoredFile> {
  const first = await readFirst(chunks)
  const rest = joined(first, chunks)
  if (findImageType(first) !== undefined) return storeImage(await readImage(rest), files, images)
  const mediaType = findVideoType(first)
  if (mediaType === undefined) {
    throw new FileRefused(
      'The file is neither an image (JPEG, PNG, WebP, GIF, AVIF) nor a video (MP4, WebM)'
    )
  }
  try {
    const { hash, size } = await files.put(rest, { maxBytes: maxFileBytes })
    return { hash, size, mediaType, width: 0, height: 0 }
  } catch (error) {
    throw error instanceof FileTooLarge ? new ImportTooLarge(maxFileBytes) : error
  }
}

/** Without its metadata. */
export async function storeImage(bytes: Buffer, files: Files, images: Images): Promise<StoredFile> {
  try {
    const { bytes: clean, mediaType, width, height } = await images.clean(bytes)
    const { hash, size } = await files.put(pieces(clean))
    return { hash, size, mediaType, width, height }
  } catch (error) {
    if (error instanceof ImageRefused) throw new FileRefused(error.message)
    throw error instanceof ImagesBusy ? new FilesBusy() : error
  }
}

async function readFirst(chunks: AsyncGenerator<Buffer>): Promise<Buffer> {
  let first: Buffer = Buffer.alloc(0)
  while (first.length < FIRST_BYTES) {
    const { done, value } = await chunks.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  return first
}

async function* joined(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

/** Up to what an image may have; the rest is not read. */
export async function readImage(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    size += chunk.length
    if (size > IMAGE_LIMITS.bytes) break
  }
  return Buffer.concat(parts)
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

function findVideoType(first: Buffer): string | undefined {
  const start = first.toString('latin1')
  if (/^.{4}ftyp/s.test(start)) return 'video/mp4'
  return start.startsWith('\x1a\x45\xdf\xa3') ? 'video/webm' : undefined
}
