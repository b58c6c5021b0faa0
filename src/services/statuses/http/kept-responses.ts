import type { BaseUrl } from '../../../kernel/base-url.ts'
import { sendPrepared } from '../../../kernel/prepared-response.ts'
import { toOriginForm } from '../../../kernel/request-target.ts'
import { createResponseCache, type ResponseCache } from '../../../kernel/response-cache.ts'
import type { FastPath } from '../../../kernel/service.ts'
import { negotiate } from './negotiation.ts'

/** Of the responses of one base URL and representation. */
const MAX_LANE_BYTES = 8 * 1024 * 1024

export interface KeptResponses {
  cache: ResponseCache
  /** False if the response is not kept. */
  send: FastPath
}

/** Responses that were rendered for earlier requests. */
export function keepResponses(baseUrl: BaseUrl): KeptResponses {
  const cache = createResponseCache(MAX_LANE_BYTES)
  return {
    cache,
    send(request, response) {
      const url = toOriginForm(request.url ?? '')
      const found = cache.find(baseUrl(request), negotiate(request.headers.accept), url)
      if (found === undefined) return false
      sendPrepared(request, response, found)
      return true
    }
  }
}
