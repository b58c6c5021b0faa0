import type { FastifyError } from 'fastify'
import { hasToken } from '../api/auth/bearer.ts'
import { rejectToken, TokenExpired, TokenRevoked } from '../contract.ts'
import { errorResponse, json, simpleError } from '../http/response.ts'
import type { RequestContext } from '../pipeline/request-context.ts'
import { defineScenario, readNothing, readWhole, wholeOf } from './definition.ts'

const CHALLENGE = { 'www-authenticate': 'Bearer' }

export const unauthorized = defineScenario({
  name: 'unauthorized',
  usage: 'unauthorized',
  about: 'responds with 401 and WWW-Authenticate',
  example: 'GET /api/users?scenario=unauthorized',
  read: readNothing,
  async before(call) {
    call.applied.add('unauthorized')
    return simpleError(401, 'Unauthorized', CHALLENGE)
  }
})

export const forbidden = defineScenario({
  name: 'forbidden',
  usage: 'forbidden',
  about: 'responds with 403',
  example: 'GET /api/users?scenario=forbidden',
  read: readNothing,
  async before(call) {
    call.applied.add('forbidden')
    return simpleError(403)
  }
})

export const notFound = defineScenario({
  name: 'not-found',
  usage: 'not-found',
  about: 'responds with 404 and {}',
  example: 'GET /api/users?scenario=not-found',
  read: readNothing,
  async before(call) {
    call.applied.add('not-found')
    return json({}, 404)
  }
})

export const gone = defineScenario({
  name: 'gone',
  usage: 'gone',
  about: 'responds with 410',
  example: 'GET /api/users/2?scenario=gone',
  read: readNothing,
  async before(call) {
    call.applied.add('gone')
    return simpleError(410)
  }
})

async function rejectBearer(call: RequestContext, name: string, rejection: FastifyError) {
  if (!hasToken(call.request)) return undefined
  call.applied.add(name)
  return errorResponse(rejectToken(rejection))
}

export const tokenExpired = defineScenario({
  name: 'token-expired',
  usage: 'token-expired',
  about: 'responds with 401 Token expired to every request with a token',
  example: 'GET /api/me?scenario=token-expired',
  read: readNothing,
  before: (call) => rejectBearer(call, 'token-expired', new TokenExpired())
})

export const tokenRevoked = defineScenario({
  name: 'token-revoked',
  usage: 'token-revoked',
  about: 'responds with 401 Token revoked to every request with a token',
  example: 'GET /api/me?scenario=token-revoked',
  read: readNothing,
  before: (call) => rejectBearer(call, 'token-revoked', new TokenRevoked())
})

/** The following scenarios are implemented by the endpoints below `/api/auth`. */
export const shortToken = defineScenario<number>({
  name: 'short-token',
  usage: 'short-token[:secs]',
  about: 'a login issues an access token that expires after secs seconds (default 5)',
  example:
    'POST /api/auth/login?scenario=short-token:5 {"email":"eve.holt@reqres.in","password":"x"}',
  read: readWhole(5, 1, 86_400)
})

export const refreshFails = defineScenario({
  name: 'refresh-fails',
  usage: 'refresh-fails',
  about: 'responds with 401 to a refresh',
  example: 'POST /api/auth/refresh?scenario=refresh-fails {"refreshToken":"x"}',
  read: readNothing
})

export const refreshRace = defineScenario({
  name: 'refresh-race',
  usage: 'refresh-race',
  about:
    'responds with 401 to the second of two refreshes within two seconds, as when two tabs refresh at the same time',
  example: 'POST /api/auth/refresh?scenario=refresh-race {"refreshToken":"x"}',
  read: readNothing
})

export const authStatus = defineScenario<number>({
  name: 'auth-status',
  usage: 'auth-status:code',
  about: 'responds to a failed login or registration with another status, such as 400',
  example: 'POST /api/login?scenario=auth-status:400 {"email":"peter@klaven"}',
  read: (args) => (args.length === 1 ? wholeOf(args[0], 400, 499) : undefined)
})
