import type { Socket } from 'node:net'
import { hostname } from 'node:os'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailServer, SignIn } from '../accounts/servers.ts'
import { redact } from '../connections/redact.ts'
import type { SmtpError } from './retry-rules.ts'
import { smtpAuthOf } from './smtp-auth.ts'

const GREETING_TIMEOUT_MS = 30_000
/** After the end of a message a server may take this long (RFC 5321, 4.5.3.2.6). */
const REPLY_TIMEOUT_MS = 10 * 60_000
const MAX_REPLY_BYTES = 64 * 1024

export interface SmtpOptions {
  /** Opens a socket to the server, by the egress policy of the account. */
  readonly connect: (server: MailServer, signal: AbortSignal) => Promise<Socket>
  /** For EHLO; the name of this machine by default. */
  readonly ehloName: string | undefined
  readonly ignoreCertificateErrors: boolean
  /** Closes the connection. */
  readonly signal: AbortSignal
}

/** Connected and signed in. An error of the connection rejects what waits for the server. */
export interface SmtpSession {
  readonly connection: SMTPConnection
  /** Runs a method with a callback. */
  readonly run: <T>(
    method: (done: (error: Error | null | undefined, result?: T) => void) => void
  ) => Promise<T>
  readonly close: () => void
}

/** A rejected access token is replaced by another one, once. */
export async function openSmtp(server: MailServer, options: SmtpOptions): Promise<SmtpSession> {
  const signIn = await server.signIn()
  try {
    return await openWith(server, signIn, options)
  } catch (error) {
    const token = signIn !== undefined && 'accessToken' in signIn ? signIn.accessToken : undefined
    if ((error as { code?: string }).code !== 'EAUTH' || token === undefined) throw error
    const next = await server.signIn(token)
    if (next === undefined || !('accessToken' in next) || next.accessToken === token) throw error
    return openWith(server, next, options)
  }
}

async function openWith(
  server: MailServer,
  signIn: SignIn | undefined,
  options: SmtpOptions
): Promise<SmtpSession> {
  const { signal, ehloName = hostname(), ignoreCertificateErrors } = options
  const { host, port, secure, tls } = server
  const { auth, customAuth } = smtpAuthOf(signIn, server)
  const socket = await options.connect(server, signal)
  const connection = new SMTPConnection({
    ...{ host, port, secure, name: ehloName, connection: socket, logger: false },
    tls: { ...tls, ...(ignoreCertificateErrors && { rejectUnauthorized: false }) },
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: REPLY_TIMEOUT_MS,
    maxResponseSize: MAX_REPLY_BYTES,
    customAuth
  })
  const session = sessionOf(connection, signal, signIn)
  try {
    await session.run<void>((done) => connection.connect(done))
    if (auth !== undefined && connection.allowsAuth) {
      await session.run<boolean>((done) => connection.login(auth, done))
    }
    return session
  } catch (error) {
    session.close()
    throw error
  }
}

function sessionOf(
  connection: SMTPConnection,
  signal: AbortSignal,
  signIn: SignIn | undefined
): SmtpSession {
  const ended = Promise.withResolvers<never>()
  // Without a waiting command the rejection is not an unhandled one.
  ended.promise.catch(() => {})
  connection.on('error', ended.reject)
  connection.on('end', () => ended.reject(new Error('The mail server closed the connection')))
  const abort = () => {
    ended.reject(signal.reason)
    connection.close()
  }
  signal.addEventListener('abort', abort, { once: true })
  return {
    connection,
    run(method) {
      const result = Promise.withResolvers<Awaited<ReturnType<typeof method>>>()
      signal.throwIfAborted()
      method((error, value) => (error ? result.reject(error) : result.resolve(value as never)))
      return Promise.race([result.promise, ended.promise]).catch((error) => {
        throw withoutSecrets(error, signIn)
      }) as never
    },
    close() {
      signal.removeEventListener('abort', abort)
      connection.close()
    }
  }
}

/** Servers may repeat what they were sent. */
function withoutSecrets(error: unknown, signIn: SignIn | undefined): unknown {
  if (!(error instanceof Error) || signIn === undefined) return error
  const secrets = ['pass' in signIn ? signIn.pass : signIn.accessToken]
  const { response }: SmtpError = error
  error.message = redact(error.message, secrets)
  if (response === undefined) return error
  return Object.assign(error, { response: redact(response, secrets) })
}
