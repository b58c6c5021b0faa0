import { type PreparedResponse, prepareResponse } from '../../kernel/prepared-response.ts'
import { CACHE_CONTROL, COMMON_HEADERS } from './contract.ts'

const HEADERS = { ...COMMON_HEADERS, 'cache-control': CACHE_CONTROL }

export function createResponse(
  content: string,
  headers: Readonly<Record<string, string>>,
  edited: string
): PreparedResponse {
  return prepareResponse({
    status: 200,
    body: content,
    headers: HEADERS,
    contentHeaders: headers,
    hasEtag: true,
    lastModified: new Date(edited)
  })
}
