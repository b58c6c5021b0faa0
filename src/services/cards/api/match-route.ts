import { decodeSegment } from '../../../kernel/request-target.ts'
import { API_ROUTES, type ApiRoute, type HandlerName } from './route-table.ts'

export interface RouteMatch {
  readonly route: ApiRoute & { readonly name: HandlerName }
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>
}

interface Compiled {
  route: RouteMatch['route']
  /** Literal segments in lower case; parameters begin with a colon and keep their case. */
  segments: readonly string[]
}

/** First segments in the plural; clients also send the singular. */
const PLURALS: ReadonlyMap<string, string> = new Map(
  API_ROUTES.flatMap(({ pattern }) => {
    const first = pattern.split('/')[1]?.toLowerCase() ?? ''
    return first.endsWith('s') ? [[first.slice(0, -1), first]] : []
  })
)

/** Routes by method and number of segments. */
const COMPILED = compile()

function compile(): ReadonlyMap<string, readonly Compiled[]> {
  const groups = new Map<string, Compiled[]>()
  for (const route of API_ROUTES) {
    const segments = route.pattern
      .slice(1)
      .split('/')
      .map((segment) => (segment.startsWith(':') ? segment : segment.toLowerCase()))
    const key = keyOf(route.method, segments.length)
    const group = groups.get(key) ?? []
    group.push({ route, segments })
    groups.set(key, group)
  }
  return groups
}

function keyOf(method: string, count: number): string {
  return `${method} ${count}`
}

/** `segments` are those below `/1`, percent-encoded; `HEAD` is `GET`. */
export function matchRoute(method: string, segments: readonly string[]): RouteMatch | undefined {
  const decoded: string[] = []
  for (const segment of segments) {
    const text = decodeSegment(segment)
    if (text === undefined) return undefined
    decoded.push(text)
  }
  const [first = '', ...rest] = decoded.map((segment) => segment.toLowerCase())
  const literals = [PLURALS.get(first) ?? first, ...rest]
  const wanted = method === 'HEAD' ? 'GET' : method
  for (const { route, segments: pattern } of COMPILED.get(keyOf(wanted, decoded.length)) ?? []) {
    const isMatch = pattern.every((part, at) => part.startsWith(':') || part === literals[at])
    if (isMatch) return { route, params: paramsOf(pattern, decoded) }
  }
  return undefined
}

function paramsOf(pattern: readonly string[], decoded: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pattern.flatMap((part, at) =>
      part.startsWith(':') ? [[part.slice(1), decoded[at] ?? '']] : []
    )
  )
}
