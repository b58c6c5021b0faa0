import { type PreparedResponse, prepareResponse } from '../../kernel/prepared-response.ts'
import { CACHE_CONTROL, COMMON_HEADERS } from './contract.ts'

export interface Content {
  status: number
  body: string | Buffer
  /** Whether browsers and proxies may cache it. */
  keep: boolean
  /** Whether the same request gets the same bytes again; only then an ETag is sent. */
  steady: boolean
  headers: Readonly<Record<string, string>>
}

export function createResponse({ status, body, keep, steady, headers }: Content): PreparedResponse {
  const shared = {
    ...COMMON_HEADERS,
    vary: 'Accept, Accept-Encoding',
    'cache-control': keep ? CACHE_CONTROL : 'no-store'
  }
  return prepareResponse({
    status,
    body,
    headers: shared,
    contentHeaders: headers,
    hasEtag: steady
  })
}
