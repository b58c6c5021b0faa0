import createError from '@fastify/error'

export const TokenRequestInvalid = createError<[string]>('TOKEN_REQUEST_INVALID', '%s', 400)
export const TokenUnknown = createError<[string]>('TOKEN_UNKNOWN', 'There is no token %s', 404)
export const TokenEnded = createError<[string]>(
  'TOKEN_ENDED',
  'The token %s is revoked or has expired; create another one without --replace',
  409
)
export const TooManyTokens = createError<[number]>(
  'TOO_MANY_TOKENS',
  'There are %s valid tokens, which is the maximum; revoke some of them first',
  409
)
