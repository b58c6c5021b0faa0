import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import { UpgradeInvalid } from '../../contract.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'

/** Maximum number of fragments of a message, and of chunks in which a fragment arrives. */
const MAX_PIECES = 4096

/** Checks both headers, as Node's parser does. */
export function isSocketRequest({ headers }: IncomingMessage): boolean {
  const options = (headers.connection ?? '').toLowerCase().split(',')
  return (
    headers.upgrade?.toLowerCase() === 'websocket' &&
    options.some((option) => option.trim() === 'upgrade')
  )
}

/** Completes the handshake and returns the open socket; rejects if the handshake is invalid. */
export async function acceptSocket(
  { context, request, response }: RequestContext,
  headers: Readonly<Record<string, string>>
): Promise<WebSocket> {
  const { WebSocketServer } = await import('ws')
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: context.options.maxBodyBytes,
    // Each fragment or chunk takes memory of its own, however short it is.
    maxFragments: MAX_PIECES,
    maxBufferedChunks: MAX_PIECES
  })
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>()
  server.on('wsClientError', ({ message }) => reject(new UpgradeInvalid(message)))
  server.on('headers', (lines) => {
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
    // Status of this request in the log.
    response.statusCode = 101
  })
  server.handleUpgrade(request, request.socket, Buffer.alloc(0), resolve)
  return promise
}
