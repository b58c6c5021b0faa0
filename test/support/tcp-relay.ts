/** A port that leads to a server, and that cuts connections as the test says. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpRelay extends Disposable {
  port: number
  /** `performance.now()` of each connection so far. */
  opened: number[]
  /** Connections at the moment. */
  count: () => number
  /** Leads to another port, to none if undefined, and cuts all connections. */
  lead: (port: number | undefined) => void
  /** Cuts each new connection after this time; undefined never. */
  cutAfter: (milliseconds: number | undefined) => void
  /** Cuts all connections now. */
  cut: () => void
  /** Whether neither bytes nor ends are passed on, as by a network that is lost; `cut` still works. */
  silence: (isSilent: boolean) => void
}

export async function openRelay(target?: number, host = '127.0.0.1'): Promise<TcpRelay> {
  let port = target
  let lifeMs: number | undefined
  let isSilent = false
  const opened: number[] = []
  const pairs = new Set<readonly Socket[]>()

  function accept(client: Socket): void {
    opened.push(performance.now())
    client.on('error', () => undefined)
    if (port === undefined) {
      client.destroy()
      return
    }
    const upstream = connect(port, host)
    const pair = [client, upstream]
    pairs.add(pair)
    const end = () => {
      if (isSilent) return
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    for (const [from, to] of [pair, pair.toReversed()] as [Socket, Socket][]) {
      from.on('error', end).once('close', end).once('end', end)
      from.on('data', (chunk) => {
        if (!isSilent) to.write(chunk)
      })
    }
    if (lifeMs !== undefined) setTimeout(end, lifeMs).unref()
  }

  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    pairs.clear()
  }
  const server = createServer(accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    opened,
    count: () => pairs.size,
    lead(next) {
      port = next
      cut()
    },
    cutAfter(milliseconds) {
      lifeMs = milliseconds
    },
    cut,
    silence(next) {
      isSilent = next
    },
    [Symbol.dispose]() {
      cut()
      server.close()
    }
  }
}
