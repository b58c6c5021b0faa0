import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { StartFailure } from '../../../kernel/failures.ts'
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

/** At the start, so that nobody learns at the end of a long run that nothing was written. */
export function checkReportName(file: string): void {
  if (FORMATS[extname(file).toLowerCase()] === undefined) {
    const known = Object.keys(FORMATS).join(', ')
    throw new StartFailure(`The report ${file} must end in one of ${known}`)
  }
}

export async function writeReport(
  file: string,
  coverage: Coverage,
  failOn: readonly FailOn[]
): Promise<void> {
  const format = FORMATS[extname(file).toLowerCase()]
  if (format !== undefined) await writeFile(file, format(coverage, failOn))
}
