import { GraphQLError } from 'graphql'

/** What a client asked for cannot be answered, and the text says why. */
export function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })
}

/** Refused before it is run. The status is for clients of the newer media type. */
export function tooMuch(message: string): GraphQLError {
  return new GraphQLError(message, {
    extensions: { code: 'QUERY_TOO_COMPLEX', http: { spec: true, status: 400 } }
  })
}
