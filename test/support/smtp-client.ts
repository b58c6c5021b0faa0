import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

const REPLY_TIMEOUT_MS = 60_000

/** A conversation with an SMTP server, line by line, with no rules of its own. */
export interface SmtpClient extends Disposable {
  socket: Socket
  /** Sends a line and resolves to the reply, whose lines are joined by line feeds. */
  command: (line: string) => Promise<string>
  write: (bytes: string | Uint8Array) => void
  reply: () => Promise<string>
  /** Continues on TLS; the reply to STARTTLS is read already. */
  secure: (certificate?: string) => Promise<void>
  /** Resolves when the server has closed the connection. */
  closed: Promise<void>
}

/** The greeting is read. */
export async function openSmtp(port: number, host = '127.0.0.1'): Promise<SmtpClient> {
  const client = connectSmtp(port, host)
  await client.reply()
  return client
}

export function connectSmtp(port: number, host = '127.0.0.1'): SmtpClient {
  let received = ''
  let wake = () => {}
  let isClosed = false
  const { promise: closed, resolve } = Promise.withResolvers<void>()

  function listen(socket: Socket): Socket {
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      wake()
    })
    socket.on('close', () => {
      isClosed = true
      resolve()
      wake()
    })
    return socket
  }

  async function reply(): Promise<string> {
    const deadline = setTimeout(() => client.socket.destroy(), REPLY_TIMEOUT_MS)
    try {
      for (;;) {
        const complete = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/.exec(received)
        if (complete !== null) {
          received = received.slice(complete[0].length)
          return complete[0].replaceAll('\r', '').trimEnd()
        }
        if (isClosed) throw new Error(`Closed without a reply, after ${JSON.stringify(received)}`)
        await new Promise<void>((resume) => {
          wake = resume
        })
      }
    } finally {
      clearTimeout(deadline)
    }
  }

  const client: SmtpClient = {
    socket: listen(connectTcp({ port, host })),
    write: (bytes) => client.socket.write(bytes),
    reply,
    command(line) {
      client.socket.write(`${line}\r\n`)
      return reply()
    },
    async secure(certificate) {
      const plain = client.socket
      plain.removeAllListeners('data')
      const options =
        certificate === undefined ? { rejectUnauthorized: false } : { ca: certificate }
      const secured = connectTls({ socket: plain, servername: 'localhost', ...options })
      await new Promise<void>((ready, fail) => {
        secured.once('secureConnect', ready)
        secured.once('error', fail)
      })
      client.socket = listen(secured)
    },
    closed,
    [Symbol.dispose]: () => client.socket.destroy()
  }
  return client
}

export interface SentMail {
  from?: string
  to: readonly string[]
  /** The message as it stands; dots at the start of lines are doubled here. */
  source: string
}

/** Delivers a message and resolves to the reply to its end. */
export async function sendMail(port: number, { from = 'app@example.test', to, source }: SentMail) {
  using client = await openSmtp(port)
  await client.command('EHLO client.test')
  await client.command(`MAIL FROM:<${from}>`)
  for (const recipient of to) await client.command(`RCPT TO:<${recipient}>`)
  await client.command('DATA')
  const end = source.endsWith('\r\n') ? '' : '\r\n'
  return await client.command(`${source.replace(/^\./gm, '..')}${end}.`)
}
