import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

/** A message that the sink has accepted. */
export interface SunkMessage {
  from: string
  to: string[]
  raw: string
  /** Arguments of MAIL FROM, and of the first RCPT TO. */
  mailArgs: Record<string, unknown>
  rcptArgs: Record<string, unknown>
  user: string | undefined
}

/** Throwing an error rejects the command; its `responseCode` is the reply. */
export interface SinkRules {
  onMail?: (from: string) => void | Promise<void>
  onRcpt?: (to: string) => void | Promise<void>
  /** After the message was received and before it is accepted. */
  onMessage?: (message: SunkMessage) => void | Promise<void>
  /** Undefined: no sign-in. */
  onAuth?: (auth: { method: string; user: string; secret: string }) => boolean
  authMethods?: string[]
  maxBytes?: number
}

export interface SmtpSink extends AsyncDisposable {
  port: number
  /** In the order in which they were accepted. */
  messages: SunkMessage[]
  connections: () => number
  close: () => Promise<void>
}

/** An SMTP server on loopback that keeps what it gets. */
export async function openSink(rules: SinkRules = {}): Promise<SmtpSink> {
  const messages: SunkMessage[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: rules.onAuth === undefined,
    authMethods: rules.authMethods ?? ['PLAIN', 'LOGIN'],
    disabledCommands: ['STARTTLS', ...(rules.onAuth === undefined ? ['AUTH'] : [])],
    hidePIPELINING: false,
    ...(rules.maxBytes !== undefined && { size: rules.maxBytes }),
    disableReverseLookup: true,
    logger: false,
    onConnect(_session, done) {
      connections += 1
      done()
    },
    onAuth({ method, username = '', password, accessToken }, _session, done) {
      const secret = password ?? accessToken ?? ''
      if (rules.onAuth?.({ method, user: username, secret }) === true) {
        done(null, { user: username })
      } else done(null, { data: { status: '401', schemes: 'bearer', scope: 'mail' } } as never)
    },
    onMailFrom({ address }, _session, done) {
      settle(done, () => rules.onMail?.(address))
    },
    onRcptTo({ address }, _session, done) {
      settle(done, () => rules.onRcpt?.(address))
    },
    onData(stream, session, done) {
      settle(done, async () => {
        const raw = (await buffer(stream)).toString('latin1')
        const message = sunk(session, raw)
        await rules.onMessage?.(message)
        messages.push(message)
      })
    }
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  const close = () => new Promise<void>((resolve) => server.close(resolve))
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    messages,
    connections: () => connections,
    close,
    [Symbol.asyncDispose]: close
  }
}

function settle(
  done: (error?: Error | null) => void,
  work: () => void | Promise<void> | undefined
): void {
  Promise.resolve()
    .then(work)
    .then(
      () => done(),
      (error: Error) => done(error)
    )
}

function sunk({ envelope, user }: SMTPServerSession, raw: string): SunkMessage {
  const { mailFrom, rcptTo } = envelope
  const sender = mailFrom === false ? undefined : mailFrom
  return {
    from: sender?.address ?? '',
    to: rcptTo.map(({ address }) => address),
    raw,
    mailArgs: { ...(sender?.args === false ? {} : sender?.args) },
    rcptArgs: { ...(rcptTo[0]?.args === false ? {} : rcptTo[0]?.args) },
    user: typeof user === 'string' ? user : undefined
  }
}

/** For `SinkRules`. */
export function smtpReply(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code })
}
