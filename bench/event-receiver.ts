import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const TIMEOUT_MS = 120_000

/** Receives webhooks and notes when the one about a message arrives. */
export interface EventReceiver {
  url: string
  /** Waits for the new message with this subject; resolves to the time of `performance.now`. */
  arrival: (subject: string) => Promise<number>
  close: () => void
}

export async function openEventReceiver(): Promise<EventReceiver> {
  const waiting = new Map<string, (time: number) => void>()
  const server = createServer(async (request, response) => {
    const time = performance.now()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.end()
    const { event, data } = JSON.parse(Buffer.concat(chunks).toString())
    if (event !== 'messageNew') return
    waiting.get(data.subject)?.(time)
    waiting.delete(data.subject)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    arrival: (subject) =>
      new Promise((resolve, reject) => {
        const error = new Error(`No webhook about ${subject}`)
        const timer = setTimeout(reject, TIMEOUT_MS, error)
        waiting.set(subject, (time) => {
          clearTimeout(timer)
          resolve(time)
        })
      }),
    close() {
      server.closeAllConnections()
      server.close()
    }
  }
}
