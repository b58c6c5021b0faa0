import type { Violation } from './coverage/coverage.ts'
import type { Documents } from './documents.ts'
import { type DescribedEntry, describeEntry } from './journal/describe-entry.ts'
import { describeOperations, type MockedOperation } from './mocked-operation.ts'
import { type CoverageReport, jsonReport, withoutEntry } from './report/json.ts'

/** Data of the running mock for programs that embed it. */
export interface Insight {
  operations: (base: string) => MockedOperation[]
  /** All violations, including warnings and requests that match no operation. */
  violations: () => Violation[]
  coverage: () => CoverageReport
  /** Recorded exchanges that are still kept, latest first. */
  journal: () => DescribedEntry[]
  /** Clears the journal and the coverage. */
  reset: () => void
}

export function createInsight(documents: Documents): Insight {
  const { coverage, journal, mask } = documents
  return {
    operations: (base) => describeOperations(documents, base),
    violations: () =>
      [...coverage.list().flatMap(({ violations }) => violations), ...coverage.strays()].map(
        withoutEntry
      ),
    coverage: () => jsonReport(coverage),
    journal: () => [...journal.list()].map((entry) => describeEntry(entry, mask)),
    reset() {
      journal.clear()
      coverage.reset()
    }
  }
}
