import type { Socket } from 'node:net'
import { loadOnce } from '../../../../kernel/load-once.ts'
import type { ListenerHandler } from '../../../../kernel/service.ts'
import type { MailboxContext } from '../../context.ts'
import type { ImapConnections } from './server.ts'

export interface ImapListener extends ListenerHandler {
  /** Closes all connections; new ones are served. */
  disconnect: () => void
}

/** IMAP on a port of the host; the server is loaded with the first connection. */
export function imapListener(context: MailboxContext): ImapListener {
  let isClosed = false
  let server: ImapConnections | undefined
  const load = loadOnce(async () => {
    const { createImapServer } = await import('./server.ts')
    server = createImapServer(context)
    return server
  })

  async function connect(socket: Socket): Promise<void> {
    const { connect: serve } = await load()
    if (isClosed) socket.destroy()
    else if (!socket.destroyed) serve(socket)
  }

  return {
    maxPerClient: context.options.sandboxConnections,
    onConnection(socket) {
      connect(socket).catch((error: Error) => {
        context.kernel.warn(`The IMAP server did not start: ${error.message}`)
        socket.destroy()
      })
    },
    reject: (socket) => socket.write('* BYE [LIMIT] Too many connections.\r\n'),
    close() {
      isClosed = true
      server?.closeAll('Server shutting down.')
    },
    disconnect: () => server?.closeAll('The data was reset.')
  }
}
