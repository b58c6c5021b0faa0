import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ScenarioContext } from '../context.ts'
import type { Body } from '../http/body.ts'
import type { ApiResponse, ResponseOrDrop } from '../http/response.ts'
import type { ScenarioTarget } from '../http/scenario-target.ts'
import type { Window } from '../store/counters.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A request with everything that is known about it before its response. */
export interface RequestContext {
  readonly context: ScenarioContext
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: ScenarioTarget
  /** HEAD counts as GET. */
  readonly method: string
  readonly route: Route
  /** Undefined in public mode, which stores no records. */
  readonly workspace: Workspace | undefined
  /** Workspace of the stored data; an empty string in public mode. */
  readonly workspaceId: string
  /** URL of the service as seen by this client. */
  readonly base: string
  /** URL of `/api` for this client, with the prefix of the workspace. */
  readonly apiBaseUrl: string
  readonly seed: string
  readonly selection: ActiveScenarios
  /** Time in milliseconds by the workspace's clock. */
  readonly now: () => number
  /** Reads the body once; rejects with errors of this service. */
  readonly body: () => Promise<Body>
  /** The body if it has been read. */
  readonly seen: () => Body | undefined
  /** Names of scenarios that had an effect on this request. */
  readonly applied: Set<string>
  /** Headers that scenarios add to the response. */
  readonly headers: Record<string, string>
}

export type Endpoint = (call: RequestContext) => Promise<ResponseOrDrop>

/** Endpoint and properties of a URL below `/api`. */
export interface Route {
  /** Common name of all URLs of a kind, by which requests are counted: `/api/users/{id}`. */
  readonly pattern: string
  readonly endpoint: Endpoint
  /** Login or registration: the body may contain tags, and every 4xx has the same status. */
  readonly isLogin?: true
  /** Accepts an `Idempotency-Key`. */
  readonly isWrite?: true
  /** A record or a list of records, to which data scenarios apply. */
  readonly isResource?: true
  /** A change of a collection without an id, which the settings may turn off. */
  readonly isCollectionWrite?: true
  /** The endpoint reads the body by itself. */
  readonly streamsBody?: true
  /** Browsers may send credentials here, so the origin is named instead of `*`. */
  readonly takesCookies?: true
}

/** A scenario with its syntax, description and effect. */
export interface Scenario<Reading = unknown> {
  readonly name: string
  /** Syntax, arguments included. */
  readonly usage: string
  readonly about: string
  /** Example request: method, path and an optional body. */
  readonly example: string
  /** Parses the arguments; undefined if they are invalid. */
  readonly read: (args: readonly string[]) => Reading | undefined
  /** Runs before the endpoint; may wait, or return a response instead of it. */
  readonly before?: (call: RequestContext, reading: Reading) => Promise<ResponseOrDrop | undefined>
  /** Changes the response before it is sent. */
  readonly after?: (call: RequestContext, response: ApiResponse, reading: Reading) => ApiResponse
}

/** A scenario with its parsed arguments. */
export interface ActiveScenario {
  readonly scenario: Scenario
  readonly reading: unknown
}

/** Scenarios of a request, by name. */
export type ActiveScenarios = ReadonlyMap<string, ActiveScenario>

/** Arguments of a scenario, undefined if it is not selected; marks it as applied. */
export function use<Reading>(
  call: RequestContext,
  scenario: Scenario<Reading>
): Reading | undefined {
  const reading = find(call, scenario)
  if (reading !== undefined) call.applied.add(scenario.name)
  return reading
}

/** Like `use`, but does not mark the scenario as applied. */
export function find<Reading>(
  call: RequestContext,
  scenario: Scenario<Reading>
): Reading | undefined {
  return call.selection.get(scenario.name)?.reading as Reading | undefined
}

/** Number of this request among those with the same method, route and scenario, from 1. */
export function countCall(
  { context, request, ...call }: RequestContext,
  scenario: string
): Promise<number> {
  const name = `${scenario} ${call.method} ${call.route.pattern}`
  if (call.workspace !== undefined) return context.store.count(call.workspaceId, name)
  const client = context.kernel.clientIp(request)
  return Promise.resolve(context.publicCounters.count(`${client} ${name}`))
}

/** Like `countCall`, by name and in windows of `width` milliseconds, whatever the route. */
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
