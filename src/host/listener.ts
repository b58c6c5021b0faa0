import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { type Socket, Server as SocketServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyError } from 'fastify'
import {
  type ErrorResponse,
  HeadersTooLarge,
  HostRepeated,
  MalformedRequest,
  RequestTimedOut,
  UpgradeNotAllowed
} from '../kernel/errors.ts'
import { JoiningRequest } from '../kernel/joining-request.ts'
import { createServer, ServerResponse } from '../kernel/node-http.ts'
import { bindPort, type PortOptions } from './bind-port.ts'
import {
  type Connection,
  type Connections,
  createConnections,
  isResponding
} from './connections.ts'
import { failConnection } from './fail-connection.ts'
import type { Observer } from './observer.ts'

const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_TIMEOUT_MS = 10_000
const CHECK_INTERVAL_MS = 500
const IDLE_GRACE_MS = 100
const DRAIN_STEP_MS = 25

interface State {
  draining: boolean
  connections: Connections
  /** Sockets of upgraded connections, which Node's server does not track any more. */
  upgraded: Set<Socket>
}

export interface Listener {
  /** The port, the same for all hosts. */
  readonly port: number
  /** Accepts no new connections, lets running requests finish, closes the rest at the deadline. */
  drain: (deadlineMs: number) => Promise<void>
}

export interface ListenerOptions extends PortOptions {
  requestTimeoutMs: number
  handler: RequestListener
  /** Handles WebSocket handshakes; never rejects. */
  upgrade: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined
  observer: Observer
  renderError: (error: FastifyError) => ErrorResponse
  /** Shared by the listeners of a process; by default the listener has its own. */
  connections?: Connections
  /** Idle connections are closed after this time, because a request may already be on its way. */
  idleGraceMs?: number | undefined
}

/** Listens on the same port of every host. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { connections = createConnections() } = options
  const state: State = { draining: false, connections, upgraded: new Set() }
  const { servers, port } = await bindPort(options, () => createPlainServer(options, state))
  return {
    port,
    async drain(deadlineMs) {
      await drain(servers, state, deadlineMs, options.idleGraceMs)
      if (options.connections === undefined) connections.close()
    }
  }
}

function createPlainServer(options: ListenerOptions, state: State): Server {
  const { handler, observer, requestTimeoutMs, renderError } = options
  const { connections } = state
  const listener = observer((request, response) => {
    connections.begin(request, response)
    if (state.draining) response.shouldKeepAlive = false
    if (hasRepeatedHost(request)) rejectHost(response, renderError)
    else handler(request, response)
  })
  const server = createServer(
    {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      // RFC 9110 7.8: any other upgrade, such as curl's to HTTP/2, may be ignored; the request is
      // then handled as usual.
      shouldUpgradeCallback: wantsWebSocket,
      IncomingMessage: JoiningRequest
    },
    listener
  )
  server.on('connection', connections.add)
  server.on('timeout', connections.timeOut)
  server.on('upgrade', (request, socket, head) => {
    const connection = connections.find(socket)
    if (connection === undefined) socket.destroy()
    // A response to an earlier request is under way; afterwards the connection is closed.
    else if (isResponding(connection)) failConnection(connections, connection)
    else handleUpgrade(options, state, connection, { request, head })
  })
  // A request with an unknown `Expect` header is handled as usual.
  server.on('checkExpectation', listener)
  server.on('connect', (_request, socket) => {
    const connection = connections.find(socket)
    if (connection === undefined) socket.destroy()
    else failConnection(connections, connection, renderError(new MalformedRequest()))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const connection = connections.find(socket)
    if (connection === undefined || (!socket.writable && !connection.isEnding)) socket.destroy()
    else if (!connection.isBroken)
      failConnection(connections, connection, renderError(toError(error)))
  })
  return server
}

/** RFC 9112 3.2. Node keeps the first line only, and a proxy in front may have used the last. */
function hasRepeatedHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === HOST.length && name.toLowerCase() === HOST) hosts += 1
  }
  return hosts > 1
}

const HOST = 'host'

function rejectHost(response: ServerResponse, renderError: ListenerOptions['renderError']): void {
  response.shouldKeepAlive = false
  writeError(response, renderError(new HostRepeated()))
}

function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** Node does not manage the socket any more: it gets a response object and is closed after it. */
function handleUpgrade(
  { upgrade, observer, renderError }: ListenerOptions,
  { connections, upgraded }: State,
  { socket }: Connection,
  { request, head }: { request: IncomingMessage; head: Buffer }
): void {
  if (head.length > 0) socket.unshift(head)
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.once('finish', () => socket.destroySoon())
  response.assignSocket(socket)
  connections.begin(request, response)
  socket.on('error', () => socket.destroy())
  socket.on('timeout', () => connections.timeOut(socket))
  upgraded.add(socket)
  socket.once('close', () => upgraded.delete(socket))
  const prepared = hasRepeatedHost(request)
    ? () => rejectHost(response, renderError)
    : (upgrade ?? (() => writeError(response, renderError(new UpgradeNotAllowed()))))
  observer(prepared)(request, response)
}

export function writeError(response: ServerResponse, rendered: ErrorResponse): void {
  const { status, body, type, headers = {} } = rendered
  response.writeHead(status, {
    ...headers,
    'content-type': type,
    'content-length': Buffer.byteLength(body)
  })
  response.end(body)
}

function toError(error: NodeJS.ErrnoException): FastifyError {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimedOut()
  return error.code === 'HPE_HEADER_OVERFLOW' ? new HeadersTooLarge() : new MalformedRequest()
}

async function drain(
  servers: readonly Server[],
  state: State,
  deadlineMs: number,
  idleGraceMs = IDLE_GRACE_MS
): Promise<void> {
  state.draining = true
  const closed = Promise.all(servers.map(stopAccepting))
  const deadline = wait(deadlineMs, 'late', { ref: false })
  let left: unknown = await Promise.race([closed, wait(idleGraceMs, 'busy'), deadline])
  while (left === 'busy') {
    for (const server of servers) {
      server.closeIdleConnections()
      state.connections.closeSilent(server)
    }
    left = await Promise.race([closed, wait(DRAIN_STEP_MS, 'busy'), deadline])
  }
  for (const server of servers) server.closeAllConnections()
  for (const socket of state.upgraded) socket.destroy()
  await closed
}

/** `http.Server.close` would close idle connections at once and lose requests on their way. */
function stopAccepting(server: Server): Promise<void> {
  return new Promise((resolve) => SocketServer.prototype.close.call(server, () => resolve()))
}
