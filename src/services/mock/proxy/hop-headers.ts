import type { IncomingHttpHeaders } from 'node:http'

/** RFC 9110 7.6.1: headers that concern one connection and not the message. */
const HOP_HEADERS = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'trailers',
  'transfer-encoding',
  'upgrade'
]

/** The upstream has its own host name, and `100-continue` is handled by this server. */
const REQUEST_ONLY = ['host', 'expect']

type Sent = Readonly<Record<string, string | readonly string[] | undefined>>

export function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return withoutNames(headers, [...HOP_HEADERS, ...REQUEST_ONLY, ...namedIn(headers)])
}

export function returnedHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return withoutNames(headers, [...HOP_HEADERS, ...namedIn(headers)])
}

function namedIn({ connection }: Sent): string[] {
  return String(connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
}

function withoutNames(headers: Sent, names: readonly string[]): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || names.includes(name)) continue
    kept[name] = typeof value === 'string' ? value : [...value]
  }
  return kept
}
