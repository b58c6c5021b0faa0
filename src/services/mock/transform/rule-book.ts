import type { Operation } from '../model/api.ts'
import { compileTransformCacheKey, type TransformCacheKey } from './cache-key.ts'
import { PHASES, type Phase, type Rule } from './rule.ts'

/** The rules for one operation, or for requests that meet none. */
export interface RulesOf {
  byPhase: Readonly<Record<Phase, readonly Rule[]>>
  /** Whether a rule of the phase looks into the body of the request. */
  readsRequestBody: (phase: Phase) => boolean
  readsResponseBody: (rules: readonly Rule[]) => boolean
  /** Of what the rules for the response make; nothing when that is new every time. */
  cacheKey: TransformCacheKey | undefined
}

export interface RuleBook {
  rules: readonly Rule[]
  of: (operation: Operation | undefined) => RulesOf
}

/** Which rules are for an operation is found out once, at its first request. */
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

/** What can be said before the request is there. */
export function isFor({ match, home }: Rule, operation: Operation | undefined): boolean {
  const { operationIds, tags, methods, paths } = match
  if (operation === undefined) {
    // Path and method are those of the request then, and looked at when it comes.
    return home === undefined && operationIds === undefined && tags === undefined
  }
  if (home !== undefined && !home.has(operation)) return false
  if (operationIds !== undefined && !operationIds.includes(operation.id ?? '')) return false
  if (tags !== undefined && !tags.some((tag) => operation.tags.includes(tag))) return false
  if (methods !== undefined && !methods.includes(operation.method)) return false
  return paths === undefined || paths.some(({ fits }) => fits(operation.path))
}

/** For a request that meets no operation: by what was sent. */
export function isForStray({ match }: Rule, method: string, path: string): boolean {
  const { methods, paths } = match
  if (methods !== undefined && !methods.includes(method.toUpperCase())) return false
  return paths === undefined || paths.some(({ fits }) => fits(path))
}
