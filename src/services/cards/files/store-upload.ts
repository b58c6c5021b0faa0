import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { FileTooLarge } from '../../../kernel/files/files.ts'
import { findImageType } from '../../../kernel/images/image-type.ts'
import { type CleanImage, ImageRefused, ImagesBusy } from '../../../kernel/images/images.ts'
import { IMAGE_LIMITS } from '../../../kernel/images/limits.ts'
import { isSvg } from '../../../kernel/images/svg-header.ts'
import type { CardContext } from '../context.ts'
import { BodyTooLarge, FilesBusy } from '../contract.ts'
import type { InputFile } from '../http/input.ts'
import type { StoredImage, StoredUpload } from '../records/stored-upload.ts'
import { safeFileName } from './file-name.ts'

interface UploadContext {
  readonly kernel: Pick<CardContext['kernel'], 'files'>
  readonly images: CardContext['images']
  readonly options: Pick<CardContext['options'], 'maxFileBytes'>
}

/** Enough to tell the type of a file. */
const FIRST_BYTES = 4096

/**
 * Stores the file as it is and, if it is an image, the public one without metadata. A transaction
 * with rows that refer to both must follow within an hour, else they are removed.
 */
export async function storeUpload(
  context: UploadContext,
  { path, name, size }: Pick<InputFile, 'path' | 'name' | 'size'>
): Promise<StoredUpload> {
  const { files } = context.kernel
  const { maxFileBytes } = context.options
  if (size > maxFileBytes) throw new BodyTooLarge(maxFileBytes)
  try {
    const image = await storeImage(context, path, size)
    const stored = await files.put(createReadStream(path), { maxBytes: maxFileBytes })
    return { ...stored, fileName: safeFileName(name), image }
  } catch (error) {
    throw error instanceof FileTooLarge ? new BodyTooLarge(maxFileBytes) : error
  }
}

async function storeImage(
  { kernel, images }: UploadContext,
  path: string,
  size: number
): Promise<StoredImage | undefined> {
  if (size > IMAGE_LIMITS.bytes) return undefined
  const first = await readFirst(path)
  if (findImageType(first) === undefined && !isSvg(first)) return undefined
  const clean = await cleanOrUndefined(await images(), await readFile(path))
  if (clean === undefined) return undefined
  const { bytes, mediaType, width, height, color } = clean
  const stored = await kernel.files.put(pieces(bytes))
  return { ...stored, mediaType, width, height, color }
}

/** A damaged or too large image stays a file to download. */
async function cleanOrUndefined(
  images: Awaited<ReturnType<CardContext['images']>>,
  bytes: Buffer
): Promise<CleanImage | undefined> {
  try {
    return await images.clean(bytes)
  } catch (error) {
    if (error instanceof ImageRefused) return undefined
    throw error instanceof ImagesBusy ? new FilesBusy() : error
  }
}

async function readFirst(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
