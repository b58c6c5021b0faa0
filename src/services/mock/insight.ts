import type { Violation } from './coverage/coverage.ts'
import type { Documents } from './documents.ts'
import { type DescribedEntry, describeEntry } from './journal/describe-entry.ts'
import { describeOperations, type MockedOperation } from './mocked-operation.ts'
import { type CoverageReport, jsonReport } from './report/json.ts'

/** What whoever embeds the mock may ask of it. */
export interface Insight {
  operations: (base: string) => MockedOperation[]
  /** Requests that met no operation included; warnings too. */
  violations: () => Violation[]
  coverage: () => CoverageReport
  /** What was asked and answered, the latest first, as far as it is kept. */
  journal: () => DescribedEntry[]
  /** Nothing was asked, nothing was called. */
  reset: () => void
}

export function createInsight(documents: Documents): Insight {
  const { coverage, journal, mask } = documents
  return {
    operations: (base) => describeOperations(documents, base),
    violations: () => [
      ...coverage.list().flatMap(({ violations }) => violations),
      ...coverage.strays()
    ],
    coverage: () => jsonReport(coverage),
    journal: () => [...journal.list()].map((entry) => describeEntry(entry, mask)),
    reset() {
      journal.clear()
      coverage.reset()
    }
  }
}
