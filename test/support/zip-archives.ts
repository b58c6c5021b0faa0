import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import type { ZipLimits } from '../../src/kernel/zip/limits.ts'
import { openZip } from '../../src/kernel/zip/open-zip.ts'
import { ZipError, type ZipProblem } from '../../src/kernel/zip/zip-error.ts'
import { type RawArchive, type RawEntry, rawZip } from './raw-zip.ts'
import { scratchFolder } from './scratch-folder.ts'

export const TEXT = Buffer.from('a permanent home for posts, found by id alone. '.repeat(40))
export const FILE = { name: 'data/tweets.js', data: TEXT }
export const named = (name: string | Buffer, flags = 0): RawEntry => ({ name, data: TEXT, flags })

let folder: string | undefined
let files = 0

/** Stores an archive and returns its path. */
export function storeZip(bytes: Buffer): string {
  folder ??= scratchFolder()
  files += 1
  const path = join(folder, `${files}.zip`)
  writeFileSync(path, bytes)
  return path
}

/** Names and contents of all files in an archive. */
export async function readZip(
  path: string,
  limits: Partial<ZipLimits> = {}
): Promise<Map<string, Buffer>> {
  const zip = await openZip(path, limits)
  try {
    const contents = new Map<string, Buffer>()
    for (const entry of zip.entries) {
      if (!entry.isFolder) contents.set(entry.name, await buffer(zip.read(entry)))
    }
    return contents
  } finally {
    await zip.close()
  }
}

export interface RefusedArchive {
  entries: RawEntry[]
  archive?: RawArchive
  limits?: Partial<ZipLimits>
  /** Changes the bytes of the whole archive. */
  change?: (bytes: Buffer) => Buffer
  problem: ZipProblem
  message: RegExp
}

/** One test for each archive: it is refused with one sentence that names it. */
export function refuseArchives(archives: Readonly<Record<string, RefusedArchive>>): void {
  for (const [title, refused] of Object.entries(archives)) {
    const { entries, archive, limits, change, problem, message } = refused
    test(`an archive is refused: ${title}`, async () => {
      const bytes = rawZip(entries, archive)
      const path = storeZip(change === undefined ? bytes : change(bytes))
      await assert.rejects(readZip(path, limits), (error) => {
        assert.ok(error instanceof ZipError, String(error))
        assert.equal(error.problem, problem)
        assert.match(error.message, message)
        assert.ok(error.message.includes(path) && !error.message.includes('\n'))
        return true
      })
    })
  }
}
