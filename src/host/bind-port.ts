import type { Server } from 'node:net'
import { UserError } from '../kernel/errors.ts'

const MAX_ATTEMPTS = 10

export interface PortOptions {
  /** As `--port` names it, for error messages. */
  name: string
  hosts: readonly string[]
  /** 0 means any free port. */
  port: number
}

export interface BoundPort<S extends Server> {
  /** One per host that the machine has. */
  servers: readonly S[]
  /** The port, the same for all hosts. */
  port: number
}

/** The port is in use or requires elevated privileges. */
export class PortUnavailable extends UserError {
  readonly why: string

  constructor(port: number, name: string, trouble: string) {
    const why = `Port ${port} for ${name} ${trouble}`
    super(`${why}: choose another with --port ${name}=N, or move all with --port-base N`)
    this.why = why
  }
}

/** Listens on the same port of every host. */
export async function bindPort<S extends Server>(
  options: PortOptions,
  createServer: () => S
): Promise<BoundPort<S>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await bindOnce(options, createServer)
    } catch (error) {
      // The port that the system chose for one host may be in use on another.
      const isChosen = options.port === 0 && error instanceof PortUnavailable
      if (!isChosen || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

async function bindOnce<S extends Server>(
  options: PortOptions,
  createServer: () => S
): Promise<BoundPort<S>> {
  const servers: S[] = []
  let { port } = options
  try {
    for (const host of options.hosts) {
      const server = createServer()
      if (!(await listen(server, host, port, options))) continue
      servers.push(server)
      const address = server.address()
      if (address !== null && typeof address === 'object') port = address.port
    }
    if (servers.length === 0) {
      const hosts = options.hosts.join(', ')
      throw new UserError(`None of ${hosts} for ${options.name} is an IP address of this machine`)
    }
  } catch (error) {
    for (const server of servers) server.close()
    throw error
  }
  return { servers, port }
}

/** Resolves to false if the machine has no such IP address, as `::1` without IPv6. */
function listen(
  server: Server,
  host: string,
  port: number,
  { name, hosts }: PortOptions
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') resolve(false)
      else reject(listenError(error, host, port, name))
    })
    // If there is another socket for `0.0.0.0`, `::` must not bind IPv4 as well.
    const ipv6Only = host === '::' && hosts.includes('0.0.0.0')
    server.listen({ host, port, ipv6Only }, () => resolve(true))
  })
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number, name: string) {
  if (error.code === 'EADDRINUSE') return new PortUnavailable(port, name, 'is in use')
  if (error.code === 'EACCES')
    return new PortUnavailable(port, name, 'requires elevated privileges')
  return new UserError(`Cannot listen on ${host} port ${port} for ${name}: ${error.message}`)
}
