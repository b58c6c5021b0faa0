import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let root: string | undefined

/** A new empty folder; all of them go when the test process ends. */
export function scratchFolder(): string {
  if (root === undefined) {
    const created = mkdtempSync(join(tmpdir(), 'nonet-scratch-'))
    process.once('exit', () => rmSync(created, { recursive: true, force: true }))
    root = created
  }
  return mkdtempSync(join(root, 'folder-'))
}
