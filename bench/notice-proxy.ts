import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** By which an IMAP server tells the state of a mailbox, as a response or without a command. */
const STATUS = /^\* STATUS "?([^" ]+)"? \(.*UIDNEXT (\d+)/

/** A port that leads to an IMAP server and notes when the server tells of new messages. */
export interface NoticeProxy {
  port: number
  /** Waits for the line that tells of the next message; resolves to the time of `performance.now`. */
  nextNotice: (mailbox: string) => Promise<number>
  close: () => void
}

export async function openNoticeProxy(serverPort: number): Promise<NoticeProxy> {
  const sockets = new Set<Socket>()
  const uidNexts = new Map<string, number>()
  const waiting = new Map<string, (time: number) => void>()
  function read(line: string): void {
    const [, mailbox = '', uidNext] = STATUS.exec(line) ?? []
    if (Number(uidNext) <= (uidNexts.get(mailbox) ?? 0) || uidNext === undefined) return
    uidNexts.set(mailbox, Number(uidNext))
    waiting.get(mailbox)?.(performance.now())
    waiting.delete(mailbox)
  }
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: serverPort, host: '127.0.0.1', noDelay: true })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {
        client.destroy()
        upstream.destroy()
      })
      socket.once('close', () => sockets.delete(socket))
    }
    let rest = ''
    upstream.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n')
      rest = lines.pop() ?? ''
      lines.forEach(read)
    })
    client.pipe(upstream)
    upstream.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    nextNotice: (mailbox) =>
      new Promise((resolve) => {
        waiting.set(mailbox, resolve)
      }),
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}
