/** A receiver of webhooks that responds to HEAD with 200 and to POST as the test says. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

const TIMEOUT_MS = 60_000
const SHORTEST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 200

export interface ReceivedDelivery {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface DeliveryReceiver extends AsyncDisposable {
  url: string
  /** Statuses by path; of HEAD with `HEAD ` before it. 200 by default. */
  statuses: Record<string, number>
  /** All POST requests to this path. */
  received: (path: string) => readonly ReceivedDelivery[]
  /** Waits for so many POST requests to this path, and fails if there are more. */
  arrivals: (path: string, count: number) => Promise<readonly ReceivedDelivery[]>
  close: () => Promise<void>
}

export async function openReceiver(): Promise<DeliveryReceiver> {
  const all: ReceivedDelivery[] = []
  const statuses: Record<string, number> = {}
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    if (method === 'POST') all.push({ path, headers, body: Buffer.concat(chunks).toString() })
    const status = statuses[method === 'HEAD' ? `HEAD ${path}` : path] ?? 200
    // Nobody follows it.
    response.writeHead(status, { location: '/other' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const received = (path: string) => all.filter((one) => one.path === path)
  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    statuses,
    received,
    async arrivals(path, count) {
      await until(() => received(path).length >= count, `${count} deliveries to ${path}`)
      assert.equal(received(path).length, count)
      return received(path)
    },
    close,
    [Symbol.asyncDispose]: close
  }
}

/**
 * Fails after a minute, or after `timeoutMs`. Pauses are a tenth of the time so far: many conditions
 * are requests, and some take half a minute.
 */
export async function until(
  isDone: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = TIMEOUT_MS
): Promise<void> {
  const start = Date.now()
  while (!(await isDone())) {
    const passed = Date.now() - start
    assert.ok(passed < timeoutMs, `waited in vain for ${what}`)
    await setTimeout(Math.min(Math.max(SHORTEST_PAUSE_MS, passed / 10), LONGEST_PAUSE_MS))
  }
}
