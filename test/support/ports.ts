import { rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Offsets of the console, the services and their other ports, and one more. */
const OFFSETS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 25, 143]
/** Bases are so far apart that no port belongs to two, and below the ports that the system chooses. */
const [FIRST_BASE, STEP, BASES] = [20_000, 150, 66]
const FORGOTTEN_MS = 3_600_000

function tryListen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

/** Whether the base is now of this process: others may look for one before its ports are used. */
function reserve(base: number): boolean {
  const path = join(tmpdir(), `nonet-ports-${base}`)
  try {
    writeFileSync(path, '', { flag: 'wx' })
  } catch {
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {}
    // Left by a process that was killed.
    if (Date.now() - mtimeMs > FORGOTTEN_MS) rmSync(path, { force: true })
    return false
  }
  process.once('exit', () => rmSync(path, { force: true }))
  return true
}

/** Finds a base for `--port-base` whose ports are free. */
export async function freePortBase(): Promise<number> {
  const first = Math.floor(Math.random() * BASES)
  for (let tried = 0; tried < BASES; tried++) {
    const base = FIRST_BASE + ((first + tried) % BASES) * STEP
    if (!reserve(base)) continue
    const servers = await Promise.all(OFFSETS.map((offset) => tryListen(base + offset)))
    await Promise.all(
      servers.map((server) => server && new Promise((resolve) => server.close(resolve)))
    )
    if (servers.every((server) => server !== undefined)) return base
  }
  throw new Error(`No base of ${BASES} is free`)
}

/** Below the ports that the system chooses, which any listener may get before this one is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 10_000)
    const server = await tryListen(port)
    if (server === undefined) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
