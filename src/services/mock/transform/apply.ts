import { covers } from '../../../kernel/media-type.ts'
import { Problem } from '../contract.ts'
import type { Exchange } from '../engine/exchange.ts'
import type { Pauses } from '../engine/pauses.ts'
import type { Diagnostic } from '../message.ts'
import { findResponse } from '../response/choose-response.ts'
import type { FaultName } from '../serve/faults.ts'
import { bodyValue, headerText, type MessageDraft } from './message-draft.ts'
import type { Rule, Step } from './rule.ts'
import type { RuleExpressionContext } from './rule-expression-context.ts'
import { consume } from './weight.ts'

/** After this many changes, the size is checked even if no rule may produce a large body. */
const MANY_CHANGES = 20

export interface Application {
  exchange: Exchange
  draft: MessageDraft
  expressionContext: RuleExpressionContext
  pauses: Pauses
  maxBodyBytes: number
  /** Set for requests without a matching operation: whether a rule applies to the request. */
  isStray?: ((rule: Rule) => boolean) | undefined
  /** Called after each applied rule; false skips the remaining rules. */
  followed?: (rule: Rule) => boolean
}

/**
 * Applies the rules in order, each once; returns the fault that one of them sets. Synchronous if no
 * rule has to wait.
 */
export function applyRules(
  rules: readonly Rule[],
  application: Application
): FaultName | undefined | Promise<FaultName | undefined> {
  return rules.some(({ isWaiting }) => isWaiting)
    ? applyWaiting(rules, application)
    : applyAtOnce(rules, application)
}

function applyAtOnce(rules: readonly Rule[], application: Application): FaultName | undefined {
  const { expressionContext, followed } = application
  for (const rule of rules) {
    if (!isMet(rule, application)) continue
    expressionContext.startRule(rule)
    if (rule.when !== undefined && !rule.when(expressionContext)) continue
    for (const step of rule.steps) {
      if (step.fault !== undefined) return step.fault
      take(rule, step, application)
    }
    if (followed?.(rule) === false) return undefined
  }
  return undefined
}

async function applyWaiting(
  rules: readonly Rule[],
  application: Application
): Promise<FaultName | undefined> {
  const { expressionContext, followed } = application
  for (const rule of rules) {
    if (!isMet(rule, application)) continue
    expressionContext.startRule(rule)
    if (rule.collections.length > 0) await expressionContext.loadCollections(rule.collections)
    if (rule.when !== undefined && !rule.when(expressionContext)) continue
    for (const step of rule.steps) {
      if (step.fault !== undefined) return step.fault
      if (step.delay === undefined) take(rule, step, application)
      else await pause(step.delay(application.draft, expressionContext), application)
    }
    if (followed?.(rule) === false) return undefined
  }
  return undefined
}

function pause(milliseconds: number, { pauses, exchange }: Application): Promise<void> {
  return pauses.wait(milliseconds, exchange)
}

/** Runs a step that does not wait; throws if the body becomes too large. */
function take(rule: Rule, step: Step, application: Application): void {
  const { draft, maxBodyBytes } = application
  const { work, changes } = draft
  follow(rule, step, application)
  if (!rule.isGrowing && draft.changes <= MANY_CHANGES) return
  if (draft.changes === changes ? work.left >= 0 : consume(work, bodyValue(draft), maxBodyBytes))
    return
  throw new Problem('TRANSFORM_FAILED', `Rule ${rule.name} produces a body that is too large.`)
}

function isMet(rule: Rule, { exchange, draft, isStray }: Application): boolean {
  if (isStray !== undefined && !isStray(rule)) return false
  const { statuses, mediaTypes } = rule.match
  if (statuses !== undefined && !hasStatus(statuses, draft.status)) return false
  if (rule.response !== undefined) {
    const responses = exchange.operation?.responses ?? []
    if (findResponse(responses, draft.status)?.pointer !== rule.response) return false
  }
  if (mediaTypes === undefined) return true
  const type = headerText(draft.headers, 'content-type')
  return type !== undefined && mediaTypes.some((wanted) => covers(wanted, type))
}

function hasStatus(statuses: readonly string[], status: number): boolean {
  const text = String(status)
  return statuses.includes(text) || statuses.includes(`${text[0]}XX`)
}

function follow(
  rule: Rule,
  { name, change }: Step,
  { exchange, draft, expressionContext }: Application
): void {
  const complaint = change?.(draft, expressionContext)
  if (complaint === undefined) return
  const remark: Diagnostic = {
    location: [draft.side, 'transform'],
    severity: 'Warning',
    code: 'transform',
    message: `Rule ${rule.name} could not ${name}: ${complaint}`
  }
  exchange.remarks = [...exchange.remarks, remark]
}
