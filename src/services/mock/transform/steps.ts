import { isObject, type Json } from '../document/json.ts'
import { FAULTS, isFault } from '../serve/faults.ts'
import {
  compileMerge,
  compileOmit,
  compilePatch,
  compilePick,
  compileReplace
} from './body-steps.ts'
import { compileRemoveHeader, compileRenameHeader, compileSetHeader } from './header-steps.ts'
import type { Change, Phase, Reliance, Step } from './rule.ts'
import type { RuleNode } from './rule-node.ts'
import { compileRemoveQuery, compileRewritePath, compileSetQuery } from './target-steps.ts'

/** Longer than clients wait. */
export const MAX_DELAY_MS = 600_000

const ALL: readonly Phase[] = ['request', 'upstream', 'response', 'final']
const TO_SERVER: readonly Phase[] = ['request', 'upstream']
const TO_CLIENT: readonly Phase[] = ['response', 'final']
/** Faults that change a response, so that there must be one. */
const NEED_A_RESPONSE = ['truncate', 'garbage']

export type Rely = (reliance: Omit<Reliance, 'side'>) => void

interface Kind {
  phases: readonly Phase[]
  compile: (node: RuleNode, rely: Rely, phase: Phase) => Pick<Step, never> | object | undefined
}

function changing(compile: (node: RuleNode, rely: Rely) => Change | undefined): Kind['compile'] {
  return (node, rely) => {
    const change = compile(node, rely)
    return change && { change }
  }
}

const KINDS: Readonly<Record<string, Kind>> = {
  setHeader: { phases: ALL, compile: changing(compileSetHeader) },
  removeHeader: { phases: ALL, compile: changing(compileRemoveHeader) },
  renameHeader: { phases: ALL, compile: changing(compileRenameHeader) },
  setQuery: { phases: TO_SERVER, compile: changing(compileSetQuery) },
  removeQuery: { phases: TO_SERVER, compile: changing(compileRemoveQuery) },
  rewritePath: { phases: TO_SERVER, compile: changing(compileRewritePath) },
  setStatus: { phases: TO_CLIENT, compile: changing(compileSetStatus) },
  patch: { phases: ALL, compile: changing(compilePatch) },
  merge: { phases: ALL, compile: changing(compileMerge) },
  replaceBody: { phases: ALL, compile: changing(compileReplace) },
  pick: { phases: ALL, compile: changing(compilePick) },
  omit: { phases: ALL, compile: changing(compileOmit) },
  delay: { phases: ALL, compile: compileDelay },
  fault: { phases: ALL, compile: compileFault }
}

/** Steps that read the body before they change it. */
export const BODY_STEPS: readonly string[] = ['patch', 'merge', 'pick', 'omit']

/** Compiles one step: an object whose only member is named after it. */
export function compileStep(node: RuleNode, phase: Phase, rely: Rely): Step | undefined {
  const [[name, given] = ['', null as Json], ...others] = Object.entries(node.value ?? {})
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
  if (kind === undefined || others.length > 0 || Array.isArray(node.value)) {
    return node.addFinding(`must be one of ${Object.keys(KINDS).join(', ')} and its value`)
  }
  const inner = node.at(given, name)
  if (!kind.phases.includes(phase)) {
    return inner.addFinding(
      `is not allowed in the phase ${phase}; it is allowed in ${kind.phases.join(' or ')}`
    )
  }
  const compiled = kind.compile(inner, rely, phase)
  return compiled && ({ name, pointer: inner.pointer, ...compiled } as Step)
}

function compileSetStatus(node: RuleNode): Change | undefined {
  const template = node.template()
  if (template === undefined) return undefined
  if (template.isConstant && toStatus(node.value) === undefined) {
    return node.addFinding('must be a status from 200 to 599')
  }
  return (draft, subject) => {
    const status = toStatus(template.fill(subject))
    if (status === undefined) return 'the status is not from 200 to 599'
    draft.status = status
    return undefined
  }
}

function toStatus(value: Json): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  const isFinal = typeof status === 'number' && Number.isInteger(status)
  return isFinal && status >= 200 && status <= 599 ? status : undefined
}

/** Compiles milliseconds, a range of them, or an expression. */
function compileDelay(node: RuleNode): object | undefined {
  const { value } = node
  const { least = value, most = value } = (isObject(value) ? value : {}) as {
    least?: Json
    most?: Json
  }
  if (isDelay(least) && isDelay(most) && least <= most) {
    return { delay: () => least + Math.random() * (most - least) }
  }
  const template = typeof value === 'string' ? node.template() : undefined
  if (template === undefined || template.isConstant) {
    return node.addFinding(`must be milliseconds from 0 to ${MAX_DELAY_MS}, or {least: …, most: …}`)
  }
  return {
    delay: (_: unknown, subject: Parameters<typeof template.fill>[0]) => {
      const wanted = Number(template.fill(subject))
      return isDelay(wanted) ? wanted : 0
    }
  }
}

function isDelay(value: Json): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_DELAY_MS
}

function compileFault(
  { value, addFinding: complain }: RuleNode,
  _: Rely,
  phase: Phase
): object | undefined {
  if (typeof value !== 'string' || !isFault(value)) {
    return complain(`must be one of ${Object.keys(FAULTS).join(', ')}`)
  }
  if (NEED_A_RESPONSE.includes(value) && !TO_CLIENT.includes(phase)) {
    return complain(`${value} requires a response, and there is none in the phase ${phase}`)
  }
  return { fault: value }
}
