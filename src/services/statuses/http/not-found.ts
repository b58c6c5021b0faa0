import { createCache } from '../../../kernel/cache.ts'
import type { PreparedResponse } from '../../../kernel/prepared-response.ts'
import type { StatusContext, StatusRequest } from '../context.ts'
import { renderNotFound } from '../pages/not-found.ts'
import { JSON_RECORD } from './negotiation.ts'
import { prepareJson, preparePage } from './respond.ts'
import { siteOf } from './site.ts'

/** Base URLs whose pages are in memory. */
const MAX_PAGES = 32

const MESSAGE = { error: 'There is no public post and no page at this URL', code: 'NOT_FOUND' }

export type NotFound = (request: StatusRequest, status: 404 | 410) => PreparedResponse

/**
 * The same bytes and headers for all URLs without a public post: they depend on the representation
 * and the base URL alone.
 */
export function createNotFound(context: StatusContext): NotFound {
  const pages = createCache<PreparedResponse>(MAX_PAGES)
  const isNegotiated = true
  return (request, status) => {
    const { form, baseUrl } = request
    return pages.getOrCreate(`${status} ${form.key} ${baseUrl}`, () => {
      if (form === JSON_RECORD) return prepareJson(MESSAGE, { status, isNegotiated })
      return preparePage(renderNotFound(siteOf(context, request)), { status, isNegotiated })
    })
  }
}
