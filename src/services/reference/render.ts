import { type Frame, headersOf, renderPage } from '../../kernel/page.ts'
import type { PreparedResponse } from '../../kernel/prepared-response.ts'
import type { Endpoint } from './endpoints.ts'
import type { ResourceRequest } from './resource-request.ts'
import { createResponse } from './response.ts'
import { translateValue } from './wookiee.ts'

/** SWAPI sends a charset with Wookiee, but not with JSON. */
const JSON_HEADERS = { 'content-type': 'application/json' }
const WOOKIEE_HEADERS = { 'content-type': 'application/json; charset=utf-8' }

/** Undefined if the response is not a page. */
export function renderAsPage(
  { page: load, edited }: Endpoint,
  resource: ResourceRequest,
  frameOf: (base: string) => Frame
): Promise<PreparedResponse> | undefined {
  if (resource.form.kind !== 'page') return undefined
  return load?.(resource).then((page) => {
    const content = renderPage(page, frameOf(resource.base))
    return createResponse(content, headersOf(page), edited)
  })
}

export function renderResponse(endpoint: Endpoint, resource: ResourceRequest): PreparedResponse {
  const { form } = resource
  const { edited } = endpoint
  const value = endpoint.json(resource)
  if (form.kind === 'wookiee') {
    return createResponse(JSON.stringify(translateValue(value)), WOOKIEE_HEADERS, edited)
  }
  const indent = form.kind === 'json' ? form.indent : 0
  return createResponse(JSON.stringify(value, null, indent), JSON_HEADERS, edited)
}
