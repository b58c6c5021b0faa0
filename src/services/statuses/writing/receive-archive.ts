import { mkdir, statfs } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { StorageFull } from '../../../kernel/database/errors.ts'
import { isDiskFull } from '../../../kernel/database/sqlite-errors.ts'
import { isMultipart } from '../../../kernel/multipart.ts'
import { withBodyFile, withUpload } from '../../../kernel/upload.ts'
import { ArchiveTooLarge, ImportAborted, ImportInvalid } from '../contract.ts'
import { readFlags } from './import-flags.ts'

/** Parts of one archive on the disk. They are removed when the callback ends. */
export interface ReceivedArchive {
  /** Paths with the names that their sender gave them. */
  files: readonly { path: string; name: string }[]
  flags: Readonly<Record<string, string | boolean>>
}

export interface ArchiveFolder {
  folder: string
  maxBytes: number
}

/** X divides large archives into parts of 50 GB at most. */
const MAX_PARTS = 20
const MAX_FIELDS = 40
const FIELD_BYTES = 1000
/** Boundaries and headers of a form. */
const FORM_BYTES = 64 * 1024
/** An upload leaves this much of the disk free. */
const FREE_BYTES = 64 * 1024 * 1024
const DEFAULT_NAME = 'The archive'
const FORM_TOKEN = 'form'

/** The body is a zip file, or a form with the files `archive`; options are in the query or form. */
export async function receiveArchive(
  request: IncomingMessage,
  query: URLSearchParams,
  target: ArchiveFolder,
  use: (archive: ReceivedArchive) => Promise<void>
): Promise<void> {
  try {
    const options = [...query].filter(([name]) => name !== FORM_TOKEN)
    await (isMultipart(request.headers['content-type'])
      ? receiveForm(request, options, target, use)
      : receiveBody(request, options, target, use))
  } catch (error) {
    throw isDiskFull(error) ? new StorageFull({ cause: error }) : error
  }
}

async function receiveBody(
  request: IncomingMessage,
  options: [string, string][],
  { folder, maxBytes }: ArchiveFolder,
  use: (archive: ReceivedArchive) => Promise<void>
): Promise<void> {
  const flags = readFlags(options)
  const { bytes, tooLarge } = await spaceFor(folder, maxBytes)
  const errors = { tooLarge, aborted: () => new ImportAborted() }
  await withBodyFile(request, { folder, maxBytes: bytes, errors, sync: false }, (path) =>
    use({ files: [{ path, name: DEFAULT_NAME }], flags })
  )
}

async function receiveForm(
  request: IncomingMessage,
  options: [string, string][],
  { folder, maxBytes }: ArchiveFolder,
  use: (archive: ReceivedArchive) => Promise<void>
): Promise<void> {
  const { bytes, tooLarge } = await spaceFor(folder, maxBytes)
  const limits = {
    files: MAX_PARTS,
    fields: MAX_FIELDS,
    fieldBytes: FIELD_BYTES,
    allFileBytes: bytes,
    bodyBytes: bytes + FORM_BYTES
  }
  const invalid = () => new ImportInvalid('The form cannot be read; send it again')
  const errors = {
    invalidType: invalid,
    invalid,
    tooLarge,
    tooManyParts: () => new ImportInvalid(`Send at most ${MAX_PARTS} files at once`),
    aborted: () => new ImportAborted()
  }
  await withUpload(request, { folder, limits, errors, sync: false }, async (upload) => {
    const fields = upload.fields.map(({ name = '', value }): [string, string] => [name, value])
    const flags = readFlags([...options, ...fields].filter(([, value]) => value !== ''))
    const files = upload.files
      .filter(({ size, filename }) => size > 0 || (filename ?? '') !== '')
      .map(({ path, filename }) => ({ path, name: filename || DEFAULT_NAME }))
    if (files.length === 0) throw new ImportInvalid('Choose the zip file of an archive')
    await use({ files, flags })
  })
}

/** What an upload may take, and the error for more. */
async function spaceFor(
  folder: string,
  maxBytes: number
): Promise<{ bytes: number; tooLarge: () => Error }> {
  const free = await freeBytes(folder)
  if (free >= maxBytes)
    return { bytes: maxBytes, tooLarge: () => new ArchiveTooLarge(sizeText(maxBytes)) }
  return { bytes: free, tooLarge: () => new StorageFull() }
}

/** Without a limit if the system does not tell. */
async function freeBytes(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await statfs(folder).catch(() => undefined)
  if (found === undefined) return Number.POSITIVE_INFINITY
  return Math.max(0, found.bavail * found.bsize - FREE_BYTES)
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  const amount = bytes / 1024 ** power
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)} ${UNITS[power]}`
}
