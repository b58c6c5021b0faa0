import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let root: string | undefined

/** Creates an empty folder; all of them are removed when the test process exits. */
export function scratchFolder(): string {
  if (root === undefined) {
    const created = mkdtempSync(join(tmpdir(), 'nonet-scratch-'))
    process.once('exit', () => rmSync(created, { recursive: true, force: true }))
    root = created
  }
  return mkdtempSync(join(root, 'folder-'))
}
