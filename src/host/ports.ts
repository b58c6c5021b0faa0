import type { ExtraPort, Options, Service } from '../kernel/service.ts'

const LOOPBACK = ['127.0.0.1', '::1']

interface PortSettings {
  portBase: number
  /** By service name, or by `portNameOf`. */
  port: Readonly<Record<string, number>>
}

/** What `--port` calls a port of a service besides that of HTTP. */
export function portNameOf(service: Pick<Service, 'name'>, port: Pick<ExtraPort, 'name'>): string {
  return `${service.name}-${port.name}`
}

/** The configured port; 0 means any free one. */
export function portNumberOf(settings: PortSettings, name: string, offset: number): number {
  const { port, portBase } = settings
  return port[name] ?? (portBase === 0 ? 0 : portBase + offset)
}

/** Offset from the base port: the number in the service's label. */
export function portOffset({ label }: Pick<Service, 'label'>): number {
  return Number(label.slice('I-'.length))
}

/** The addresses of a port that is not for HTTP; `--host` and `--lan` do not apply to it. */
export function hostsOfPort(options: Options | undefined, port: ExtraPort): readonly string[] {
  const hosts = options?.[port.hostSetting]
  return Array.isArray(hosts) ? hosts : LOOPBACK
}
