import { type PreparedResponse, prepareResponse } from '../../../kernel/prepared-response.ts'
import { CACHE, COMMON_HEADERS, DATA_POLICY, JSON_TYPE } from '../contract.ts'
import { EMBED_PAGE_HEADERS, STATUS_PAGE_HEADERS } from '../pages/layout.ts'

type Headers = Readonly<Record<string, string>>

const ENCODING = { vary: 'Accept-Encoding' }
const NEGOTIATED = { vary: 'Accept, Accept-Encoding' }

export interface ContentOptions {
  status?: number
  lastModified?: Date
  /** Whether the URL has other representations. */
  isNegotiated?: boolean
}

/** A response with an ETag if it was found, without one if it was not. */
export function prepareContent(
  body: string,
  headers: Headers,
  { status = 200, lastModified, isNegotiated = false }: ContentOptions
): PreparedResponse {
  const isFound = status === 200
  return prepareResponse({
    status,
    body,
    headers: {
      ...COMMON_HEADERS,
      'cache-control': isFound ? CACHE.found : CACHE.notFound,
      ...(isNegotiated ? NEGOTIATED : ENCODING)
    },
    contentHeaders: headers,
    hasEtag: isFound,
    ...(lastModified !== undefined && isFound && { lastModified })
  })
}

export function preparePage(html: string, options: ContentOptions): PreparedResponse {
  return prepareContent(html, STATUS_PAGE_HEADERS, options)
}

export function prepareFrame(html: string, options: ContentOptions): PreparedResponse {
  return prepareContent(html, EMBED_PAGE_HEADERS, options)
}

const JSON_HEADERS = { ...DATA_POLICY, 'content-type': JSON_TYPE }

export function prepareJson(value: unknown, options: ContentOptions): PreparedResponse {
  return prepareContent(JSON.stringify(value), JSON_HEADERS, options)
}

const REDIRECT_HEADERS = Object.entries({
  ...COMMON_HEADERS,
  'cache-control': CACHE.redirect,
  'content-length': '0'
}).flat()

/** Headers of a redirect, in the form of `writeHead`. */
export function redirectHeaders(location: string): string[] {
  return [...REDIRECT_HEADERS, 'location', location]
}
