import { lastEventId } from '../../../../kernel/event-stream.ts'
import { ParameterInvalid } from '../../contract.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import { wholeOf } from '../../scenario/definition.ts'
import { followEvents, type Ticking, tick } from './feed.ts'
import type { Message } from './message.ts'

const INTERVAL_MS = { least: 10, most: 60_000, standard: 1000 }
const MOST_TICKS = 1_000_000

/** Messages that a subscriber requested. */
export interface SubscriptionOptions {
  /** All messages were sent already, so the client must not reconnect. */
  readonly isOver: boolean
  readonly follow: (signal: AbortSignal) => AsyncGenerator<Message>
}

export function wholeParameter(
  { target }: RequestContext,
  name: string,
  least: number,
  most: number
): number | undefined {
  const text = target.parameters.get(name)
  if (text === null) return undefined
  const number = wholeOf(text, least, most)
  if (number === undefined) {
    throw new ParameterInvalid(`${name} must be a whole number from ${least} to ${most}`)
  }
  return number
}

/** Ticks if the request has `interval` or `count`, otherwise the workspace's events. */
export async function parseSubscription(call: RequestContext): Promise<SubscriptionOptions> {
  const after = lastSeen(call) ?? wholeParameter(call, 'after', 0, MOST_TICKS * 100)
  const ticking = readTicking(call)
  if (ticking !== undefined) {
    const from = after ?? 0
    return { isOver: from >= ticking.count, follow: (signal) => tick(call, ticking, from, signal) }
  }
  const from = after ?? (await call.context.store.lastEvent(call.workspaceId))
  return { isOver: false, follow: (signal) => followEvents(call, from, signal) }
}

function readTicking(call: RequestContext): Ticking | undefined {
  const { least, most, standard } = INTERVAL_MS
  const interval = wholeParameter(call, 'interval', least, most)
  const count = wholeParameter(call, 'count', 1, MOST_TICKS)
  if (interval === undefined && count === undefined) return undefined
  return { intervalMs: interval ?? standard, count: count ?? MOST_TICKS }
}

/** Browsers send `Last-Event-ID` when they reconnect. */
function lastSeen({ request }: RequestContext): number | undefined {
  const id = lastEventId(request.headers) ?? ''
  return /^\d{1,15}$/.test(id) ? Number(id) : undefined
}
