import { parseMediaType } from '../../../kernel/media-type.ts'
import { isObject } from '../document/json.ts'
import type { Expression } from '../expression/expression.ts'
import { compileCondition } from './condition.ts'
import { compileGlob } from './path-glob.ts'
import { type Book, membersOf, type Place, textsOf } from './place.ts'
import { createCounter, type Match, PHASES, type Phase, type Reliance, type Rule } from './rule.ts'
import { BODY_STEPS, compileStep } from './steps.ts'
import { isBearable } from './weight.ts'

const MEMBERS = ['name', 'match', 'when', 'phase', 'do']
const MATCHERS = ['operationId', 'tag', 'method', 'path', 'status', 'mediaType']
const MAX_STEPS = 100
/** What holds a body, which may be put into itself again and again. */
const BODIES: readonly Expression['kind'][] = ['requestBody', 'responseBody', 'state']
/** Up to here a rule cannot make much: what is shared in a file is not shared in a body. */
const MAX_LIGHT = 100_000
/** Each may be as long as the head of a request. */
const MAX_LIGHT_EXPRESSIONS = 50
const MAX_GLOB_LENGTH = 500

/** What a rule is told about the place it stands in. */
export interface Home {
  order: number
  operations: Rule['home']
  response: string | undefined
}

export function readRule(place: Place, book: Book, home: Home): Rule | undefined {
  const members = membersOf(place, MEMBERS)
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
  const steps = readSteps(place, members.get('do')).flatMap(
    (step) => compileStep(step, phase, (reliance) => reliances.push({ ...reliance, side })) ?? []
  )
  const met = book.expressions.slice(from)
  refuseEarly(place, met, phase)
  for (const { expression, pointer } of met) {
    if (expression.kind !== 'requestBody' && expression.kind !== 'responseBody') continue
    const { tokens } = expression
    const about = expression.kind === 'requestBody' ? 'request' : 'response'
    reliances.unshift({ pointer, side: about, tokens, isNew: false })
  }
  if (home.response !== undefined && side === 'request') {
    place.complain(`is defined at a response, so it cannot have the phase ${phase}`)
  }
  const isLooking = steps.some(({ name }) => BODY_STEPS.includes(name))
  const reads = (kind: Expression['kind']) => met.some(({ expression }) => expression.kind === kind)
  const isReplacing = steps.some(({ name }) => name === 'replaceBody')
  const name = members.get('name')?.value
  const collections = collectionsOf(met)
  return {
    name: typeof name === 'string' ? name : `${book.label}#${place.pointer}`,
    where: `${book.label}#${place.pointer}`,
    order: home.order,
    phase,
    match: readMatch(members.get('match'), phase),
    when,
    steps,
    isRewriting: steps.some((step) => step.name === 'rewritePath'),
    readsRequestBody: reads('requestBody') || (side === 'request' && (isLooking || isReplacing)),
    readsResponseBody: reads('responseBody') || (side === 'response' && (isLooking || isReplacing)),
    expressions: met.map(({ expression }) => expression),
    collections,
    isWaiting: collections.length > 0 || steps.some(({ delay }) => delay !== undefined),
    isGrowing:
      met.length > MAX_LIGHT_EXPRESSIONS ||
      !isBearable(place.value, MAX_LIGHT) ||
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

function readPhase(place: Place | undefined): Phase {
  const phase = PHASES.find((one) => one === place?.value)
  if (place !== undefined && phase === undefined) {
    place.complain(`must be one of ${PHASES.join(', ')}`)
  }
  return phase ?? 'response'
}

function readSteps(rule: Place, place: Place | undefined): Place[] {
  const value = place?.value
  if (place === undefined || !Array.isArray(value) || value.length === 0) {
    rule.complain('requires do: an array of steps')
    return []
  }
  if (value.length > MAX_STEPS) place.complain(`has more than ${MAX_STEPS} steps`)
  return value.slice(0, MAX_STEPS).map((step, index) => place.at(step, String(index)))
}

/** Of an answer nothing is known before it is there. */
function refuseEarly(place: Place, met: readonly { expression: Expression }[], phase: Phase): void {
  if (phase === 'response' || phase === 'final') return
  const early = met.find(({ expression: { kind } }) =>
    ['statusCode', 'responseHeader', 'responseBody'].includes(kind)
  )
  if (early !== undefined) place.complain(`uses the response in the phase ${phase}`)
}

const ANY: Match = {
  operationIds: undefined,
  tags: undefined,
  methods: undefined,
  paths: undefined,
  statuses: undefined,
  mediaTypes: undefined
}

function readMatch(place: Place | undefined, phase: Phase): Match {
  if (place === undefined) return ANY
  if (!isObject(place.value)) {
    place.complain(`must be an object with ${MATCHERS.join(', ')}`)
    return ANY
  }
  const members = membersOf(place, MATCHERS)
  const texts = (name: string): string[] | undefined => {
    const member = members.get(name)
    return member && textsOf(member)
  }
  const status = members.get('status')
  if (status !== undefined && (phase === 'request' || phase === 'upstream')) {
    status.complain(`is not allowed in the phase ${phase}: there is no response yet`)
  }
  const statuses = texts('status')?.map((one) => one.toUpperCase())
  if (statuses?.some((one) => !/^[1-5](?:\d\d|XX)$/.test(one))) {
    status?.complain('must be a status such as 404, or a range such as 4XX')
  }
  const mediaTypes = texts('mediaType')
  if (mediaTypes?.some((type) => parseMediaType(type) === undefined)) {
    members.get('mediaType')?.complain('must be a media type such as application/json')
  }
  const paths = texts('path')
  if (paths?.some((path) => !path.startsWith('/') || path.length > MAX_GLOB_LENGTH)) {
    members
      .get('path')
      ?.complain(`must start with a slash and have at most ${MAX_GLOB_LENGTH} characters`)
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
