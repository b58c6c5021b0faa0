import { httpUrl, lanIps } from '../host/addresses.ts'
import type { Configuration } from '../host/configuration-reader.ts'
import { PROXY_NOTE } from '../host/exposure.ts'
import type { Host } from '../host/host.ts'
import { describeOriginals } from '../host/originals.ts'
import { redactUrl } from '../kernel/database/postgres-url.ts'
import { urlVariable } from '../kernel/flag-name.ts'

/** One line per service, the location of the data, how to stop and what to open. */
export function startLines(host: Host, configuration: Configuration): string {
  const rows = host.services.flatMap(({ service, url, startupNote: remark }) => [
    [service.name, url, remark === undefined ? service.summary : `${service.summary} (${remark})`],
    ...host.ports
      .filter((port) => port.service === service)
      .map((port) => [port.name, port.url, port.summary])
  ])
  if (host.console !== undefined) {
    rows.unshift(['console', consoleLink(host.console), 'pages, health, metrics, OpenAPI'])
  }
  const data = configuration.ephemeral ? `${host.folder} (deleted on exit)` : host.folder
  return [
    ...align(rows),
    ...elsewhere(host, configuration),
    '',
    `Data in ${data}`,
    ...tablesElsewhere(configuration),
    ...asOriginal(configuration),
    ...(host.token === undefined ? [PROXY_NOTE] : []),
    'Stop with Ctrl+C',
    ...(host.console === undefined ? [] : ['', `Open ${consoleLink(host.console)}`])
  ].join('\n')
}

/** Responses differ from those that the documentation describes, so the reader must know it. */
function asOriginal({ asOriginal, originals }: Configuration): string[] {
  if (!asOriginal) return []
  const switches = describeOriginals(originals) || 'nothing to change for these services'
  return [`As the original services: ${switches}`]
}

function tablesElsewhere({ database }: Configuration): string[] {
  return database === undefined ? [] : [`Tables in PostgreSQL, ${redactUrl(database)}`]
}

function align(rows: readonly string[][]): string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  )
}

/** The URL of the console; it contains the token if local clients need it. */
export function consoleLink({ url, token }: NonNullable<Host['console']>): string {
  return token === undefined ? url : `${url}/?token=${token}`
}

function elsewhere(host: Host, { lan }: Configuration): string[] {
  if (!lan) return []
  const ips = lanIps()
  if (ips.length === 0) return ['', 'This machine has no network IP address']
  const { console, services } = host
  return [
    '',
    'From other machines:',
    ...ips.flatMap((ip) => {
      const there = (url: string) => httpUrl(ip, portOf(url))
      return [
        ...(console === undefined
          ? []
          : [['console', consoleLink({ ...console, url: there(console.url) })]]),
        ...services.map(({ service, url }) => [service.name, there(url)])
      ].map(([name = '', url]) => `  ${name.padEnd(10)}  ${url}`)
    })
  ]
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}

/** All URLs in one line of JSON, for programs. */
export function readyLine(host: Host): string {
  return JSON.stringify({
    ready: true,
    pid: process.pid,
    data: host.folder,
    console: host.console?.url ?? null,
    ...(host.console?.token === undefined ? {} : { token: host.console.token }),
    services: Object.fromEntries(host.services.map(({ service, url }) => [service.name, url])),
    ...(host.ports.length === 0
      ? {}
      : { ports: Object.fromEntries(host.ports.map(({ name, port }) => [name, port])) })
  })
}

export function environmentOf(host: Host): Record<string, string> {
  return Object.fromEntries([
    ...host.services.map(({ service, url }) => [urlVariable(service.name), url]),
    ...host.ports.map(({ name, url }) => [urlVariable(name), url]),
    ...(host.console === undefined ? [] : [['NONET_CONSOLE_URL', host.console.url]])
  ])
}
