import { TLSSocket } from 'node:tls'
import type { Command } from '../session/session.ts'
import { createByteReader } from '../wire/byte-reader.ts'
import { syntaxError } from '../wire/errors.ts'
import { createOutput } from '../wire/output.ts'

export const startTls: Command = {
  state: 'notAuthenticated',
  extensions: ['STARTTLS'],
  async run(session, { scanner, tag }) {
    scanner.end()
    if (session.isEncrypted) throw syntaxError('TLS is already active.')
    const secureContext = await session.server.context.secureContext()
    session.output.line(`${tag} OK Begin TLS negotiation now.`)
    session.output.flush()
    // Commands that were sent before the negotiation may be of an attacker (CVE-2011-0411).
    session.reader.detach()
    // The idle time is that of the new socket.
    session.socket.setTimeout(0)
    const socket = new TLSSocket(session.socket, { isServer: true, secureContext })
    // An error closes the socket, which ends the session.
    socket.on('error', () => socket.destroy())
    session.socket = socket
    session.reader = createByteReader(socket)
    session.output = createOutput(socket)
    session.isEncrypted = true
    session.onSocket(socket)
    return undefined
  }
}
