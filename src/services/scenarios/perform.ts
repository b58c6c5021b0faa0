import { etagOf, matchesEtag } from '../../kernel/etag.ts'
import { type Answer, CUT, failureAnswer, type Outcome } from './answer.ts'
import { type Call, use } from './call.ts'
import { drawBetween } from './chance.ts'
import type { Failure } from './contract.ts'
import { replayOnce } from './idempotency.ts'
import { authStatus } from './scenario/access.ts'
import { SCENARIOS } from './scenario/catalogue.ts'

const SECOND_MS = 1000
const RANDOM_DELAY_MS = { least: 200, most: 3000 }

/** Waits, scenarios that answer instead, the endpoint, scenarios that change its answer. */
export async function perform(call: Call): Promise<Outcome> {
  if (!(await delay(call))) return CUT
  const outcome = (await beforehand(call)) ?? (await ask(call))
  return outcome === CUT ? CUT : afterwards(call, outcome)
}

/** `?delay=` in seconds, or a random time; anything else is ignored. */
async function delay({ room, visit, response }: Call): Promise<boolean> {
  const asked = visit.parameters.get('delay')
  if (asked === null) return true
  const milliseconds = delayOf(asked, room.options.maxDelay)
  return milliseconds === 0 ? true : room.held.hold(response, milliseconds)
}

function delayOf(asked: string, maxSeconds: number): number {
  const { least, most } = RANDOM_DELAY_MS
  if (asked === 'random') return drawBetween(least, most, String(Math.random()))
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(asked)) return 0
  return Math.min(Number(asked), maxSeconds) * SECOND_MS
}

async function beforehand(call: Call): Promise<Outcome | undefined> {
  if (call.selection.size === 0) return undefined
  for (const { name, before } of SCENARIOS) {
    const selected = call.selection.get(name)
    if (selected === undefined || before === undefined) continue
    const outcome = await before(call, selected.reading)
    if (outcome !== undefined) return outcome
  }
  return undefined
}

async function ask(call: Call): Promise<Outcome> {
  const { endpoint, isWrite } = call.route
  const run = () => endpoint(call).catch((error) => refusal(call, error))
  return isWrite && call.request.headers['idempotency-key'] !== undefined
    ? replayOnce(call, run).catch((error) => refusal(call, error))
    : run()
}

/** A failure of the vocabulary as an answer; a defect of ours goes on. */
export function refusal(call: Call, error: Failure): Answer {
  if (error.statusCode === undefined) throw error
  if (!call.route.isLogin || error.statusCode >= 500) return failureAnswer(error)
  const status = use(call, authStatus) ?? call.room.options.authStatus
  return { ...failureAnswer(error), status }
}

function afterwards(call: Call, answer: Answer): Answer {
  let changed = answer
  for (const [, { scenario, reading }] of call.selection.size === 0 ? [] : inOrder(call)) {
    if (scenario.after !== undefined) changed = scenario.after(call, changed, reading)
  }
  return validated(call, withMarks(call, changed))
}

function inOrder({ selection }: Call) {
  return SCENARIOS.flatMap(({ name }) => {
    const selected = selection.get(name)
    return selected === undefined ? [] : [[name, selected] as const]
  })
}

function withMarks({ applied, headers, selection }: Call, answer: Answer): Answer {
  if (selection.size === 0) return answer
  const marks: Record<string, string> = { 'cache-control': 'no-store' }
  if (applied.size > 0) marks['x-scenario-applied'] = [...applied].join(', ')
  return { ...answer, headers: { ...answer.headers, ...headers, ...marks } }
}

/** Every JSON answer to a GET has a validator, as in the original. */
function validated({ method, request }: Call, answer: Answer): Answer {
  const { status, body, headers } = answer
  if (method !== 'GET' || status !== 200 || body === undefined || body.length === 0) return answer
  const etag = headers.etag ?? `W/${etagOf(body)}`
  const tagged: Record<string, string> = { ...headers, etag }
  const strong = etag.replace(/^W\//, '')
  if (!matchesEtag(request.headers['if-none-match'], strong)) return { ...answer, headers: tagged }
  const { 'content-type': _, ...kept } = tagged
  const { body: __, ...rest } = answer
  return { ...rest, status: 304, headers: kept }
}
