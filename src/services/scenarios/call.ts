import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Body } from './body.ts'
import type { Route } from './endpoint.ts'
import type { Room } from './room.ts'
import type { Scenario } from './scenario/definition.ts'
import type { Selection } from './scenario/selection.ts'
import type { Window } from './store/counters.ts'
import type { Visit } from './visit.ts'
import type { Workspace } from './workspace/workspace.ts'

/** One request with everything that is known about it before it is answered. */
export interface Call {
  readonly room: Room
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly visit: Visit
  /** HEAD counts as GET. */
  readonly method: string
  readonly route: Route
  /** Undefined in public mode, which keeps nothing. */
  readonly workspace: Workspace | undefined
  /** Where what this call stores belongs: the workspace, or the empty text. */
  readonly ws: string
  /** The service's address as this client sees it. */
  readonly base: string
  /** Address of `/api` for this client, prefixes of workspace included. */
  readonly home: string
  readonly seed: string
  readonly selection: Selection
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

/** Whether a scenario is wanted; marks it as applied. */
export function use<Reading>(call: Call, scenario: Scenario<Reading>): Reading | undefined {
  const reading = find(call, scenario)
  if (reading !== undefined) call.applied.add(scenario.name)
  return reading
}

/** The same without a mark, for whoever decides later. */
export function find<Reading>(call: Call, scenario: Scenario<Reading>): Reading | undefined {
  return call.selection.get(scenario.name)?.reading as Reading | undefined
}

/** The number of this call among those with the same method, route and scenario, from 1. */
export function countCall({ room, request, ...call }: Call, scenario: string): Promise<number> {
  const name = `${scenario} ${call.method} ${call.route.pattern}`
  if (call.workspace !== undefined) return room.store.count(call.ws, name)
  const client = room.kernel.clientAddress(request)
  return Promise.resolve(room.publicCounters.count(`${client} ${name}`))
}

/** The same in windows of that width, whatever the route. */
export function countWithin(
  { room, request, ...call }: Call,
  name: string,
  width: number
): Promise<Window> {
  const time = call.now()
  if (call.workspace !== undefined) return room.store.countWithin(call.ws, name, width, time)
  const client = room.kernel.clientAddress(request)
  return Promise.resolve(room.publicCounters.countWithin(`${client} ${name}`, width))
}
