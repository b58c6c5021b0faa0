import type { ListenerAddress, ListenerHandler, Service } from '../kernel/service.ts'
import { connectableHost, urlWith } from './addresses.ts'
import type { Configuration } from './configuration-reader.ts'
import type { Connections } from './connections.ts'
import type { Listener } from './listener.ts'
import type { Metrics } from './metrics.ts'
import { hostsOfPort, portNameOf, portNumberOf } from './ports.ts'
import type { Reporter } from './reporter.ts'

/** An open port that is not for HTTP. */
export interface RunningPort extends ListenerAddress {
  /** As `--port` names it. */
  name: string
  scheme: string
  service: Service
  /** Of its usual port from the base port. */
  offset: number
  /** URL on this machine. */
  url: string
  summary: string
}

/** The ports of services besides those of HTTP. */
export interface ExtraPorts {
  /** To be called before `open`. */
  register: (service: Service, name: string, handler: ListenerHandler) => void
  addressOf: (service: Service, name: string) => ListenerAddress | undefined
  /** Opens the ports of a service that have a handler, and adds each to `listeners`. */
  open: (service: Service, listeners: Listener[]) => Promise<void>
  list: () => readonly RunningPort[]
}

interface PortContext {
  configuration: Configuration
  connections: Connections
  metrics: Metrics
  reporter: Reporter
}

export function createExtraPorts(context: PortContext): ExtraPorts {
  const { configuration, connections, metrics, reporter } = context
  const handlers = new Map<string, ListenerHandler>()
  const running = new Map<string, RunningPort>()

  async function open(service: Service, listeners: Listener[]): Promise<void> {
    for (const port of service.ports ?? []) {
      const name = portNameOf(service, port)
      const handler = handlers.get(name)
      if (handler === undefined) continue
      const { openTcpListener } = await import('./tcp-listener.ts')
      const hosts = hostsOfPort(configuration.options[service.name], port)
      const listener = await openTcpListener({
        name,
        hosts,
        port: portNumberOf(configuration, name, port.offset),
        handler,
        connections,
        counts: metrics.forListener(name),
        report: (error) => reporter.onUnexpectedError(name, error)
      })
      listeners.push(listener)
      const host = connectableHost(hosts[0] ?? '127.0.0.1')
      running.set(name, {
        name,
        scheme: port.name,
        service,
        offset: port.offset,
        url: urlWith(port.name, host, listener.port),
        summary: port.summary,
        host,
        port: listener.port
      })
    }
  }

  return {
    register(service, name, handler) {
      const isDeclared = service.ports?.some((port) => port.name === name)
      if (!isDeclared) throw new Error(`${service.name} declares no port ${name}`)
      handlers.set(portNameOf(service, { name }), handler)
    },
    addressOf: (service, name) => running.get(portNameOf(service, { name })),
    open,
    list: () => [...running.values()]
  }
}
