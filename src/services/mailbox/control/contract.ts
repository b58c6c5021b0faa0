/** Errors of tokens and settings. */
import createError from '@fastify/error'
import type { Action, Group } from '../api/permissions.ts'

const UnauthorizedScope = createError('UNAUTHORIZED_SCOPE', 'Unauthorized scope', 403)
const UnauthorizedPermission = createError(
  'UNAUTHORIZED_PERMISSION',
  'Unauthorized permission',
  403
)
const UnauthorizedAddress = createError('UNAUTHORIZED_ADDRESS', 'Unauthorized address', 403)
export const UnauthorizedReferrer = createError(
  'UNAUTHORIZED_REFERRER',
  'Unauthorized referrer',
  403
)

export function unauthorizedScope(requestedScope: string): Error {
  return Object.assign(new UnauthorizedScope(), { body: { requestedScope } })
}

export function unauthorizedPermission(group: Group, action: Action): Error {
  return Object.assign(new UnauthorizedPermission(), {
    body: { requiredPermission: { group, action } }
  })
}

export function unauthorizedAddress(remoteAddress: string): Error {
  return Object.assign(new UnauthorizedAddress(), { body: { remoteAddress } })
}

export const TokenNotFound = createError('TOKEN_NOT_FOUND', 'Requested token was not found', 404)
export const QueueNotFound = createError('QUEUE_NOT_FOUND', 'Requested queue was not found', 404)
