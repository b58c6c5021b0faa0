import type { ListenerHandler } from '../../../../kernel/service.ts'
import type { MailboxContext } from '../../context.ts'
import { lazyListener } from '../lazy-listener.ts'

export interface ImapListener extends ListenerHandler {
  /** Closes all connections; new ones are served. */
  disconnect: () => void
}

/** IMAP on a port of the host. */
export function imapListener(context: MailboxContext): ImapListener {
  const listener = lazyListener(context, {
    name: 'IMAP',
    async load() {
      const { createImapServer } = await import('./server.ts')
      return createImapServer(context)
    },
    reject: (socket) => socket.write('* BYE [LIMIT] Too many connections.\r\n'),
    close: (server) => server.closeAll('Server shutting down.')
  })
  return { ...listener, disconnect: () => listener.server()?.closeAll('The data was reset.') }
}
