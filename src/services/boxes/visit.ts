import type { FastifyRequest } from 'fastify'
import { segmentsOf } from './address.ts'

/** What an address asks, before anybody looks at whether it may. */
export interface Visit {
  readonly path: string
  readonly segments: readonly string[]
  readonly parameters: URLSearchParams
}

/** A proxy may be given the whole address in the request line. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i

export function readVisit({ originalUrl }: FastifyRequest): Visit {
  const address = originalUrl.startsWith('/') ? originalUrl : originalUrl.replace(ORIGIN, '')
  const end = address.indexOf('?')
  const path = end === -1 ? address : address.slice(0, end)
  const query = end === -1 ? '' : address.slice(end + 1)
  return {
    path,
    segments: segmentsOf(path),
    get parameters() {
      return new URLSearchParams(query)
    }
  }
}
