import type { ListenerAddress, Service } from '../kernel/service.ts'
import { configure, fromObject } from './configuration.ts'
import { type Host, openHost } from './host.ts'
import type { ServiceName } from './service-names.ts'

/** Settings in the format of `nonet.config.json`. */
export interface StartOptions<Name extends ServiceName = ServiceName> {
  services?: readonly Name[]
  readonly [setting: string]: unknown
}

/** Where a service listens. */
export interface ServiceUrls {
  readonly url: string
  /** Ports that are not for HTTP, by the scheme of their URLs, such as `smtp`. */
  readonly ports: Readonly<Record<string, ListenerAddress>>
}

/** nonet inside a test: `await using nonet = await start({ services: ['reference'] })`. */
export type Nonet<Name extends ServiceName = ServiceName> = AsyncDisposable &
  Readonly<Record<Name, ServiceUrls>> & {
    readonly console: Host['console']
    readonly folder: string
    /** Restores the state of a first start, of one service or all. */
    readonly reset: (service?: Name) => Promise<void>
    readonly stop: () => Promise<void>
  }

/** By default starts on free ports, with temporary data and without output. */
export async function start<Name extends ServiceName = ServiceName>(
  options: StartOptions<Name> = {}
): Promise<Nonet<Name>> {
  const configuration = configure(
    { portBase: 0, ephemeral: options.data === undefined, quiet: true },
    fromObject(options, 'the options of start()')
  )
  const host = await openHost(configuration, {
    requestLog: undefined,
    warn: (text) => process.emitWarning(text, 'nonet'),
    onUnexpectedError: (service, error) =>
      process.emitWarning(`${service}: ${error.stack}`, 'nonet')
  })
  const services = Object.fromEntries(
    host.services.map(({ service, url }) => [service.name, { url, ports: portsOf(host, service) }])
  ) as Record<Name, ServiceUrls>
  return {
    ...services,
    console: host.console,
    folder: host.folder,
    reset: host.reset,
    stop: host.stop,
    [Symbol.asyncDispose]: host.stop
  }
}

function portsOf({ ports }: Host, service: Service): ServiceUrls['ports'] {
  return Object.fromEntries(
    ports
      .filter((running) => running.service === service)
      .map(({ scheme, host, port }) => [scheme, { host, port }])
  )
}
