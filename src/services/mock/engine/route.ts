import { Problem } from '../contract.ts'
import { parseQuery } from '../request/query-string.ts'
import type { Router } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import type { Route } from '../transform/request-phase.ts'

/** Routing problems are returned and not thrown, because rules may handle them. */
export function createRoute(router: Router<ServedApi>): Route {
  return function route({ incoming }) {
    const server = parseQuery(incoming.query).byName.get('__server')?.[0]?.value
    try {
      return router.route(incoming.method, incoming.path, server)
    } catch (error) {
      if (error instanceof Problem) return error
      throw error
    }
  }
}
