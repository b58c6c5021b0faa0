import { decodeSegment } from '../../../kernel/request-target.ts'

/** A path below the root; `:name` stands for any segment. */
interface WithPath {
  readonly path: string
}

export interface PathMatch<Route> {
  readonly route: Route
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** Segments are percent-encoded. The first route of the table that matches counts. */
export function matchPath<Route extends WithPath>(
  routes: readonly Route[],
  segments: readonly string[]
): PathMatch<Route> | undefined {
  for (const route of routes) {
    const params = paramsOf(route.path.split('/').slice(1), segments)
    if (params !== undefined) return { route, params }
  }
  return undefined
}

function paramsOf(
  pattern: readonly string[],
  segments: readonly string[]
): Record<string, string> | undefined {
  const parts = pattern.filter((part) => part !== '')
  if (parts.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of parts.entries()) {
    const segment = decodeSegment(segments[at] ?? '')
    if (segment === undefined) return undefined
    if (part.startsWith(':')) params[part.slice(1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}
