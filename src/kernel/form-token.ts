import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { constantTimeEqual } from './admin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    formKeyOf: (request: FastifyRequest) => string
  }
}

type Sent = Pick<IncomingMessage, 'method' | 'url'>

const PARAMETER = 'form'

/** Sets the key of the form tokens on pages that routes of this scope send. */
export function protectForms(app: FastifyInstance, formKeyOf: FastifyInstance['formKeyOf']): void {
  app.decorate('formKeyOf', formKeyOf)
}

/**
 * URL for a form of a page that posts to this path. The form token is in the query, because the
 * body is read after the check. Requires `protectForms`.
 */
export function formAction(request: FastifyRequest, path: string): string {
  return actionWithKey(request.server.formKeyOf(request), path)
}

/** The same with a key of the caller. */
export function actionWithKey(key: string, path: string): string {
  return `${path}?${PARAMETER}=${formTokenOf(key, 'POST', path)}`
}

/** Whether the form token is of this key and of the route that the request was sent to. */
export function hasFormToken({ method = 'GET', url = '' }: Sent, key: string): boolean {
  const [path = '', ...query] = url.split('?')
  const given = new URLSearchParams(query.join('?')).get(PARAMETER) ?? undefined
  return constantTimeEqual(given, formTokenOf(key, method, path))
}

/** The key cannot be computed from it, and pages of other origins cannot read it. */
function formTokenOf(key: string, method: string, path: string): string {
  return createHmac('sha256', key).update(`nonet form ${method} ${path}`).digest('base64url')
}
