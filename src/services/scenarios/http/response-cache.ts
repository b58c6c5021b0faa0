import type { IncomingMessage } from 'node:http'
import type { BaseUrl } from '../../../kernel/base-url.ts'
import {
  type PreparedResponse,
  prepareBody,
  sendPrepared
} from '../../../kernel/prepared-response.ts'
import {
  createResponseCache as createCache,
  type ResponseForm
} from '../../../kernel/response-cache.ts'
import type { FastPath } from '../../../kernel/service.ts'
import { COMMON_HEADERS } from '../contract.ts'
import { hasOurCookie } from './cors.ts'
import type { ApiResponse } from './response.ts'
import type { ScenarioTarget } from './scenario-target.ts'

/** About 2,000 responses of one base URL. */
const MAX_LANE_BYTES = 6 * 1024 * 1024
const MAX_URL_LENGTH = 256
/** All responses that are kept have the same representation. */
const FORM: ResponseForm = { key: 'json' }

/** Parameters that make the response depend on more than the URL. */
const LIVELY = ['scenario', 'workspace', 'delay', 'seed']

/** Parts of a request that decide whether its response is cached. */
export interface CacheableRequest {
  readonly request: IncomingMessage
  readonly method: string
  readonly target: ScenarioTarget
  readonly route: { readonly isResource?: true }
  readonly workspace: object | undefined
  readonly selection: { readonly size: number }
}

export interface ResponseCache {
  fastPath: FastPath
  /** Caches a response of public mode if the next one will be the same. */
  keep: (call: CacheableRequest, response: ApiResponse) => void
}

/** Responses of public mode are the same for all clients, so they are rendered once per URL. */
export function createResponseCache(baseUrl: BaseUrl, isAlways: boolean): ResponseCache {
  const responses = createCache(MAX_LANE_BYTES)

  return {
    fastPath(request, response) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false
      const ready = responses.find(baseUrl(request), FORM, request.url ?? '')
      if (ready === undefined || asksForMore(request)) return false
      sendPrepared(request, response, ready)
      return true
    },
    keep({ request, target, ...call }, { status, headers, body }) {
      const { url } = target
      const isPlain = isAlways && call.route.isResource && call.method === 'GET' && status === 200
      if (!isPlain || call.workspace !== undefined || call.selection.size > 0) return
      if (LIVELY.some((name) => target.parameters.has(name)) || asksForMore(request)) return
      if (url.length > MAX_URL_LENGTH || typeof body !== 'string') return
      responses.keep(baseUrl(request), FORM, url, prepare(headers, body))
    }
  }
}

function asksForMore(request: IncomingMessage): boolean {
  const { headers } = request
  return (
    headers['x-workspace'] !== undefined ||
    headers['x-scenario'] !== undefined ||
    headers['x-seed'] !== undefined ||
    (headers.cookie !== undefined && hasOurCookie(request))
  )
}

function prepare(headers: Readonly<Record<string, string>>, text: string): PreparedResponse {
  const { 'content-type': _, ...notModified } = headers
  const identity = prepareBody(
    Buffer.from(text),
    (headers.etag ?? '').replace(/^W\//, ''),
    { ...COMMON_HEADERS, ...headers },
    { ...COMMON_HEADERS, ...notModified }
  )
  return { status: 200, identity, gzip: undefined, modified: undefined }
}
