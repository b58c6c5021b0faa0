import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { UserError } from '../../../kernel/errors.ts'
import type { Coverage } from '../coverage/coverage.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { reportPage } from './page.ts'
import type { FailOn } from './summary.ts'

const FORMATS: Readonly<Record<string, (coverage: Coverage, failOn: readonly FailOn[]) => string>> =
  {
    '.json': (coverage) => `${JSON.stringify(jsonReport(coverage), null, 2)}\n`,
    '.xml': junitReport,
    '.html': (coverage) => reportPage(coverage)
  }

export type WriteReport = (coverage: Coverage, failOn: readonly FailOn[]) => Promise<void>

/** Rejects a file name whose extension is not a known format. */
export function createReport(file: string): WriteReport {
  const format = FORMATS[extname(file).toLowerCase()]
  if (format === undefined) {
    const known = Object.keys(FORMATS).join(', ')
    throw new UserError(`The report ${file} must end in one of ${known}`)
  }
  return (coverage, failOn) => writeFile(file, format(coverage, failOn))
}
