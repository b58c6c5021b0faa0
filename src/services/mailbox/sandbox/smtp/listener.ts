import type { Socket } from 'node:net'
import { loadOnce } from '../../../../kernel/load-once.ts'
import type { ListenerHandler } from '../../../../kernel/service.ts'
import type { MailboxContext } from '../../context.ts'
import { TOO_MANY_CONNECTIONS } from './contract.ts'
import type { SmtpServer } from './server.ts'

/** SMTP on a port of the host; the server is loaded with the first connection. */
export function smtpListener(context: MailboxContext): ListenerHandler {
  let isClosed = false
  let server: SmtpServer | undefined
  const load = loadOnce(async () => {
    const { createSmtpServer } = await import('./server.ts')
    server = createSmtpServer(context)
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
        context.kernel.warn(`The SMTP server did not start: ${error.message}`)
        socket.destroy()
      })
    },
    reject: (socket) => socket.write(TOO_MANY_CONNECTIONS),
    close() {
      isClosed = true
      server?.close()
    }
  }
}
