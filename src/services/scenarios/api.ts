import { authRoute } from './auth/routes.ts'
import type { Route } from './endpoint.ts'
import { reservedRoute } from './reserved.ts'
import { resourceRoute } from './resource/routes.ts'

/** What lies behind `/api`; undefined when nothing does. */
export function apiRoute(method: string, segments: readonly string[]): Route | undefined {
  const [name = ''] = segments
  if (name === '') return undefined
  return (
    authRoute(method, segments) ??
    reservedRoute(method, segments) ??
    resourceRoute(method, segments)
  )
}
