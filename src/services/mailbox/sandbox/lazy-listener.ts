import type { Socket } from 'node:net'
import { loadOnce } from '../../../kernel/load-once.ts'
import type { ListenerHandler } from '../../../kernel/service.ts'
import type { MailboxContext } from '../context.ts'

interface Protocol<Server> {
  /** In the warning if the server cannot be loaded. */
  readonly name: string
  readonly load: () => Promise<Server>
  readonly reject: ListenerHandler['reject']
  readonly close: (server: Server) => void
}

export interface LazyListener<Server> extends ListenerHandler {
  /** Undefined until the first connection. */
  server: () => Server | undefined
}

/** A server on a port of the host that is loaded with the first connection. */
export function lazyListener<Server extends { connect: (socket: Socket) => void }>(
  { options, kernel }: Pick<MailboxContext, 'options' | 'kernel'>,
  { name, load, reject, close }: Protocol<Server>
): LazyListener<Server> {
  let isClosed = false
  let server: Server | undefined
  const loadServer = loadOnce(async () => {
    server = await load()
    return server
  })

  async function connect(socket: Socket): Promise<void> {
    const loaded = await loadServer()
    if (isClosed) socket.destroy()
    else if (!socket.destroyed) loaded.connect(socket)
  }

  return {
    maxPerClient: options.sandboxConnections,
    onConnection(socket) {
      connect(socket).catch((error: Error) => {
        kernel.warn(`The ${name} server did not start: ${error.message}`)
        socket.destroy()
      })
    },
    reject,
    close() {
      isClosed = true
      if (server !== undefined) close(server)
    },
    server: () => server
  }
}
