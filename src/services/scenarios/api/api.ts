import { createCache } from '../../../kernel/cache.ts'
import type { Route } from '../pipeline/request-context.ts'
import { authRoute } from './auth/routes.ts'
import { reservedRoute } from './reserved.ts'
import { resourceRoute } from './resource/routes.ts'

const MAX_KEPT = 500
const MAX_KEPT_LENGTH = 100

const kept = createCache<Route | undefined>(MAX_KEPT)

/** Route of a path below `/api`; undefined if the path is unknown. */
export function apiRoute(method: string, segments: readonly string[]): Route | undefined {
  const path = `${method} ${segments.join('/')}`
  if (path.length > MAX_KEPT_LENGTH) return findRoute(method, segments)
  return kept.getOrCreate(path, () => findRoute(method, segments))
}

function findRoute(method: string, segments: readonly string[]): Route | undefined {
  const [name = ''] = segments
  if (name === '') return undefined
  return (
    authRoute(method, segments) ??
    reservedRoute(method, segments) ??
    resourceRoute(method, segments)
  )
}
