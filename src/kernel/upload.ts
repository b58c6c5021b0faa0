import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import {
  isMultipart,
  type MultipartErrors,
  type MultipartFile,
  type MultipartLimits,
  type MultipartPart,
  readMultipart
} from './multipart.ts'
import { isAnnouncedOver, requestChunks } from './request-body.ts'

export interface UploadField extends MultipartPart {
  readonly value: string
}

export interface UploadedFile extends MultipartFile {
  readonly size: number
  /** In hexadecimal digits. */
  readonly sha256: string
  /** Path of the temporary file. */
  readonly path: string
}

/** Fields and files, each in the order they were sent, also fields after files. */
export interface Upload {
  readonly fields: readonly UploadField[]
  readonly files: readonly UploadedFile[]
}

export interface UploadErrors extends MultipartErrors {
  /** The connection was closed before the end of the body. */
  aborted: (cause: unknown) => Error
}

export interface UploadOptions {
  /** Folder for temporary files; created if it is missing. */
  folder: string
  /** Without `bodyBytes` the length of a body is not limited. */
  limits: MultipartLimits
  errors: UploadErrors
  /** Whether files are flushed to the disk (fsync) before `use` is called. */
  sync: boolean
}

const SUFFIX = '.part'

/**
 * Streams a form with files to the disk. `use` may move the files; the remaining ones are removed
 * when it ends and on every error.
 */
export async function withUpload<T>(
  request: IncomingMessage,
  { folder, limits, errors, sync }: UploadOptions,
  use: (upload: Upload) => Promise<T>
): Promise<T> {
  const contentType = request.headers['content-type'] ?? ''
  if (!isMultipart(contentType)) throw errors.invalidType(new Error('Not multipart/form-data'))
  const { bodyBytes = Number.POSITIVE_INFINITY } = limits
  if (isAnnouncedOver(request, bodyBytes)) throw errors.tooLarge()
  const paths: string[] = []
  const fields: UploadField[] = []
  const files: UploadedFile[] = []

  async function store(part: MultipartFile, content: AsyncIterable<Buffer>): Promise<void> {
    const path = join(folder, randomUUID() + SUFFIX)
    // The next file may begin, and even end, before this one is written.
    const index = paths.push(path) - 1
    files[index] = { ...part, path, ...(await write(path, content, sync)) }
  }

  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await readMultipart(
      requestChunks(request, errors.aborted),
      { contentType, limits, errors, nameCharset: 'utf8' },
      { field: (part, value) => fields.push({ ...part, value }), file: store }
    )
    return await use({ fields, files })
  } finally {
    await Promise.all(paths.map((path) => rm(path, { force: true })))
  }
}

export interface BodyFileOptions extends Pick<UploadOptions, 'folder' | 'sync'> {
  maxBytes: number
  errors: Pick<UploadErrors, 'tooLarge' | 'aborted'>
}

/** Streams a body to the disk as one file, whatever its type; it is removed as in `withUpload`. */
export async function withBodyFile<T>(
  request: IncomingMessage,
  { folder, maxBytes, errors, sync }: BodyFileOptions,
  use: (path: string) => Promise<T>
): Promise<T> {
  if (isAnnouncedOver(request, maxBytes)) throw errors.tooLarge()
  const path = join(folder, randomUUID() + SUFFIX)
  const chunks = requestChunks(request, errors.aborted)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await write(path, limited(chunks, maxBytes, errors.tooLarge), sync)
    return await use(path)
  } finally {
    await rm(path, { force: true })
  }
}

async function* limited(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  tooLarge: () => Error
): AsyncGenerator<Buffer> {
  let left = maxBytes
  for await (const chunk of chunks) {
    left -= chunk.length
    if (left < 0) throw tooLarge()
    yield chunk
  }
}

async function write(path: string, content: AsyncIterable<Buffer>, sync: boolean) {
  const hash = createHash('sha256')
  let size = 0
  // Mode 0600, so that other users of the machine cannot read uploads.
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of content) {
      size += chunk.length
      hash.update(chunk)
      await file.appendFile(chunk)
    }
    if (sync) await file.sync()
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest('hex') }
}

/** Removes temporary files of a killed process; to be called at the start, before any upload. */
export async function removeStaleUploads(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const stale = names.filter((name) => name.endsWith(SUFFIX))
  await Promise.all(stale.map((name) => rm(join(folder, name), { force: true })))
}
