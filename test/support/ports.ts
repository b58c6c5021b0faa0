import { createServer, type Server } from 'node:net'

const SPAN = 11

function tryListen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

/** Finds a base for `--port-base` with `SPAN` free ports in a row. */
export async function freePortBase(): Promise<number> {
  for (;;) {
    const base = 20_000 + Math.floor(Math.random() * 1_000) * 10
    const servers = await Promise.all(
      Array.from({ length: SPAN }, (_, offset) => tryListen(base + offset))
    )
    await Promise.all(
      servers.map((server) => server && new Promise((resolve) => server.close(resolve)))
    )
    if (servers.every((server) => server !== undefined)) return base
  }
}
