import { PAGE_HEADERS, renderPage } from '../../kernel/page.ts'
import type { PreparedResponse } from '../../kernel/prepared-response.ts'
import { createAnswer } from './answer.ts'
import type { Endpoint } from './endpoints.ts'
import type { Visit } from './visit.ts'
import { translateValue } from './wookiee.ts'

/** The original sends no charset with JSON, but one with Wookiee. */
const JSON_HEADERS = { 'content-type': 'application/json' }
const WOOKIEE_HEADERS = { 'content-type': 'application/json; charset=utf-8' }

export function renderAnswer(endpoint: Endpoint, visit: Visit): PreparedResponse {
  const { form } = visit
  const { edited } = endpoint
  if (form.kind === 'page' && endpoint.page !== undefined) {
    return createAnswer(renderPage(endpoint.page(visit)), PAGE_HEADERS, edited)
  }
  const value = endpoint.json(visit)
  if (form.kind === 'wookiee') {
    return createAnswer(JSON.stringify(translateValue(value)), WOOKIEE_HEADERS, edited)
  }
  const indent = form.kind === 'json' ? form.indent : 0
  return createAnswer(JSON.stringify(value, null, indent), JSON_HEADERS, edited)
}
