import { GraphQLError } from 'graphql'

/** Error for an invalid argument; the message is sent to the client. */
export function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })
}

/**
 * Error for a query rejected before execution. The status applies only to clients that accept
 * `application/graphql-response+json`.
 */
export function tooMuch(message: string): GraphQLError {
  return new GraphQLError(message, {
    extensions: { code: 'QUERY_TOO_COMPLEX', http: { spec: true, status: 400 } }
  })
}
