import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WebhookAnswer {
  status?: number
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Whether the request is accepted and never gets a response. */
  silent?: true
  /** Whether the connection is reset instead of sending a response. */
  reset?: true
}

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Webhook extends AsyncDisposable {
  url: string
  /** Requests that arrived since the last call. */
  take: () => Received[]
  close: () => Promise<void>
}

/**
 * A real webhook on a free port. The response is chosen by the path (`/refuses` → `refuses`) or, at
 * `/`, by the local part of the email address (`refuses@example.org`); by default it is a success.
 */
export async function openWebhook(
  answers: Readonly<Record<string, WebhookAnswer>> = {}
): Promise<Webhook> {
  let received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const { method = '', url: path = '', headers } = request
    received.push({ method, path, headers, body })
    answer(response, answers[nameOf(path, body)] ?? {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${port}/`,
    take() {
      const taken = received
      received = []
      return taken
    },
    close,
    [Symbol.asyncDispose]: close
  }
}

function nameOf(path: string, body: string): string {
  return path.slice(1) || (/"email":"([^@"]*)/.exec(body)?.[1] ?? '')
}

function answer(response: ServerResponse, scripted: WebhookAnswer): void {
  if (scripted.silent) return
  if (scripted.reset) {
    response.socket?.resetAndDestroy()
    return
  }
  const { status = 200, headers = {}, body = '{"status":"success"}' } = scripted
  response.writeHead(status, headers).end(body)
}
