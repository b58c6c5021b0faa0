/** A receiver of the webhooks of mailbox, which knows events by their ids. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A body as EmailEngine sends it, as far as tests use it. */
export interface EventBody {
  account: string
  date: string
  path?: string
  event: string
  data: Record<string, unknown> & { uid?: number; subject?: string }
}

export interface EventDelivery {
  id: string
  /** As it arrived. */
  text: string
  body: EventBody
  headers: IncomingHttpHeaders
  /** Path of the request. */
  path: string
  /** `performance.now()`. */
  time: number
}

/** A status; `hang` sends no response, `cut` ends the connection. */
export type ReceiverResponse = number | 'hang' | 'cut'

export interface EventReceiver extends AsyncDisposable {
  url: string
  /** All complete requests in their order, whatever the response was. */
  deliveries: EventDelivery[]
  /** The first delivery of each event, in their order. */
  first: () => readonly EventDelivery[]
  /** First deliveries of events with this name. */
  named: (event: string) => readonly EventDelivery[]
  /** Deliveries of events that had been delivered before. */
  repeated: () => number
  /** The response from now on: of every delivery, or chosen for each. */
  respond: (with_: ReceiverResponse | ((delivery: EventDelivery) => ReceiverResponse)) => void
  /** Fails if deliveries of one event differ, or if one change has two events. */
  assertSingle: (changeOf?: (delivery: EventDelivery) => string) => void
}

export async function openEventReceiver(): Promise<EventReceiver> {
  const deliveries: EventDelivery[] = []
  const first = new Map<string, EventDelivery>()
  let choose: (delivery: EventDelivery) => ReceiverResponse = () => 200
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      // The sender was killed in the middle of the request, which does not count as a delivery.
      return
    }
    const text = Buffer.concat(chunks).toString()
    const { headers, url: path = '' } = request
    const id = String(headers['x-ee-wh-event-id'] ?? '')
    const time = performance.now()
    const delivery = { id, text, body: JSON.parse(text), headers, path, time }
    deliveries.push(delivery)
    if (!first.has(id)) first.set(id, delivery)
    end(response, choose(delivery))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    deliveries,
    first: () => [...first.values()],
    named: (event) => [...first.values()].filter(({ body }) => body.event === event),
    repeated: () => deliveries.length - first.size,
    respond(next) {
      choose = typeof next === 'function' ? next : () => next
    },
    assertSingle(changeOf = nameChange) {
      for (const { id, text, body } of deliveries) {
        assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
        assert.equal(text, first.get(id)?.text, `${body.event} ${id} was sent with other bytes`)
      }
      // Events without a path are about the account, which may sign in again.
      const ofMail = [...first.values()].filter(({ body }) => body.path !== undefined)
      const changes = Map.groupBy(ofMail, changeOf)
      const doubled = [...changes].filter(([, events]) => events.length > 1)
      const shown = doubled.map(([change, events]) => `${change}: ${events.map(({ id }) => id)}`)
      assert.deepEqual(shown, [], 'changes with several events')
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

/** What an event is about; the same for another event of the same change. */
function nameChange({ body }: EventDelivery): string {
  const { account, event, path, data } = body
  const details = data.uid === undefined ? data : (data.changes ?? '')
  return [account, event, path, data.uid, JSON.stringify(details)].join(' ')
}

/**
 * Whether the event is about the flag \Deleted, which a client sets before it removes a message: it
 * is reported if the mailbox is compared between the two commands.
 */
export function isMarkedDeleted({ body: { event, data } }: EventDelivery): boolean {
  return event === 'messageUpdated' && JSON.stringify(data.changes).includes('\\\\Deleted')
}

function end(response: ServerResponse, chosen: ReceiverResponse): void {
  if (chosen === 'hang') return
  if (chosen === 'cut') response.destroy()
  else response.writeHead(chosen, { 'content-length': 0 }).end()
}
