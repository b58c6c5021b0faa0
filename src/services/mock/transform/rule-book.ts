import type { Operation } from '../model/api.ts'
import { compileTransformCacheKey, type TransformCacheKey } from './cache-key.ts'
import { PHASES, type Phase, type Rule } from './rule.ts'

/** The rules for one operation, or for requests without a matching operation. */
export interface RulesOf {
  byPhase: Readonly<Record<Phase, readonly Rule[]>>
  /** Whether a rule of the phase reads the body of the request. */
  readsRequestBody: (phase: Phase) => boolean
  readsResponseBody: (rules: readonly Rule[]) => boolean
  /** Cache key of the response rules; undefined if their results cannot be cached. */
  cacheKey: TransformCacheKey | undefined
}

export interface RuleBook {
  rules: readonly Rule[]
  of: (operation: Operation | undefined) => RulesOf
}

/** The rules of an operation are selected once, on its first request. */
export function createRuleBook(rules: readonly Rule[]): RuleBook {
  const known = new Map<Operation | undefined, RulesOf>()
  return {
    rules,
    of(operation) {
      const before = known.get(operation)
      if (before !== undefined) return before
      const own = rulesFor(rules.filter((rule) => isFor(rule, operation)))
      known.set(operation, own)
      return own
    }
  }
}

function rulesFor(rules: readonly Rule[]): RulesOf {
  const of = (phase: Phase) => rules.filter((rule) => rule.phase === phase)
  const byPhase = Object.fromEntries(PHASES.map((phase) => [phase, of(phase)])) as unknown
  const phases = byPhase as RulesOf['byPhase']
  return {
    byPhase: phases,
    readsRequestBody: (phase) => phases[phase].some((rule) => rule.readsRequestBody),
    readsResponseBody: (among) => among.some((rule) => rule.readsResponseBody),
    cacheKey: compileTransformCacheKey(phases.response)
  }
}

/** Whether a rule may apply to an operation, as far as this is known without a request. */
export function isFor({ match, home }: Rule, operation: Operation | undefined): boolean {
  const { operationIds, tags, methods, paths } = match
  if (operation === undefined) {
    // Path and method are then compared with the request itself, by `isForStray`.
    return home === undefined && operationIds === undefined && tags === undefined
  }
  if (home !== undefined && !home.has(operation)) return false
  if (operationIds !== undefined && !operationIds.includes(operation.id ?? '')) return false
  if (tags !== undefined && !tags.some((tag) => operation.tags.includes(tag))) return false
  if (methods !== undefined && !methods.includes(operation.method)) return false
  return paths === undefined || paths.some(({ fits }) => fits(operation.path))
}

/** Whether a rule applies to a request without a matching operation. */
export function isForStray({ match }: Rule, method: string, path: string): boolean {
  const { methods, paths } = match
  if (methods !== undefined && !methods.includes(method.toUpperCase())) return false
  return paths === undefined || paths.some(({ fits }) => fits(path))
}
