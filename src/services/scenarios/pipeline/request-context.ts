import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ScenarioContext } from '../context.ts'
import type { Body } from '../http/body.ts'
import type { ApiResponse, ResponseOrDrop } from '../http/response.ts'
import type { ScenarioTarget } from '../http/scenario-target.ts'
import type { Window } from '../store/counters.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** One request with everything that is known about it before it is answered. */
export interface RequestContext {
  readonly context: ScenarioContext
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: ScenarioTarget
  /** HEAD counts as GET. */
  readonly method: string
  readonly route: Route
  /** Undefined in public mode, which keeps nothing. */
  readonly workspace: Workspace | undefined
  /** Where what this call stores belongs: the workspace, or the empty text. */
  readonly workspaceId: string
  /** The service's address as this client sees it. */
  readonly base: string
  /** Address of `/api` for this client, prefixes of workspace included. */
  readonly apiBaseUrl: string
  readonly seed: string
  readonly selection: ActiveScenarios
  /** Milliseconds, by the workspace's clock. */
  readonly now: () => number
  /** The body, read once; rejects as the route's failures do. */
  readonly body: () => Promise<Body>
  /** The body if somebody has read it. */
  readonly seen: () => Body | undefined
  /** Names of scenarios that changed the course of this call. */
  readonly applied: Set<string>
  /** Sent with whatever the answer is. */
  readonly headers: Record<string, string>
}

export type Endpoint = (call: RequestContext) => Promise<ResponseOrDrop>

/** What an address below `/api` leads to. */
export interface Route {
  /** One name for all addresses of a kind, by which calls are counted: `/api/users/{id}`. */
  readonly pattern: string
  readonly endpoint: Endpoint
  /** A login or register: the body may carry tags, and every refusal has one status. */
  readonly isLogin?: true
  /** Takes an `Idempotency-Key`. */
  readonly isWrite?: true
  /** A record or a list of them, which data scenarios are about. */
  readonly isResource?: true
  /** The endpoint reads the body by itself. */
  readonly streamsBody?: true
  /** Browsers may send credentials here, so the origin is named instead of `*`. */
  readonly takesCookies?: true
}

/** One thing that can go wrong, as it is written, told and done. */
export interface Scenario<Reading = unknown> {
  readonly name: string
  /** How it is written, arguments included. */
  readonly usage: string
  readonly about: string
  /** A request that shows it: method, path and perhaps a body. */
  readonly example: string
  /** What the arguments mean; undefined when they mean nothing. */
  readonly read: (args: readonly string[]) => Reading | undefined
  /** Before the endpoint is asked: it may wait, or answer instead of it. */
  readonly before?: (call: RequestContext, reading: Reading) => Promise<ResponseOrDrop | undefined>
  /** Once there is an answer: changes it on its way out. */
  readonly after?: (call: RequestContext, response: ApiResponse, reading: Reading) => ApiResponse
}

/** A scenario with its arguments understood. */
export interface ActiveScenario {
  readonly scenario: Scenario
  readonly reading: unknown
}

/** What a request gets, by name. */
export type ActiveScenarios = ReadonlyMap<string, ActiveScenario>

/** Whether a scenario is wanted; marks it as applied. */
export function use<Reading>(
  call: RequestContext,
  scenario: Scenario<Reading>
): Reading | undefined {
  const reading = find(call, scenario)
  if (reading !== undefined) call.applied.add(scenario.name)
  return reading
}

/** The same without a mark, for whoever decides later. */
export function find<Reading>(
  call: RequestContext,
  scenario: Scenario<Reading>
): Reading | undefined {
  return call.selection.get(scenario.name)?.reading as Reading | undefined
}

/** The number of this call among those with the same method, route and scenario, from 1. */
export function countCall(
  { context, request, ...call }: RequestContext,
  scenario: string
): Promise<number> {
  const name = `${scenario} ${call.method} ${call.route.pattern}`
  if (call.workspace !== undefined) return context.store.count(call.workspaceId, name)
  const client = context.kernel.clientIp(request)
  return Promise.resolve(context.publicCounters.count(`${client} ${name}`))
}

/** The same in windows of that width, whatever the route. */
export function countWithin(
  { context, request, ...call }: RequestContext,
  name: string,
  width: number
): Promise<Window> {
  const time = call.now()
  if (call.workspace !== undefined)
    return context.store.countWithin(call.workspaceId, name, width, time)
  const client = context.kernel.clientIp(request)
  return Promise.resolve(context.publicCounters.countWithin(`${client} ${name}`, width))
}
