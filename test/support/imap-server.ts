import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** One command of a client. */
export interface ImapCommand {
  tag: string
  /** Without `UID`, in capitals. */
  name: string
  line: string
  socket: Socket
  /** Commands of the same name on this server so far, with this one. */
  count: number
}

/** What is sent instead of the usual response; undefined sends that, '' nothing. */
export type Respond = (command: ImapCommand) => string | undefined | Promise<string | undefined>

export interface ImapServerOptions {
  respond?: Respond
  /** Instead of the greeting; undefined sends the usual one. */
  greet?: (socket: Socket) => string | undefined
  /** Messages in INBOX, with the UIDs from 1. */
  messages?: number
}

/** A small IMAP server whose responses a test may replace. The password of everybody is `right`. */
export interface ImapServer extends AsyncDisposable {
  port: number
  /** Commands so far, without their tags. */
  lines: string[]
  countOf: (name: string) => number
  openSockets: () => number
  /** Ends all connections; others may be opened. */
  disconnect: () => void
  /** Replaces the behaviour from now on. */
  behave: (respond: Respond | undefined) => void
}

const GREETING = '* OK [CAPABILITY IMAP4rev1] ready\r\n'
const ENVELOPE =
  '(NIL "Subject" (("A" NIL "a" "b.test")) NIL NIL (("B" NIL "b" "b.test")) NIL NIL NIL "<1@b.test>")'
const STRUCTURE = '("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 7 1 NIL NIL NIL NIL)'

export function fetchLine(number: number, more = ''): string {
  const date = '"17-Jul-2026 02:44:25 +0000"'
  return `* ${number} FETCH (UID ${number} FLAGS () INTERNALDATE ${date} RFC822.SIZE 100 ENVELOPE ${ENVELOPE} BODYSTRUCTURE ${STRUCTURE}${more})\r\n`
}

export async function openImapServer(options: ImapServerOptions = {}): Promise<ImapServer> {
  const { greet, messages = 3 } = options
  let respond = options.respond
  const sockets = new Set<Socket>()
  const lines: string[] = []
  const counts = new Map<string, number>()

  function usual({ tag, name, line }: ImapCommand): string {
    const done = `${tag} OK ${name} done\r\n`
    switch (name) {
      case 'CAPABILITY':
        return `* CAPABILITY IMAP4rev1\r\n${done}`
      case 'LOGIN':
        return / "?right"?$/.test(line)
          ? done
          : `${tag} NO [AUTHENTICATIONFAILED] Wrong password\r\n`
      case 'LIST':
        return `* LIST () "/" INBOX\r\n${done}`
      case 'STATUS':
        return `* STATUS INBOX (MESSAGES ${messages} UIDNEXT ${messages + 1} UNSEEN 0)\r\n${done}`
      case 'SELECT':
      case 'EXAMINE':
        return `* ${messages} EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT ${messages + 1}] ok\r\n* FLAGS (\\Seen)\r\n${done}`
      case 'SEARCH':
        return `* SEARCH ${numbers(messages).join(' ')}\r\n${done}`
      case 'FETCH': {
        const [, first = '1', last = first] = /FETCH (\d+)(?::(\d+|\*))?/.exec(line) ?? []
        const end = last === '*' ? messages : Number(last)
        const wanted = numbers(messages).filter((one) => one >= Number(first) && one <= end)
        return wanted.map((one) => fetchLine(one, bodyOf(line))).join('') + done
      }
      case 'LOGOUT':
        return `* BYE\r\n${done}`
      default:
        return done
    }
  }

  async function handle(socket: Socket, text: string): Promise<void> {
    const [tag = '', ...rest] = text.split(' ')
    const [first = '', second = ''] = rest
    const name = (/^uid$/i.test(first) ? second : first).toUpperCase()
    lines.push(rest.join(' '))
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const command = { tag, name, line: text, socket, count }
    const response = (await respond?.(command)) ?? usual(command)
    if (response !== '' && !socket.destroyed) socket.write(response)
    if (name === 'LOGOUT') socket.end()
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
    socket.write(greet?.(socket) ?? GREETING)
    let received = ''
    let last: Promise<void> = Promise.resolve()
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
      for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
        const line = received.slice(0, end)
        received = received.slice(end + 2)
        last = last
          .then(() => handle(socket, line))
          .catch(() => {
            socket.destroy()
          })
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    lines,
    countOf: (name) => counts.get(name) ?? 0,
    openSockets: () => sockets.size,
    disconnect() {
      for (const socket of sockets) socket.destroy()
    },
    behave(next) {
      respond = next
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** The parts that a FETCH names, each with the same few bytes. */
function bodyOf(line: string): string {
  const parts = [...line.matchAll(/BODY(?:\.PEEK)?(\[[^\]]*\](?:<\d+)?)/g)]
  return parts
    .map(([, part = '']) => ` BODY${part.includes('<') ? `${part}>` : part} {7}\r\nHello\r\n`)
    .join('')
}
