import { RESERVED_NAMES, RecordNotFound } from '../contract.ts'
import type { Route } from '../pipeline/request-context.ts'
import { echoRoute } from './echo.ts'
import { eventRoute, socketRoute } from './push/routes.ts'
import { uploadRoute } from './upload/routes.ts'

type FindRoute = (method: string, rest: readonly string[]) => Route | undefined

/** Routes of the names below `/api` that are not collections. */
const ROUTES: Readonly<Partial<Record<string, FindRoute>>> = {
  events: eventRoute,
  ws: socketRoute,
  uploads: uploadRoute,
  echo: echoRoute
}

/** Undefined if the name is not reserved. */
export function reservedRoute(
  method: string,
  [name = '', ...rest]: readonly string[]
): Route | undefined {
  if (!RESERVED_NAMES.some((reserved) => reserved === name)) return undefined
  const nothing: Route = {
    pattern: `/api/${name}`,
    endpoint: () => Promise.reject(new RecordNotFound())
  }
  return ROUTES[name]?.(method, rest) ?? nothing
}
