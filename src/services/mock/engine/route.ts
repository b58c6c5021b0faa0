import { Problem } from '../contract.ts'
import { parseQuery } from '../request/query-string.ts'
import type { Router } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import type { Route } from '../transform/request-phase.ts'

/** Why there is no operation is given back, because rules may have a say about it. */
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
