import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'

/** Broken JSON in the parameters of an address or a form is the client's mistake, not a defect. */
export function createForgivingParser(): Plugin {
  return {
    onRequestParse({ request, requestParser, setRequestParser }) {
      // A JSON body is looked after by its own parser.
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

/** Without its cause: an error that has one of another kind is masked. */
function brokenParameters(): GraphQLError {
  return new GraphQLError('variables and extensions must be valid JSON.', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } }
  })
}
