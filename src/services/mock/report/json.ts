import type { Coverage, OperationCoverage, Violation } from '../coverage/coverage.ts'
import { type Summary, summarise } from './summary.ts'

export interface CoverageReport extends Summary {
  byOperation: CoveredOperation[]
  /** Requests without a matching operation. */
  strayRequests: readonly Violation[]
}

export interface CoveredOperation {
  method: string
  path: string
  operationId: string | null
  /** The document that contains the operation, as named by the operator. */
  document: string
  calls: number
  statuses: Record<string, number>
  undocumentedStatuses: Record<string, number>
  examples: Record<string, number>
  parameters: Record<string, number>
  /** Media types of request bodies. */
  requestTypes: Record<string, number>
  violations: readonly Violation[]
}

export function jsonReport(coverage: Coverage): CoverageReport {
  return {
    ...summarise(coverage),
    byOperation: coverage.list().map(describeCoverage),
    strayRequests: coverage.strays().map(withoutEntry)
  }
}

function describeCoverage(entry: OperationCoverage): CoveredOperation {
  const { operation, document, calls, violations } = entry
  return {
    method: operation.method,
    path: operation.path,
    operationId: operation.id ?? null,
    document,
    calls,
    statuses: Object.fromEntries(entry.statuses),
    undocumentedStatuses: Object.fromEntries(entry.undocumented),
    examples: Object.fromEntries(entry.examples),
    parameters: Object.fromEntries(entry.parameters),
    requestTypes: Object.fromEntries(entry.requestTypes),
    violations: violations.map(withoutEntry)
  }
}

/** Numbers of journal entries mean nothing after the run. */
export function withoutEntry({ entry, ...violation }: Violation): Violation {
  return violation
}
