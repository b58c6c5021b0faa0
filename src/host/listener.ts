import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { Socket, Server as SocketServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyError } from 'fastify'
import {
  type ErrorResponse,
  HeadersTooLarge,
  MalformedRequest,
  RequestTimedOut,
  UpgradeNotAllowed,
  UserError
} from '../kernel/errors.ts'
import { createServer, ServerResponse, STATUS_CODES } from '../kernel/node-http.ts'
import type { Observer } from './observer.ts'

const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_TIMEOUT_MS = 10_000
const CHECK_INTERVAL_MS = 500
/** Idle connections are closed after this time, because a request may already be on its way. */
const IDLE_GRACE_MS = 100
const DRAIN_STEP_MS = 25

interface State {
  draining: boolean
  /** Sockets of upgraded connections, which Node's server does not track any more. */
  upgraded: Set<Socket>
}

export interface Listener {
  /** The port, the same for all hosts. */
  readonly port: number
  /** Accepts no new connections, lets running requests finish, closes the rest at the deadline. */
  drain: (deadlineMs: number) => Promise<void>
}

export interface ListenerOptions {
  /** Service name, for error messages. */
  name: string
  hosts: readonly string[]
  port: number
  requestTimeoutMs: number
  handler: RequestListener
  /** Handles WebSocket handshakes; never rejects. */
  upgrade: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined
  observer: Observer
  renderError: (error: FastifyError) => ErrorResponse
}

/** Listens on the same port of every host. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const state: State = { draining: false, upgraded: new Set() }
  const servers: Server[] = []
  let { port } = options
  try {
    for (const host of options.hosts) {
      const server = createPlainServer(options, state)
      if (await listen(server, host, port, options)) {
        servers.push(server)
        const address = server.address()
        if (address !== null && typeof address === 'object') port = address.port
      }
    }
    if (servers.length === 0) {
      throw new UserError(`None of ${options.hosts.join(', ')} is an IP address of this machine`)
    }
  } catch (error) {
    for (const server of servers) server.close()
    throw error
  }
  return { port, drain: (deadlineMs) => drain(servers, state, deadlineMs) }
}

function createPlainServer(options: ListenerOptions, state: State): Server {
  const { handler, observer, requestTimeoutMs } = options
  const listener = observer((request, response) => {
    if (state.draining) response.shouldKeepAlive = false
    handler(request, response)
  })
  const server = createServer(
    {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      // RFC 9110 7.8: any other upgrade, such as curl's to HTTP/2, may be ignored; the request is
      // then handled as usual.
      shouldUpgradeCallback: wantsWebSocket
    },
    listener
  )
  server.on('upgrade', (request, socket, head) => {
    if (socket instanceof Socket) handleUpgrade(options, state, { request, socket, head })
    else socket.destroy()
  })
  // A request with an unknown `Expect` header is handled as usual.
  server.on('checkExpectation', listener)
  server.on('connect', (_request, socket) => {
    // Node does not manage this socket any more, so it is closed here.
    socket.once('finish', () => socket.destroy())
    writeRawError(socket, options.renderError(new MalformedRequest()))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    writeRawError(socket, options.renderError(toError(error)))
  })
  return server
}

function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** Node does not manage the socket any more: it gets a response object and is closed after it. */
function handleUpgrade(
  { upgrade, observer, renderError }: ListenerOptions,
  { upgraded }: State,
  { request, socket, head }: { request: IncomingMessage; socket: Socket; head: Buffer }
): void {
  if (head.length > 0) socket.unshift(head)
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.once('finish', () => socket.destroySoon())
  response.assignSocket(socket)
  socket.on('error', () => socket.destroy())
  upgraded.add(socket)
  socket.once('close', () => upgraded.delete(socket))
  const prepared = upgrade ?? (() => writeError(response, renderError(new UpgradeNotAllowed())))
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

/** Writes to the socket, because there is no response object after a parser error. */
function writeRawError(socket: Duplex, { status, body, type, headers = {} }: ErrorResponse): void {
  // Node has removed its own listener after `CONNECT`, and an unhandled error ends the process.
  socket.on('error', () => socket.destroy())
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const bytes = Buffer.from(body)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${type}`,
    `content-length: ${bytes.length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close'
  ]
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]))
}

/** Resolves to false if the machine has no such IP address, as `::1` without IPv6. */
function listen(
  server: Server,
  host: string,
  port: number,
  { name, hosts }: ListenerOptions
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') resolve(false)
      else reject(listenError(error, host, port, name))
    })
    // If there is another socket for `0.0.0.0`, `::` must not bind IPv4 as well.
    const ipv6Only = host === '::' && hosts.includes('0.0.0.0')
    server.listen({ host, port, ipv6Only }, () => resolve(true))
  })
}

/** The port is in use or requires elevated privileges. */
export class PortUnavailable extends UserError {
  readonly why: string

  constructor(port: number, name: string, trouble: string) {
    const why = `Port ${port} for ${name} ${trouble}`
    super(`${why}: choose another with --port ${name}=N, or move all with --port-base N`)
    this.why = why
  }
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number, name: string) {
  if (error.code === 'EADDRINUSE') return new PortUnavailable(port, name, 'is in use')
  if (error.code === 'EACCES')
    return new PortUnavailable(port, name, 'requires elevated privileges')
  return new UserError(`Cannot listen on ${host} port ${port} for ${name}: ${error.message}`)
}

async function drain(servers: readonly Server[], state: State, deadlineMs: number): Promise<void> {
  state.draining = true
  const closed = Promise.all(servers.map(stopAccepting))
  const deadline = wait(deadlineMs, 'late', { ref: false })
  let left: unknown = await Promise.race([closed, wait(IDLE_GRACE_MS, 'busy'), deadline])
  while (left === 'busy') {
    for (const server of servers) server.closeIdleConnections()
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
