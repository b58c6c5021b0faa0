import type { Coverage, OperationCoverage, Violation } from '../coverage.ts'
import { type Summary, summarise } from './summary.ts'

export interface CoverageReport extends Summary {
  byOperation: CoveredOperation[]
  /** Requests that met no operation. */
  strayRequests: readonly Violation[]
}

export interface CoveredOperation {
  method: string
  path: string
  operationId: string | null
  calls: number
  statuses: Record<string, number>
  undocumentedStatuses: Record<string, number>
  examples: Record<string, number>
  parameters: Record<string, number>
  violations: readonly Violation[]
}

export function jsonReport(coverage: Coverage): CoverageReport {
  return {
    ...summarise(coverage),
    byOperation: coverage.list().map(describeCoverage),
    strayRequests: coverage.strays()
  }
}

function describeCoverage(entry: OperationCoverage): CoveredOperation {
  const { operation, calls, statuses, undocumented, examples, parameters, violations } = entry
  return {
    method: operation.method,
    path: operation.path,
    operationId: operation.id ?? null,
    calls,
    statuses: Object.fromEntries(statuses),
    undocumentedStatuses: Object.fromEntries(undocumented),
    examples: Object.fromEntries(examples),
    parameters: Object.fromEntries(parameters),
    violations: [...violations]
  }
}
