import { createHash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { createCache } from '../../../kernel/cache.ts'
import type { ExecutionContext } from './execution-context.ts'

const MAX_KEPT_CHARACTERS = 1024 * 1024

/** Automatic persisted queries: once a query is registered, clients can send its hash alone. */
export function createPersistedQueries(): Plugin<object, { execution: ExecutionContext }> {
  const kept = createCache<string>(MAX_KEPT_CHARACTERS, (text, hash) => text.length + hash.length)
  return {
    onParams({ params, setParams, context }) {
      // An entry of a batch can be any JSON value; invalid entries are rejected after this hook.
      const asked: unknown = (params as typeof params | null)?.extensions?.persistedQuery
      if (typeof asked !== 'object' || asked === null) return
      const { version, sha256Hash: hash } = asked as Record<string, unknown>
      if (version !== 1 || typeof hash !== 'string') {
        throw error('PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED', 400)
      }
      // Known hashes change, so responses to a registration or an unknown hash are not cached.
      if (params.query) {
        context.execution.momentary = true
        if (createHash('sha256').update(params.query).digest('hex') !== hash.toLowerCase()) {
          throw error('PersistedQueryMismatch', 'PERSISTED_QUERY_MISMATCH', 400)
        }
        kept.set(hash.toLowerCase(), params.query)
        return
      }
      const query = kept.get(hash.toLowerCase())
      if (query === undefined) {
        context.execution.momentary = true
        throw error('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND', 404)
      }
      setParams({ ...params, query })
    }
  }
}

function error(message: string, code: string, status: number): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { spec: true, status } } })
}
