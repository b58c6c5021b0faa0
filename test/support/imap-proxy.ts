/** Between an IMAP client and a server: hides extensions, and tells what was sent. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface ImapProxy extends AsyncDisposable {
  host: string
  port: number
  /** Commands of clients so far, without their tags. */
  commands: string[]
  /** Ends all connections. */
  cut: () => void
}

const CAPABILITIES = /^(?:\* CAPABILITY |\S+ OK \[CAPABILITY )/

/** Extensions are named as CAPABILITY lists them. */
export async function openImapProxy(
  target: { host: string; port: number },
  hidden: readonly string[] = []
): Promise<ImapProxy> {
  const names = new Set(hidden)
  const commands: string[] = []
  const sockets = new Set<Socket>()

  function withoutHidden(line: string): string {
    if (!CAPABILITIES.test(line)) return line
    const [head = '', ...rest] = line.split(']')
    const kept = head.split(' ').filter((name) => !names.has(name.trim()))
    return [kept.join(' '), ...rest].join(']')
  }

  function relay(from: Socket, to: Socket, change: (line: string) => string): void {
    let received = ''
    from.setEncoding('latin1').on('data', (text: string) => {
      received += text
      const end = received.lastIndexOf('\n') + 1
      const lines = received.slice(0, end).split(/(?<=\n)/)
      received = received.slice(end)
      to.write(lines.map(change).join(''), 'latin1')
    })
    from.once('end', () => to.end()).once('close', () => to.destroy())
  }

  const server = createServer((client) => {
    const upstream = connect(target.port, target.host)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket))
    }
    relay(upstream, client, withoutHidden)
    relay(client, upstream, (line) => {
      const [, command] = /^\S+ (.*?)\r?\n$/.exec(line) ?? []
      if (command !== undefined) commands.push(command)
      return line
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    host: '127.0.0.1',
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    commands,
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}
