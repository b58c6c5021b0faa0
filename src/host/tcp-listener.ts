import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { normaliseIp } from '../kernel/base-url.ts'
import type { ListenerHandler } from '../kernel/service.ts'
import { bindPort, type PortOptions } from './bind-port.ts'
import type { Connections } from './connections.ts'
import type { Listener } from './listener.ts'
import type { ConnectionCounts } from './metrics.ts'

/** Silence after which the system checks whether the client still exists. */
const KEEP_ALIVE_MS = 60_000
/** Time in which a client can read why its connection ends, and end its side. */
const LINGER_MS = 800
/** Rejected clients beyond this number do not get the reason. */
const MAX_LINGERING = 100

export interface TcpListenerOptions extends PortOptions {
  handler: ListenerHandler
  /** Shared by the listeners of a process. */
  connections: Connections
  counts: ConnectionCounts
  /** Called with what the handler throws. */
  report: (error: Error) => void
}

interface State {
  open: Set<Socket>
  perClient: Map<string, number>
  lingering: Set<Socket>
}

/** Passes the connections to the handler of a service, with limits for all and for each client. */
export async function openTcpListener(options: TcpListenerOptions): Promise<Listener> {
  const state: State = { open: new Set(), perClient: new Map(), lingering: new Set() }
  const settings = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }
  const { servers, port } = await bindPort(options, () =>
    createServer(settings, (socket) => accept(socket, state, options))
  )
  return { port, drain: (deadlineMs) => drain(servers, state, options.handler, deadlineMs) }
}

function accept(
  socket: Socket,
  state: State,
  { handler, connections, counts, report }: TcpListenerOptions
): void {
  // An error without a listener would end the process.
  socket.on('error', () => socket.destroy())
  const client = normaliseIp(socket.remoteAddress ?? '')
  const ofClient = state.perClient.get(client) ?? 0
  if (ofClient >= handler.maxPerClient || !connections.addOther(socket)) {
    counts.rejected += 1
    reject(socket, state, handler)
    return
  }
  counts.accepted += 1
  counts.open += 1
  state.open.add(socket)
  state.perClient.set(client, ofClient + 1)
  socket.once('close', () => {
    counts.open -= 1
    state.open.delete(socket)
    const left = (state.perClient.get(client) ?? 0) - 1
    if (left > 0) state.perClient.set(client, left)
    else state.perClient.delete(client)
  })
  try {
    handler.onConnection(socket)
  } catch (error) {
    report(error as Error)
    socket.destroy()
  }
}

function reject(socket: Socket, { lingering }: State, handler: ListenerHandler): void {
  if (lingering.size >= MAX_LINGERING) {
    socket.destroy()
    return
  }
  lingering.add(socket)
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => {
    clearTimeout(timer)
    lingering.delete(socket)
  })
  // Closing with unread input would reset the connection, and the reason could be lost.
  socket.resume()
  handler.reject(socket)
  socket.end()
}

async function drain(
  servers: readonly Server[],
  { open, lingering }: State,
  handler: ListenerHandler,
  deadlineMs: number
): Promise<void> {
  const closed = Promise.all(
    servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
  )
  handler.close()
  const deadline = wait(deadlineMs, undefined, { ref: false })
  await Promise.race([closed, wait(LINGER_MS, undefined, { ref: false }), deadline])
  for (const socket of open) if (socket.writableFinished) socket.destroy()
  await Promise.race([closed, deadline])
  for (const socket of [...open, ...lingering]) socket.destroy()
  await closed
}
