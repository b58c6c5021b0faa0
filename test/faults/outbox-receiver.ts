/** A receiver of deliveries that fails, hangs, answers 500 and dies. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../support/ports.ts'
import type { Random } from '../support/random.ts'

export interface Delivery {
  id: string
  key: string
  body: string
  /** Of the sender. */
  processId: string
}

export interface Receiver extends AsyncDisposable {
  url: string
  /** All complete requests in their order, whatever the response was. */
  deliveries: Delivery[]
  /** Requests of this key wait until the test sends the response. */
  holdKey: string
  held: { delivery: Delivery; respond: (status: number) => void }[]
  /** Ends all connections and accepts none for a while. */
  die: (durationMs: number) => Promise<void>
  counts: Record<string, number>
}

export async function openReceiver(random: Random): Promise<Receiver> {
  const port = await freePort()
  let server = await listen(port, receive)
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    deliveries: [],
    holdKey: '',
    held: [],
    counts: { ok: 0, failed: 0, hung: 0, cut: 0, died: 0 },
    async die(durationMs) {
      receiver.counts.died = (receiver.counts.died ?? 0) + 1
      await close(server)
      await wait(durationMs)
      server = await listen(port, receive)
    },
    [Symbol.asyncDispose]: () => close(server)
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk
    })
    request
      .on('error', () => {})
      .on('end', () => {
        const { 'x-id': id = '', 'x-process': processId = '' } = request.headers as Record<
          string,
          string
        >
        const delivery = { id, key: JSON.parse(body).key, body, processId }
        receiver.deliveries.push(delivery)
        if (delivery.key !== receiver.holdKey) respond(response)
        else receiver.held.push({ delivery, respond: (status) => endWith(response, status) })
      })
  }

  function respond(response: ServerResponse): void {
    const chance = random.below(100)
    const count = (name: string) => {
      receiver.counts[name] = (receiver.counts[name] ?? 0) + 1
    }
    if (chance < 75) {
      count('ok')
      endWith(response, 200)
    } else if (chance < 87) {
      count('failed')
      endWith(response, 500)
    } else if (chance < 94) count('hung')
    else {
      count('cut')
      response.destroy()
    }
  }

  return receiver
}

function endWith(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0 }).end()
}

async function listen(
  port: number,
  receive: (request: IncomingMessage, response: ServerResponse) => void
): Promise<Server> {
  const server = createServer(receive)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}
