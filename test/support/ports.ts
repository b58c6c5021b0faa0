import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Offsets of the console, the services and their other ports, and one more. */
const OFFSETS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 25, 143]

function tryListen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

/** Finds a base for `--port-base` whose ports are free. */
export async function freePortBase(): Promise<number> {
  for (;;) {
    const base = 20_000 + Math.floor(Math.random() * 1_000) * 10
    const servers = await Promise.all(OFFSETS.map((offset) => tryListen(base + offset)))
    await Promise.all(
      servers.map((server) => server && new Promise((resolve) => server.close(resolve)))
    )
    if (servers.every((server) => server !== undefined)) return base
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
