import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

const WILDCARDS = ['0.0.0.0', '::']

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

export function isWildcard(host: string): boolean {
  return WILDCARDS.includes(host)
}

export function httpUrl(host: string, port: number): string {
  return urlWith('http', host, port)
}

export function urlWith(scheme: string, host: string, port: number): string {
  return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/** An IP address or name by which this machine can connect to a socket bound to `host`. */
export function connectableHost(host: string): string {
  if (host === '::') return '::1'
  return host === '0.0.0.0' ? '127.0.0.1' : host
}

/** URLs for other machines of a service with this URL on this machine. */
export function lanUrlsOf(url = 'http://localhost'): readonly string[] {
  const port = Number(new URL(url).port)
  return lanIps().map((ip) => httpUrl(ip, port))
}

/** IPv4 addresses by which other machines reach a process that listens on all interfaces. */
export function lanIps(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter((entry) => !entry.internal && entry.family === 'IPv4')
    .map((entry) => entry.address)
}
