import type { Socket } from 'node:net'
import type { MailboxContext } from '../../context.ts'
import { createSignIn } from '../sign-in.ts'
import { type Connection, openConnection } from './connection.ts'
import { extensionsWithout } from './extensions.ts'
import type { ImapServer } from './session/session.ts'
import { createSnapshots } from './session/snapshot.ts'

export interface ImapConnections {
  connect: (socket: Socket) => void
  /** Tells all clients why, and closes their connections. */
  closeAll: (reason: string) => void
}

export function createImapServer(context: MailboxContext): ImapConnections {
  const server: ImapServer = {
    context,
    signIn: createSignIn(context),
    snapshots: createSnapshots(context.store),
    extensions: extensionsWithout(context.options.sandboxWithout)
  }
  const connections = new Set<Connection>()
  return {
    connect(socket) {
      const connection = openConnection(server, socket, () => connections.delete(connection))
      connections.add(connection)
    },
    closeAll(reason) {
      // Cannot fail: an error of the command before it has ended that connection.
      for (const connection of connections) void connection.close(reason)
    }
  }
}
