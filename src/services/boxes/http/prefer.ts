import type { IncomingHttpHeaders } from 'node:http'

/** Whether the client prefers the record as the response to a write (RFC 7240). */
export function prefersRecord({ prefer }: IncomingHttpHeaders): boolean {
  return /(?:^|[,;\s])return=representation(?:$|[,;\s])/.test(String(prefer ?? ''))
}
