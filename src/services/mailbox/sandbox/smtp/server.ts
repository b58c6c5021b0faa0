import type { Socket } from 'node:net'
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerOptions,
  type SMTPServerSession
} from 'smtp-server'
import { isLoopbackIp } from '../../../../kernel/ip-ranges.ts'
import type { MailboxContext } from '../../context.ts'
import { normaliseAddress } from '../address.ts'
import { createSignIn } from '../sign-in.ts'
import { SandboxConnection } from './connection.ts'
import {
  ACCEPTED,
  AUTHENTICATION_REQUIRED,
  GREETING,
  malformedAddress,
  SERVER_NAME,
  signInUnavailable,
  unknownParameter,
  utf8Required,
  wrongCredentials
} from './contract.ts'
import { receive } from './receive.ts'

/** RFC 5321 lets clients wait this long between commands. */
const MAX_IDLE_MS = 300_000
/** Commands of old servers, and those that let a client name another one. */
const DISABLED = ['WIZ', 'SHELL', 'KILL', 'XCLIENT', 'XFORWARD']

const STARTTLS = 'STARTTLS'

/** Of MAIL, by the extensions that are offered; `AUTH` names the sender again (RFC 4954). */
const MAIL_PARAMETERS = ['SIZE', 'BODY', 'SMTPUTF8', 'AUTH']

export interface SmtpServer {
  connect: (socket: Socket) => void
  close: () => void
}

/**
 * Clients of this machine need no credentials and no TLS; others need both. So there are two
 * servers of `smtp-server`, which listen on no port.
 */
export function createSmtpServer(context: MailboxContext): SmtpServer {
  const options = serverOptions(context)
  const local = open({ ...options, authOptional: true, allowInsecureAuth: true })
  const remote = open(options)

  return {
    connect(socket) {
      const server = isLoopbackIp(socket.remoteAddress ?? '') ? local : remote
      const connection = new SandboxConnection(server, socket, context.secureContext)
      server.connections.add(connection)
      // The client is gone, or its TLS handshake failed; both close the socket.
      connection.on('error', () => undefined)
      connection.init()
    },
    close() {
      for (const server of [local, remote]) {
        for (const connection of server.connections) {
          if (connection instanceof SandboxConnection) connection.stop()
        }
        // Commands after a message get 421 from now on.
        server.close()
      }
    }
  }
}

function open(options: SMTPServerOptions): SMTPServer {
  const server = new SMTPServer(options)
  server.on('error', () => undefined)
  return server
}

function serverOptions(context: MailboxContext): SMTPServerOptions {
  const { options } = context
  const signIn = createSignIn(context)
  return {
    name: SERVER_NAME,
    banner: GREETING,
    heloResponse: '%s',
    logger: false,
    disableReverseLookup: true,
    disabledCommands: options.sandboxWithout.some(isStartTls) ? [...DISABLED, STARTTLS] : DISABLED,
    authMethods: ['PLAIN', 'LOGIN'],
    authRequiredMessage: AUTHENTICATION_REQUIRED,
    size: options.sandboxMessageBytes,
    maxRecipients: options.sandboxRecipients,
    maxCommandLength: options.sandboxLineBytes,
    socketTimeout: Math.min(options.sandboxIdleSeconds * 1000, MAX_IDLE_MS),
    // At once, so that a client that does not wait for the greeting is served too.
    onConnect: (_session, callback) => callback(),
    onAuth({ username = '', password }, session, callback) {
      signIn(username, password ?? '', session.remoteAddress).then(
        (account) => callback(account ? null : wrongCredentials(), { user: account?.id }),
        () => callback(signInUnavailable())
      )
    },
    onMailFrom(sender, session, callback) {
      const isEmpty = sender.address === ''
      const error =
        checkParameters(sender, MAIL_PARAMETERS) ?? (isEmpty ? null : check(sender, session))
      // Not at once: otherwise `smtp-server` stops reading after pipelined messages.
      queueMicrotask(() => callback(error))
    },
    onRcptTo(recipient, session, callback) {
      const isPostmaster = recipient.address.toLowerCase() === 'postmaster'
      callback(checkParameters(recipient, []) ?? (isPostmaster ? null : check(recipient, session)))
    },
    onData(stream, { envelope }, callback) {
      receive(context, stream, envelope).then(
        () => callback(null, ACCEPTED),
        (error) => callback(error)
      )
    }
  }
}

function isStartTls(extension: string): boolean {
  return extension.toUpperCase() === STARTTLS
}

function checkParameters({ args }: SMTPServerAddress, known: readonly string[]): Error | null {
  const isKnown = Object.keys(args || {}).every((name) => known.includes(name))
  return isKnown ? null : unknownParameter()
}

function check({ address }: SMTPServerAddress, { envelope }: SMTPServerSession): Error | null {
  if (normaliseAddress(address) === undefined) return malformedAddress()
  // A domain may have been sent in its ASCII form, which the server has decoded.
  const local = address.slice(0, address.lastIndexOf('@'))
  return !envelope.smtpUtf8 && /\P{ASCII}/u.test(local) ? utf8Required() : null
}
