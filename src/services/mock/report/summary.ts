import type { Coverage, OperationCoverage, Violation } from '../coverage/coverage.ts'

export interface Summary {
  operations: number
  covered: number
  calls: number
  violations: number
  /** Requests that met no operation. */
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

/** Warnings, such as the use of something deprecated, fail nobody's run. */
export function errorsOf({ violations }: OperationCoverage): Violation[] {
  return violations.filter(({ severity }) => severity === 'Error')
}

export type FailOn = 'violation' | 'uncovered'

export function isFailed(coverage: Coverage, failOn: readonly FailOn[]): boolean {
  const { operations, covered, violations, strays } = summarise(coverage)
  return (
    (failOn.includes('violation') && violations + strays > 0) ||
    (failOn.includes('uncovered') && covered < operations)
  )
}
