import { describeOperations, type MockedOperation } from './admin/operations.ts'
import type { Violation } from './coverage/coverage.ts'
import type { Documents } from './documents.ts'
import { type CoverageReport, jsonReport } from './report/json.ts'

/** What whoever embeds the mock may ask of it. */
export interface Insight {
  operations: (base: string) => MockedOperation[]
  /** Requests that met no operation included; warnings too. */
  violations: () => Violation[]
  coverage: () => CoverageReport
}

export function createInsight(documents: Documents): Insight {
  const { coverage } = documents
  return {
    operations: (base) => describeOperations(documents, base),
    violations: () => [
      ...coverage.list().flatMap(({ violations }) => violations),
      ...coverage.strays()
    ],
    coverage: () => jsonReport(coverage)
  }
}
