import { globSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './launcher.ts'
import { isAlone } from './tests-alone.ts'

/**
 * Runs the unit tests below these folders in the process of the importing file: a process for each
 * of them would take 0.3 s of CPU to start.
 */
export async function importUnitTests(...folders: readonly string[]): Promise<void> {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: ROOT }))
  for (const file of files.sort()) {
    if (!file.includes('node_modules') && !isAlone(file)) {
      await import(join(ROOT, file))
    }
  }
}
