import type { Coverage, OperationCoverage } from '../coverage.ts'
import { summarise } from './summary.ts'

export function jsonReport(coverage: Coverage): object {
  return {
    ...summarise(coverage),
    byOperation: coverage.list().map(describeCoverage),
    strayRequests: coverage.strays()
  }
}

export function describeCoverage(entry: OperationCoverage): object {
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
    violations
  }
}
