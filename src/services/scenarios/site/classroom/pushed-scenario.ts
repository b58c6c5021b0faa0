import type { Rule } from '../../workspace/rules.ts'

/** A rule for all requests; rules of test runners name a method, a path or numbers. */
function isPushed({ method, path, nth, times }: Rule): boolean {
  return [method, path, nth, times].every((condition) => condition === undefined)
}

/** The scenario that was pushed to a workspace with these rules. */
export function pushedScenario([first]: readonly Rule[]): string | undefined {
  return first !== undefined && isPushed(first) ? first.scenario : undefined
}

/**
 * The rules with another pushed scenario, or without one. It comes first, so that it applies to all
 * requests; the other rules are kept for later.
 */
export function withPushed(rules: readonly Rule[], scenario: string | undefined): readonly Rule[] {
  const [first, ...rest] = rules
  const others = first !== undefined && isPushed(first) ? rest : rules
  return scenario === undefined ? others : [{ scenario }, ...others]
}
