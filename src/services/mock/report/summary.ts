import type { Coverage, OperationCoverage, Violation } from '../coverage/coverage.ts'

export interface Summary {
  operations: number
  covered: number
  calls: number
  violations: number
  /** Requests without a matching operation. */
  strays: number
}

export function summarise(coverage: Coverage): Summary {
  const all = coverage.list()
  return {
    operations: all.length,
    covered: all.filter(({ calls }) => calls > 0).length,
    calls: all.reduce((total, { calls }) => total + calls, 0),
    violations: all.reduce((total, { errors }) => total + errors, 0),
    strays: coverage.strayCount()
  }
}

/** Violations that fail a run; warnings, such as the use of deprecated parts, do not. */
export function errorsOf({ violations }: OperationCoverage): Violation[] {
  return violations.filter(({ severity }) => severity === 'Error')
}

export type FailOn = 'violation' | 'uncovered'

/** Why a run has failed; undefined if it has not. */
export function reasonToFail(coverage: Coverage, failOn: readonly FailOn[]): string | undefined {
  const { operations, covered, violations, strays } = summarise(coverage)
  const reasons: string[] = []
  if (failOn.includes('violation')) {
    if (violations > 0) reasons.push(countOf(violations, 'violation'))
    if (strays > 0) reasons.push(`${countOf(strays, 'request')} without a matching operation`)
  }
  if (failOn.includes('uncovered') && covered < operations) {
    reasons.push(`${operations - covered} of ${countOf(operations, 'operation')} never called`)
  }
  return reasons.length === 0 ? undefined : reasons.join(', ')
}

export function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}
