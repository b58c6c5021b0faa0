import { covers } from '../../../kernel/media-type.ts'
import type { Finding } from '../../../kernel/service.ts'
import { formatPointer } from '../document/pointer.ts'
import { type KnownOperation, knownOperations, whyEmpty } from '../expression/why-empty.ts'
import { hasFakerMethod } from '../generate/faker.ts'
import type { MediaType, Operation } from '../model/api.ts'
import type { Side } from '../schema/schemas.ts'
import type { ServedApi } from '../served-api.ts'
import { best, createReach, type Reach } from './reach.ts'
import type { Reliance, Rule } from './rule.ts'
import { isFor } from './rule-book.ts'

/** Maximum number of pairs of pointer and operation to check; the rest is assumed to be valid. */
const MAX_LOOKS = 100_000

/** Findings about rules that can be known before the first request. */
export function checkRules(
  rules: readonly Rule[],
  apis: readonly ServedApi[],
  hasUpstream: boolean | undefined
): Finding[] {
  const operations = apis.flatMap(({ api }) => api.operations)
  const known = apis.flatMap(knownOperations)
  const reaches = createReaches(apis)
  const made: Reliance[] = []
  let looks = 0

  function checkPointers(rule: Rule): Finding[] {
    looks += rule.reliances.length * operations.length
    return looks > MAX_LOOKS ? [] : checkReliances(rule, apis, reaches, made, hasUpstream)
  }

  return rules.flatMap((rule) => [
    ...checkMatch(rule, operations),
    ...checkFaker(rule),
    ...checkNames(rule, known),
    ...checkPhase(rule, hasUpstream),
    ...checkPointers(rule)
  ])
}

function checkMatch(rule: Rule, operations: readonly Operation[]): Finding[] {
  const { match, where, home } = rule
  const findings: Finding[] = []
  const say = (member: string, text: string, level: Finding['level'] = 'error') =>
    findings.push({ level, where: `${where}/match/${member}`, text })
  const near = home === undefined ? operations : [...home]
  // The final phase also applies to requests without a matching operation.
  const level = rule.phase === 'final' && isFor(rule, undefined) ? 'warning' : 'error'
  const forStrays =
    level === 'warning' ? ': it applies to requests without a matching operation' : ''
  for (const id of match.operationIds ?? []) {
    if (!near.some((one) => one.id === id)) say('operationId', `Unknown operation ${id}`)
  }
  for (const tag of match.tags ?? []) {
    if (!near.some(({ tags }) => tags.includes(tag))) say('tag', `No operation has the tag ${tag}`)
  }
  for (const { text, fits } of match.paths ?? []) {
    // Rules that rewrite paths may match undocumented paths.
    if (rule.phase === 'request' && rule.isRewriting) continue
    if (near.some(({ path }) => fits(path))) continue
    say('path', `No documented path matches ${text}${forStrays}`, level)
  }
  const own = near.filter((operation) => isFor(rule, operation))
  if (findings.length === 0 && own.length === 0 && !rule.isRewriting) {
    findings.push({
      level,
      where,
      text: `No operation satisfies all conditions of match${forStrays}`
    })
  }
  const { statuses } = match
  if (statuses !== undefined && own.length > 0 && !statuses.some((one) => isDocumented(one, own))) {
    say('status', `No response of the matching operations has ${statuses.join(' or ')}`, 'warning')
  }
  return findings
}

function isDocumented(status: string, operations: readonly Operation[]): boolean {
  return operations.some(({ responses }) =>
    responses.some(({ code }) => code === 'default' || code[0] === status[0])
  )
}

function checkFaker({ expressions, where }: Rule): Finding[] {
  return expressions.flatMap((expression) =>
    expression.kind === 'faker' && !hasFakerMethod(expression.name)
      ? [{ level: 'error', where, text: `Faker has no method ${expression.name}` }]
      : []
  )
}

/** Expressions without a value in all operations of the rule, such as a misspelt parameter. */
function checkNames(rule: Rule, known: readonly KnownOperation[]): Finding[] {
  // Such a rule may be for paths that are not documented.
  if (rule.isRewriting) return []
  const own = known.filter(({ operation }) => isFor(rule, operation))
  return rule.locatedExpressions.flatMap(({ expression, pointer }): Finding[] => {
    const text = whyEmpty(expression, own)
    return text === undefined ? [] : [{ level: 'warning', where: whereOf(rule, pointer), text }]
  })
}

function whereOf({ where }: Rule, pointer: string): string {
  return `${where.slice(0, where.indexOf('#'))}#${pointer}`
}

function checkPhase({ phase, where }: Rule, hasUpstream: boolean | undefined): Finding[] {
  if (phase !== 'upstream' || hasUpstream !== false) return []
  return [{ level: 'warning', where, text: 'This rule applies only with an upstream' }]
}

type ReachOf = (served: ServedApi, side: Side) => ReturnType<typeof createReach>

function createReaches(apis: readonly ServedApi[]): ReachOf {
  const known = new Map<string, ReturnType<typeof createReach>>()
  return (served, side) => {
    const key = `${apis.indexOf(served)} ${side}`
    const reach = known.get(key) ?? createReach(served.schemas.view(side))
    known.set(key, reach)
    return reach
  }
}

/**
 * Reports pointers that no matching schema allows or defines; one schema is enough, and values that
 * an earlier step creates are valid.
 */
function checkReliances(
  rule: Rule,
  apis: readonly ServedApi[],
  reachOf: ReachOf,
  made: Reliance[],
  hasUpstream: boolean | undefined
): Finding[] {
  return rule.reliances.flatMap((reliance): Finding[] => {
    const { side, tokens, isNew, isPatch = false, pointer } = reliance
    const isMade = made.some((one) => one.side === side && isBelow(tokens, one.tokens))
    if (isNew) made.push(reliance)
    // This rule may be the one that makes the request fit the schema.
    const isBefore = side === 'request' && rule.phase === 'request' && !(isNew && isPatch)
    if (isMade || isBefore) return []
    const where = whereOf(rule, pointer)
    const reach = best(reachesOf(rule, reliance, apis, reachOf))
    const name = formatPointer(tokens)
    if (reach === 'no') {
      // This rule may be the one that makes the response of an upstream fit the schema.
      const isForeign = hasUpstream === true && rule.phase === 'response' && side === 'response'
      const level = isNew || isForeign ? 'warning' : 'error'
      return [{ level, where, text: `The schema of the body does not allow ${name}` }]
    }
    if (reach === 'doubtful' && (!isNew || isPatch)) {
      return [{ level: 'warning', where, text: `The schema of the body does not define ${name}` }]
    }
    return []
  })
}

function isBelow(tokens: readonly string[], above: readonly string[]): boolean {
  return above.every((token, index) => token === tokens[index])
}

function reachesOf(
  rule: Rule,
  { side, tokens }: Reliance,
  apis: readonly ServedApi[],
  reachOf: ReachOf
): Reach[] {
  const found: Reach[] = []
  for (const served of apis) {
    for (const operation of served.api.operations) {
      if (!isFor(rule, operation)) continue
      for (const { schema } of contentsOf(rule, operation, side)) {
        found.push(schema === undefined ? 'open' : reachOf(served, side)(`#${schema}`, tokens))
      }
    }
  }
  return found.length === 0 ? ['open'] : found
}

function contentsOf(
  { match, response, phase }: Rule,
  operation: Operation,
  side: Side
): MediaType[] {
  const { statuses, mediaTypes } = match
  const isMeant = ({ type }: MediaType) =>
    mediaTypes === undefined ||
    mediaTypes.some((wanted) => covers(wanted, type) || covers(type, wanted))
  // The final phase also applies to problems, which no schema describes.
  if (side === 'response' && phase === 'final' && statuses === undefined) return []
  if (side === 'request') return (operation.requestBody?.contents ?? []).filter(isMeant)
  return operation.responses
    .filter(({ code, pointer }) => {
      if (response !== undefined && pointer !== response) return false
      if (statuses === undefined || code === 'default') return true
      return statuses.some(
        (one) => one === code || `${one[0]}XX` === code || one === `${code[0]}XX`
      )
    })
    .flatMap(({ contents }) => contents)
    .filter(isMeant)
}
