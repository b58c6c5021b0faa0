import { globSync } from 'node:fs'
import { join } from 'node:path'
import { importTestFiles } from './import-test-files.ts'
import { ROOT } from './launcher.ts'
import { isAlone } from './tests-alone.ts'

/**
 * Runs the unit tests below these folders in the process of the importing file: a process for each
 * of them would take 0.3 s of CPU to start.
 */
export async function importUnitTests(...folders: readonly string[]): Promise<void> {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: ROOT }))
  const wanted = files.filter((file) => !file.includes('node_modules') && !isAlone(file))
  await importTestFiles(wanted.sort().map((file) => join(ROOT, file)))
}
