import type { Operation } from '../model/api.ts'
import type { BasePath, Mount } from './mount.ts'
import { parseSegments, type Segment } from './segments.ts'
import { basePathsOf, trimSlashes } from './servers.ts'

/** A question mark outside of braces, and everything after it. */
export const QUERY = /\?(?:[^{}]|\{[^{}]*\})*$/

/** An operation and one of the paths at which it is served. */
export interface MountedOperation<M extends Mount> {
  mount: M
  operation: Operation
  segments: readonly Segment[]
  basePath: string
  /** Whether a server path precedes the documented path. */
  isPrefixed: boolean
  order: number
}

export function mountOperations<M extends Mount>(
  mounts: readonly M[],
  basePath: BasePath
): MountedOperation<M>[] {
  let order = 0
  return mounts.flatMap((mount) => {
    const mode = modeOf(mount, mounts.length, basePath)
    const name = mount.name === undefined ? '' : trimSlashes(mount.name)
    return mount.api.operations.flatMap((operation) => {
      order++
      return prefixesOf(operation, mode).map((prefix) => {
        const whole = name + prefix
        const segments = parseSegments(whole + routedPath(operation))
        return { mount, operation, segments, basePath: whole, isPrefixed: prefix !== '', order }
      })
    })
  })
}

/**
 * Some documents have a query in a path, which OpenAPI does not allow. It is ignored in routing.
 */
export function routedPath({ path }: Operation): string {
  const bare = path.replace(QUERY, '')
  return bare.startsWith('/') ? bare : `/${bare}`
}

/** Several documents without names are served only under their base paths, to avoid conflicts. */
function modeOf(mount: Mount, documents: number, basePath: BasePath): BasePath {
  return basePath === 'both' && documents > 1 && mount.name === undefined ? 'only' : basePath
}

function prefixesOf(operation: Operation, mode: BasePath): string[] {
  if (mode === 'off') return ['']
  if (mode !== 'both' && mode !== 'only') return [trimSlashes(mode)]
  const paths = operation.servers.flatMap(basePathsOf)
  const plain = mode === 'both' || paths.length === 0 ? [''] : []
  return [...new Set([...plain, ...paths])]
}
