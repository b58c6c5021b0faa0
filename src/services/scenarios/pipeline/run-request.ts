import { etagOf, matchesEtag } from '../../../kernel/etag.ts'
import type { ScenarioError } from '../contract.ts'
import { drawBetween } from '../data/hash-random.ts'
import { type ApiResponse, DROPPED, errorResponse, type ResponseOrDrop } from '../http/response.ts'
import { authStatus } from '../scenario/access.ts'
import { SCENARIOS } from '../scenario/registry.ts'
import { replayOnce } from './idempotency.ts'
import { type RequestContext, use } from './request-context.ts'

const SECOND_MS = 1000
const RANDOM_DELAY_MS = { least: 200, most: 3000 }

/** Order: delay, scenarios that replace the response, endpoint, scenarios that change it. */
export async function perform(call: RequestContext): Promise<ResponseOrDrop> {
  if (!(await delay(call))) return DROPPED
  const outcome = (await beforehand(call)) ?? (await ask(call))
  return outcome === DROPPED ? DROPPED : afterwards(call, outcome)
}

/** `?delay=` is in seconds or `random`; other values are ignored. */
async function delay({ context, target, response }: RequestContext): Promise<boolean> {
  const asked = target.parameters.get('delay')
  if (asked === null) return true
  const milliseconds = delayOf(asked, context.options.maxDelay)
  return milliseconds === 0 ? true : context.held.delay(response, milliseconds)
}

function delayOf(asked: string, maxSeconds: number): number {
  const { least, most } = RANDOM_DELAY_MS
  if (asked === 'random') return drawBetween(least, most, String(Math.random()))
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(asked)) return 0
  return Math.min(Number(asked), maxSeconds) * SECOND_MS
}

async function beforehand(call: RequestContext): Promise<ResponseOrDrop | undefined> {
  if (call.selection.size === 0) return undefined
  for (const { name, before } of SCENARIOS) {
    const selected = call.selection.get(name)
    if (selected === undefined || before === undefined) continue
    const outcome = await before(call, selected.reading)
    if (outcome !== undefined) return outcome
  }
  return undefined
}

async function ask(call: RequestContext): Promise<ResponseOrDrop> {
  const { endpoint, isWrite } = call.route
  const run = () => endpoint(call).catch((error) => toErrorResponse(call, error))
  return isWrite && call.request.headers['idempotency-key'] !== undefined
    ? replayOnce(call, run).catch((error) => toErrorResponse(call, error))
    : run()
}

/** An error with a status as a response; an error without one is a defect and is thrown. */
export function toErrorResponse(call: RequestContext, error: ScenarioError): ApiResponse {
  if (error.statusCode === undefined) throw error
  if (!call.route.isLogin || error.statusCode >= 500) return errorResponse(error)
  const status = use(call, authStatus) ?? call.context.options.authStatus
  return { ...errorResponse(error), status }
}

function afterwards(call: RequestContext, response: ApiResponse): ApiResponse {
  let changed = response
  for (const [, { scenario, reading }] of call.selection.size === 0 ? [] : inOrder(call)) {
    if (scenario.after !== undefined) changed = scenario.after(call, changed, reading)
  }
  return validated(call, withMarks(call, changed))
}

function inOrder({ selection }: RequestContext) {
  return SCENARIOS.flatMap(({ name }) => {
    const selected = selection.get(name)
    return selected === undefined ? [] : [[name, selected] as const]
  })
}

function withMarks(
  { applied, headers, selection }: RequestContext,
  response: ApiResponse
): ApiResponse {
  if (selection.size === 0) return response
  const marks: Record<string, string> = { 'cache-control': 'no-store' }
  if (applied.size > 0) marks['x-scenario-applied'] = [...applied].join(', ')
  return { ...response, headers: { ...response.headers, ...headers, ...marks } }
}

/** As in ReqRes, every 200 response to a GET has an ETag. */
function validated({ method, request }: RequestContext, response: ApiResponse): ApiResponse {
  const { status, body, headers } = response
  if (method !== 'GET' || status !== 200 || body === undefined || body.length === 0) return response
  const etag = headers.etag ?? `W/${etagOf(body)}`
  const tagged: Record<string, string> = { ...headers, etag }
  const strong = etag.replace(/^W\//, '')
  if (!matchesEtag(request.headers['if-none-match'], strong))
    return { ...response, headers: tagged }
  const { 'content-type': _, ...kept } = tagged
  const { body: __, ...rest } = response
  return { ...rest, status: 304, headers: kept }
}
