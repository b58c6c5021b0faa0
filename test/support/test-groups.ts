import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { importTestFiles } from './import-test-files.ts'
import { ROOT } from './launcher.ts'
import { isAlone } from './tests-alone.ts'

/**
 * Runs the contract tests of a service in the process of the importing file, `<service>-<n>.test.ts`,
 * one file after the other: a process for each of them would take a second of CPU to start. The
 * files of `test/groups/` for one service share its contract tests, each taking every nth. Those
 * named `database-<n>.test.ts` share the tests of `test/database/`.
 */
export async function importGroup(groupFile: string): Promise<void> {
  const [name = ''] = basename(groupFile).split('-')
  const groups = globSync(`test/groups/${name}-*.test.ts`, { cwd: ROOT }).sort()
  const number = groups.findIndex((group) => basename(group) === basename(groupFile))
  const pattern =
    name === 'database' ? 'test/database/*.test.ts' : `test/contract/${name}{.test.ts,-*.test.ts}`
  const files = globSync(pattern, { cwd: ROOT })
    .filter((file) => !isAlone(file))
    .sort()
  const own = files.filter((_, index) => index % groups.length === number)
  await importTestFiles(own.map((file) => join(ROOT, file)))
}
