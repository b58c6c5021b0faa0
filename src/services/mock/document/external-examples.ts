import { UserError } from '../../../kernel/errors.ts'
import type { Finding } from '../../../kernel/service.ts'
import { nameOf } from './file-name.ts'
import { ReferenceRefused } from './reference-folders.ts'

/** Reads the bytes at a URL; throws a `UserError` with the reason if that fails. */
export type ReadBytes = (url: URL) => Promise<Buffer>

/** Bytes of external examples by their `externalValue`. */
export type Externals = ReadonlyMap<string, Buffer>

export interface ReadExternals {
  externals: Externals
  /** URLs of all files that may appear or change. */
  files: readonly string[]
  missing: readonly string[]
  findings: readonly Finding[]
}

/** Maximum size of all external examples of a document. */
const MAX_TOTAL_BYTES = 128 * 1024 * 1024

/** Reads external examples; those that cannot be read are reported and get generated bodies. */
export async function readExternals(
  hrefs: ReadonlyMap<string, string>,
  readBytes: ReadBytes
): Promise<ReadExternals> {
  const externals = new Map<string, Buffer>()
  const files: string[] = []
  const missing: string[] = []
  const findings: Finding[] = []
  let total = 0
  for (const [written, href] of hrefs) {
    try {
      const bytes = await readBytes(new URL(href))
      total += bytes.length
      if (total > MAX_TOTAL_BYTES) throw new UserError('The external examples are too large')
      externals.set(written, bytes)
      files.push(href)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      if (!(error instanceof ReferenceRefused)) files.push(href)
      missing.push(href)
      const text = `${error.message}; the body of this external example is generated`
      findings.push({ level: 'warning', where: nameOf(href), text })
    }
  }
  return { externals, files, missing, findings }
}
