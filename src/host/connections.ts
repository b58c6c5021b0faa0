import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { ServerResponse } from '../kernel/node-http.ts'
import { maxConnections } from './descriptor-limit.ts'

/** A response that a client does not read for this long is cut. */
const STALL_MS = 30_000
/** Number of checks for stalled responses in that time. */
const CHECKS = 6
/** Time in which a client that is still sending can read its response before the end. */
const LINGER_MS = 800
/** Time in which a new connection should send its first request. */
const FIRST_REQUEST_MS = 1000
/** Maximum number of connections looked at to find one to close. */
const MAX_LOOKED_AT = 1000
/** Share of all connections that other protocols than HTTP may have. */
const OTHER_SHARE = 1 / 2

/** An open connection and its latest request; earlier requests are answered before it. */
export interface Connection {
  readonly socket: Socket
  /** Time of its start, by the clock of `performance`. */
  readonly since: number
  request: IncomingMessage | undefined
  response: ServerResponse | undefined
  /** What the client sent cannot be parsed: there are no further requests. */
  isBroken: boolean
  /** Half-closed: what the client still sends is discarded. */
  isEnding: boolean
}

/** All connections of a process. */
export interface Connections {
  /** If there are too many, closes one that waits for a request, or else this one. */
  add: (socket: Socket) => void
  /** Counts a connection of another protocol than HTTP; false if there are too many. */
  addOther: (socket: Socket) => boolean
  /** To be called at the start of each request. */
  begin: (request: IncomingMessage, response: ServerResponse) => void
  find: (socket: object) => Connection | undefined
  /** Closes the connections of a server that sent no request; Node does not count them as idle. */
  closeSilent: (server: Server) => void
  /** Half-closes the connection, discards what the client still sends and closes it soon. */
  end: (connection: Connection) => void
  /** To be called when a socket had no activity for the time it was set to. */
  timeOut: (socket: Socket) => void
  readonly max: number
  readonly count: number
  close: () => void
}

export interface ConnectionLimits {
  max?: number
  stallMs?: number
  lingerMs?: number
}

export function createConnections({
  max = maxConnections(),
  stallMs = STALL_MS,
  lingerMs = LINGER_MS
}: ConnectionLimits = {}): Connections {
  const all = new Map<object, Connection>()
  /** Connections without a request so far, oldest first. */
  const silent = new Set<Connection>()
  const maxOthers = Math.floor(max * OTHER_SHARE)
  let others = 0
  const checks = setInterval(checkStalled, stallMs / CHECKS).unref()

  function add(socket: Socket): void {
    if (isFull() && !closeWaiting()) {
      socket.destroy()
      return
    }
    const connection: Connection = {
      socket,
      since: performance.now(),
      request: undefined,
      response: undefined,
      isBroken: false,
      isEnding: false
    }
    all.set(socket, connection)
    silent.add(connection)
    socket.once('close', () => forget(connection))
    // `http` calls this after the last response of a connection. If the client is still sending,
    // closing at once would reset the connection, and the response could be lost.
    socket.destroySoon = () => {
      if (connection.isBroken || connection.request?.complete === false) end(connection)
      else Socket.prototype.destroySoon.call(socket)
    }
  }

  function addOther(socket: Socket): boolean {
    if (others >= maxOthers || (isFull() && !closeWaiting())) return false
    others += 1
    socket.once('close', () => {
      others -= 1
    })
    return true
  }

  function isFull(): boolean {
    return all.size + others >= max
  }

  function forget(connection: Connection): void {
    all.delete(connection.socket)
    silent.delete(connection)
  }

  /** Closes the oldest connection without a request, or else one between two requests. */
  function closeWaiting(): boolean {
    const [oldest] = silent
    const isSilent = oldest !== undefined && performance.now() - oldest.since > FIRST_REQUEST_MS
    const chosen = isSilent ? oldest : (findIdle() ?? oldest)
    if (chosen === undefined) return false
    // Its event `close` comes later, and the next connection may be accepted before.
    forget(chosen)
    chosen.socket.destroy()
    return true
  }

  function findIdle(): Connection | undefined {
    let left = MAX_LOOKED_AT
    for (const connection of all.values()) {
      if (connection.request?.complete && !isResponding(connection)) return connection
      left -= 1
      if (left === 0) return undefined
    }
    return undefined
  }

  function closeSilent(server: Server): void {
    for (const { socket } of silent)
      if ('server' in socket && socket.server === server) socket.destroy()
  }

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = all.get(request.socket)
    if (connection === undefined) return
    if (connection.request === undefined) silent.delete(connection)
    connection.request = request
    connection.response = response
  }

  function end(connection: Connection): void {
    const { socket, request } = connection
    if (connection.isEnding) return
    connection.isEnding = true
    // The rest of the body is read and discarded, also if its reader has stopped.
    request?.resume()
    socket.resume()
    socket.end()
    function start(): void {
      const timer = setTimeout(() => socket.destroy(), lingerMs)
      socket.once('close', () => clearTimeout(timer))
    }
    if (socket.writableFinished) start()
    else socket.once('finish', start)
  }

  /** At intervals and not with each request, which would cost time. */
  function checkStalled(): void {
    for (const connection of all.values()) {
      const { socket, request } = connection
      const isWaiting = socket.writableLength > 0
      // The timer of a socket is put off as long as the client reads.
      if (isWaiting && socket.timeout !== stallMs) socket.setTimeout(stallMs)
      // The request was rejected, but its body goes on and on.
      if (request?.complete === false && !isResponding(connection)) end(connection)
    }
  }

  function timeOut(socket: Socket): void {
    const connection = all.get(socket)
    const isHeld = connection !== undefined && isResponding(connection)
    // Such as an event stream whose client has read everything.
    if (isHeld && socket.writableLength === 0) socket.setTimeout(0)
    else socket.destroy()
  }

  return {
    add,
    addOther,
    begin,
    find: (socket) => all.get(socket),
    closeSilent,
    end,
    timeOut,
    max,
    get count() {
      return all.size + others
    },
    close: () => clearInterval(checks)
  }
}

/** Whether the latest request has no complete response yet. */
export function isResponding({ response }: Connection): boolean {
  return response !== undefined && !response.writableFinished && !response.destroyed
}
