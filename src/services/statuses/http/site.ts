import type { StatusContext, StatusRequest } from '../context.ts'
import { themeOf } from '../pages/browse-request.ts'
import type { Site } from '../pages/views.ts'

export function siteOf({ options }: StatusContext, { baseUrl, query }: StatusRequest): Site {
  return { name: options.title ?? new URL(baseUrl).host, baseUrl, theme: themeOf(query) }
}

/** Path of a base URL; empty if it has none. */
export function prefixOf(baseUrl: string): string {
  const start = baseUrl.indexOf('/', baseUrl.indexOf('://') + 3)
  return start === -1 ? '' : baseUrl.slice(start)
}
