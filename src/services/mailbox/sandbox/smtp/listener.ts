import type { ListenerHandler } from '../../../../kernel/service.ts'
import type { MailboxContext } from '../../context.ts'
import { lazyListener } from '../lazy-listener.ts'
import { TOO_MANY_CONNECTIONS } from './contract.ts'

/** SMTP on a port of the host. */
export function smtpListener(context: MailboxContext): ListenerHandler {
  return lazyListener(context, {
    name: 'SMTP',
    async load() {
      const { createSmtpServer } = await import('./server.ts')
      return createSmtpServer(context)
    },
    reject: (socket) => socket.write(TOO_MANY_CONNECTIONS),
    close: (server) => server.close()
  })
}
