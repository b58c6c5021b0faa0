import { globSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './launcher.ts'

/**
 * Runs one of `count` shares of a service's contract tests in the process of the importing file,
 * one file after the other: a process for each of them would take a second of CPU to start.
 */
export async function importContractTests(
  service: string,
  number: number,
  count: number
): Promise<void> {
  const files = globSync(`test/contract/${service}{.test.ts,-*.test.ts}`, { cwd: ROOT }).sort()
  for (const file of files.filter((_, index) => index % count === number - 1)) {
    await import(join(ROOT, file))
  }
}
