import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './launcher.ts'

/**
 * Tests that look at the modules of their process, or at all tables of its database, or that wait
 * for many seconds.
 */
const ALONE: readonly string[] = JSON.parse(readFileSync(join(ROOT, 'test/alone.json'), 'utf8'))

/** Whether a test has a process of its own. */
export function isAlone(file: string): boolean {
  return ALONE.includes(file.replaceAll('\\', '/'))
}
