import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: Buffer
}

/** An upstream server on a free port, and the requests it received. */
export interface Upstream {
  url: string
  received: Received[]
  close: () => Promise<void>
}

export async function openUpstream(
  answer: (request: Received, response: ServerResponse) => void
): Promise<Upstream> {
  const received: Received[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = '', url = '', headers } = incoming
    const request = { method, url, headers, body: Buffer.concat(chunks) }
    received.push(request)
    answer(request, response)
  })
  return { ...(await listen(server)), received }
}

/** Listens on a free port of this machine. */
export async function listen(server: Server): Promise<Omit<Upstream, 'received'>> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
