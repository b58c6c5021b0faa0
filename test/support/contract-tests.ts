import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROOT } from './launcher.ts'

/**
 * Runs the contract tests of a service in the process of the importing file, `<service>-<n>.test.ts`,
 * one file after the other: a process for each of them would take a second of CPU to start. The
 * files of `test/groups/` for one service share its contract tests, each taking every nth.
 */
export async function importContractTests(groupFile: string): Promise<void> {
  const [service = ''] = basename(groupFile).split('-')
  const groups = globSync(`test/groups/${service}-*.test.ts`, { cwd: ROOT }).sort()
  const number = groups.findIndex((group) => basename(group) === basename(groupFile))
  const files = globSync(`test/contract/${service}{.test.ts,-*.test.ts}`, { cwd: ROOT }).sort()
  for (const file of files.filter((_, index) => index % groups.length === number)) {
    await import(join(ROOT, file))
  }
}
