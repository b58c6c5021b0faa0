import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'

/** Reports invalid JSON in URL or form parameters as a client error, not as a defect. */
export function createForgivingParser(): Plugin {
  return {
    onRequestParse({ request, requestParser, setRequestParser }) {
      // The parser of JSON bodies reports invalid JSON itself.
      const isJson = request.headers.get('content-type')?.startsWith('application/json')
      if (requestParser === undefined || isJson) return
      setRequestParser(async (request) => {
        try {
          return await requestParser(request)
        } catch (error) {
          if (error instanceof SyntaxError) throw brokenParameters()
          throw error
        }
      })
    }
  }
}

/** Created without a cause, because graphql-yoga masks an error with a cause of another type. */
function brokenParameters(): GraphQLError {
  return new GraphQLError('variables and extensions must be valid JSON.', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } }
  })
}
