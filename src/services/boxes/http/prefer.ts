import type { IncomingHttpHeaders } from 'node:http'

/** RFC 7240: the answer to a write shall be the record. */
export function prefersRecord({ prefer }: IncomingHttpHeaders): boolean {
  return /(?:^|[,;\s])return=representation(?:$|[,;\s])/.test(String(prefer ?? ''))
}
