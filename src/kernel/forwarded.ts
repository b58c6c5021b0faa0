import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** What of a request shows how it came here; the HTTP version is 1.1 by default. */
export type Passage = Pick<IncomingMessage, 'headers'> & { httpVersion?: string | undefined }

/** `Via` of requests that nonet sends to the machine it runs on. */
const OWN_VIA = '1.1 nonet'
/** `Via` of requests that nonet passes on there, as a proxy for its clients. */
const PROXY_VIA = '1.1 nonet-proxy'

/**
 * Whether a proxy passed the request on. A proxy that adds no header and speaks HTTP/1.1 cannot be
 * told from a local client. A request that nonet itself sent came through no proxy.
 */
export function isForwarded({ headers, httpVersion }: Passage): boolean {
  // nginx passes requests on as HTTP/1.0 and adds no header unless it is configured to.
  if (httpVersion === '1.0') return true
  for (const name in headers) {
    if (name === 'forwarded' || name === 'x-real-ip' || name.startsWith('x-forwarded')) return true
  }
  return headers.via !== undefined && headers.via !== OWN_VIA
}

/** Whether nonet sent the request: a callback, a webhook, a form or a reference. */
export function isOwnCall({ via }: IncomingHttpHeaders): boolean {
  return via?.split(',').some((hop) => hop.trim() === OWN_VIA) === true
}

/** Marks a request to the machine nonet runs on, which the routes of operators then reject. */
export function withOwnVia(headers: Readonly<Record<string, string>>): Record<string, string> {
  return withVia(headers, OWN_VIA)
}

/** Marks a request that is passed on; routes of operators require the token of the client. */
export function withProxyVia(
  headers: Readonly<Record<string, string | string[]>>
): Record<string, string | string[]> {
  return withVia(headers, PROXY_VIA)
}

function withVia<T extends string | string[]>(
  headers: Readonly<Record<string, T>>,
  hop: string
): Record<string, T | string> {
  const marked: Record<string, T | string> = {}
  const hops: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'via') hops.push(...[value].flat())
    else marked[name] = value
  }
  return { ...marked, via: [...hops, hop].join(', ') }
}
