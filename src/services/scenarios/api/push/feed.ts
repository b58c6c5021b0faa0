import { setTimeout as wait } from 'node:timers/promises'
import type { ScenarioContext } from '../../context.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import type { Message } from './message.ts'

const BATCH = 100

/** Events after an id; an id beyond the last event is from before a reset and counts as 0. */
export async function messagesAfter({ store }: ScenarioContext, ws: string, after: number) {
  const rows = await store.eventsAfter(ws, after, BATCH)
  const isAhead = rows.length === 0 && after > 0 && (await store.lastEvent(ws)) < after
  const found = isAhead ? await store.eventsAfter(ws, 0, BATCH) : rows
  return {
    messages: found.map(
      ({ seq, type, payload, at }): Message => ({ id: seq, type, data: payload, at })
    ),
    from: isAhead ? 0 : after
  }
}

/** Events of a workspace after `after`, until the signal is aborted. */
export async function* followEvents(
  { context, workspaceId: ws }: RequestContext,
  after: number,
  signal: AbortSignal
): AsyncGenerator<Message> {
  let cursor = after
  let wake: () => void = () => undefined
  const stop = context.notifications.subscribe(ws, () => wake())
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!signal.aborted) {
      // Created before events are read, so that no notification is lost in between.
      const notified = new Promise<void>((resolve) => {
        wake = resolve
      })
      const { messages, from } = await messagesAfter(context, ws, cursor)
      cursor = from
      for (const message of messages) {
        cursor = message.id
        yield message
      }
      if (messages.length === 0 && !signal.aborted) await notified
    }
  } finally {
    stop()
  }
}

export interface Ticking {
  readonly intervalMs: number
  readonly count: number
}

/** Demonstration without a workspace: one `tick` per interval, up to the count. */
export async function* tick(
  call: RequestContext,
  { intervalMs, count }: Ticking,
  after: number,
  signal: AbortSignal
): AsyncGenerator<Message> {
  for (let n = after + 1; n <= count; n++) {
    const isDue = await wait(intervalMs, true, { signal }).catch(() => false)
    if (!isDue) return
    yield { id: n, type: 'tick', data: JSON.stringify({ n }), at: call.now() }
  }
}
