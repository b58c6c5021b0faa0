import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './launcher.ts'

/** Unit tests that look at which modules their process has loaded. */
const ALONE: readonly string[] = JSON.parse(
  readFileSync(join(ROOT, 'test/units/alone.json'), 'utf8')
)

/**
 * Runs the unit tests below these folders in the process of the importing file: a process for each
 * of them would take 0.3 s of CPU to start.
 */
export async function importUnitTests(...folders: readonly string[]): Promise<void> {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: ROOT }))
  for (const file of files.sort()) {
    if (!file.includes('node_modules') && !ALONE.includes(file.replaceAll('\\', '/'))) {
      await import(join(ROOT, file))
    }
  }
}
