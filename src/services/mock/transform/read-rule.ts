import { parseMediaType } from '../../../kernel/media-type.ts'
import { isObject } from '../document/json.ts'
import type { Expression } from '../expression/expression.ts'
import { compileCondition } from './condition.ts'
import { compileGlob } from './path-glob.ts'
import { createCounter, type Match, PHASES, type Phase, type Reliance, type Rule } from './rule.ts'
import { membersOf, type RuleNode, type RuleSource, textsOf } from './rule-node.ts'
import { BODY_STEPS, compileStep } from './steps.ts'
import { isWithinLimit } from './weight.ts'

const MEMBERS = ['name', 'match', 'when', 'phase', 'do']
const MATCHERS = ['operationId', 'tag', 'method', 'path', 'status', 'mediaType']
const MAX_STEPS = 100
/** Expressions with a whole body, which can be inserted into itself again and again. */
const BODIES: readonly Expression['kind'][] = ['requestBody', 'responseBody', 'state']
/** Rules up to this size cannot produce a large body. Aliases of a file count each time. */
const MAX_LIGHT = 100_000
/** Maximum number of expressions in a small rule: each may be as long as the request head. */
const MAX_LIGHT_EXPRESSIONS = 50
const MAX_GLOB_LENGTH = 500

/** Where a rule is defined, and its position among all rules. */
export interface Home {
  order: number
  operations: Rule['home']
  response: string | undefined
}

export function readRule(node: RuleNode, book: RuleSource, home: Home): Rule | undefined {
  const members = membersOf(node, MEMBERS)
  const phase = readPhase(members.get('phase'))
  const from = book.expressions.length
  const reliances: Reliance[] = []
  const side = phase === 'request' || phase === 'upstream' ? 'request' : 'response'
  const condition = members.get('when')
  const when =
    condition &&
    compileCondition(condition, (expression) => {
      book.expressions.push({ expression, pointer: condition.pointer })
    })
  const steps = readSteps(node, members.get('do')).flatMap(
    (step) => compileStep(step, phase, (reliance) => reliances.push({ ...reliance, side })) ?? []
  )
  const met = book.expressions.slice(from)
  rejectEarly(node, met, phase)
  for (const { expression, pointer } of met) {
    if (expression.kind !== 'requestBody' && expression.kind !== 'responseBody') continue
    const { tokens } = expression
    const about = expression.kind === 'requestBody' ? 'request' : 'response'
    reliances.unshift({ pointer, side: about, tokens, isNew: false })
  }
  if (home.response !== undefined && side === 'request') {
    node.addFinding(`is defined at a response, so it cannot have the phase ${phase}`)
  }
  const isLooking = steps.some(({ name }) => BODY_STEPS.includes(name))
  const reads = (kind: Expression['kind']) => met.some(({ expression }) => expression.kind === kind)
  const isReplacing = steps.some(({ name }) => name === 'replaceBody')
  const name = members.get('name')?.value
  const collections = collectionsOf(met)
  return {
    name: typeof name === 'string' ? name : `${book.label}#${node.pointer}`,
    where: `${book.label}#${node.pointer}`,
    order: home.order,
    phase,
    match: readMatch(members.get('match'), phase),
    when,
    steps,
    isRewriting: steps.some((step) => step.name === 'rewritePath'),
    readsRequestBody: reads('requestBody') || (side === 'request' && (isLooking || isReplacing)),
    readsResponseBody: reads('responseBody') || (side === 'response' && (isLooking || isReplacing)),
    expressions: met.map(({ expression }) => expression),
    locatedExpressions: met,
    collections,
    isWaiting: collections.length > 0 || steps.some(({ delay }) => delay !== undefined),
    isGrowing:
      met.length > MAX_LIGHT_EXPRESSIONS ||
      !isWithinLimit(node.value, MAX_LIGHT) ||
      met.some(({ expression }) => BODIES.includes(expression.kind)) ||
      steps.some((step) => step.name === 'patch'),
    reliances,
    home: home.operations,
    response: home.response,
    count: createCounter()
  }
}

function collectionsOf(met: readonly { expression: Expression }[]): string[] {
  const names = met.flatMap(({ expression }) =>
    expression.kind === 'state' ? [expression.name] : []
  )
  return [...new Set(names)]
}

function readPhase(node: RuleNode | undefined): Phase {
  const phase = PHASES.find((one) => one === node?.value)
  if (node !== undefined && phase === undefined) {
    node.addFinding(`must be one of ${PHASES.join(', ')}`)
  }
  return phase ?? 'response'
}

function readSteps(rule: RuleNode, node: RuleNode | undefined): RuleNode[] {
  const value = node?.value
  if (node === undefined || !Array.isArray(value) || value.length === 0) {
    rule.addFinding('requires do: an array of steps')
    return []
  }
  if (value.length > MAX_STEPS) node.addFinding(`has more than ${MAX_STEPS} steps`)
  return value.slice(0, MAX_STEPS).map((step, index) => node.at(step, String(index)))
}

/** Rejects rules that read the response in a phase before there is one. */
function rejectEarly(
  node: RuleNode,
  met: readonly { expression: Expression }[],
  phase: Phase
): void {
  if (phase === 'response' || phase === 'final') return
  const early = met.find(({ expression: { kind } }) =>
    ['statusCode', 'responseHeader', 'responseBody'].includes(kind)
  )
  if (early !== undefined) node.addFinding(`uses the response in the phase ${phase}`)
}

const ANY: Match = {
  operationIds: undefined,
  tags: undefined,
  methods: undefined,
  paths: undefined,
  statuses: undefined,
  mediaTypes: undefined
}

function readMatch(node: RuleNode | undefined, phase: Phase): Match {
  if (node === undefined) return ANY
  if (!isObject(node.value)) {
    node.addFinding(`must be an object with ${MATCHERS.join(', ')}`)
    return ANY
  }
  const members = membersOf(node, MATCHERS)
  const texts = (name: string): string[] | undefined => {
    const member = members.get(name)
    return member && textsOf(member)
  }
  const status = members.get('status')
  if (status !== undefined && (phase === 'request' || phase === 'upstream')) {
    status.addFinding(`is not allowed in the phase ${phase}: there is no response yet`)
  }
  const statuses = texts('status')?.map((one) => one.toUpperCase())
  if (statuses?.some((one) => !/^[1-5](?:\d\d|XX)$/.test(one))) {
    status?.addFinding('must be a status such as 404, or a range such as 4XX')
  }
  const mediaTypes = texts('mediaType')
  if (mediaTypes?.some((type) => parseMediaType(type) === undefined)) {
    members.get('mediaType')?.addFinding('must be a media type such as application/json')
  }
  const paths = texts('path')
  if (paths?.some((path) => !path.startsWith('/') || path.length > MAX_GLOB_LENGTH)) {
    members
      .get('path')
      ?.addFinding(`must start with a slash and have at most ${MAX_GLOB_LENGTH} characters`)
  }
  return {
    operationIds: texts('operationId'),
    tags: texts('tag'),
    methods: texts('method')?.map((method) => method.toUpperCase()),
    paths: paths?.map(compileGlob),
    statuses,
    mediaTypes
  }
}
