import { UserError } from '../../../kernel/errors.ts'
import { Problem } from '../contract.ts'
import type { Operation } from '../model/api.ts'
import type { BasePath, Mount } from './mount.ts'
import { type MountedOperation, mountOperations } from './mounted-operations.ts'
import { shapeOf, splitPath } from './segments.ts'
import { createServerMatcher, type ServerMatcher, trimSlashes } from './servers.ts'
import { createTable, type Found, literalKey, type Table } from './table.ts'

export interface Match<M extends Mount = Mount> {
  mount: M
  operation: Operation
  /** Values by the names in the path template, percent-encoded. */
  pathValues: ReadonlyMap<string, string>
  /** Path before the documented path. */
  basePath: string
}

export interface Router<M extends Mount = Mount> {
  /** `path` is as sent; `server` is the value of `__server`. */
  route: (method: string, path: string, server?: string) => Match<M>
}

export function parseBasePath(text: string): BasePath {
  if (text === 'both' || text === 'off' || text === 'only') return text
  if (!text.startsWith('/') || /[?#{}\s]/.test(text)) {
    throw new UserError(`--base-path must be both, off, only or a path such as /v1, not "${text}"`)
  }
  return (trimSlashes(text) || '/') as `/${string}`
}

export function createRouter<M extends Mount>(
  mounts: readonly M[],
  basePath: BasePath = 'both'
): Router<M> {
  const mounted = mountOperations(mounts, basePath)
  rejectConflicts(mounted)
  // Documented paths take precedence over paths with a base path.
  const tables = [false, true].map((isPrefixed) =>
    createTable(mounted.filter((one) => one.isPrefixed === isPrefixed).map(asEntry))
  )
  const servers = createServers()

  return {
    route(method, path, server) {
      if (mounted.length === 0) {
        throw new Problem('NO_RESOURCE_PROVIDED_ERROR', 'The documents have no operations.')
      }
      const wanted = method.toUpperCase()
      const allowed = new Set<string>()
      // HEAD of a documented GET is that GET without its body (RFC 9110 9.3.2).
      const match =
        find(wanted, path, server, allowed) ??
        (wanted === 'HEAD' ? find('GET', path, server, allowed) : undefined)
      if (match === undefined) throw explain(method, path, allowed)
      return match
    }
  }

  function find(method: string, path: string, server: string | undefined, allowed: Set<string>) {
    for (const table of tables) {
      const found = findIn(table, path, method, server === undefined, allowed)
      if (found.length === 0) continue
      const best = server === undefined ? found[0] : servers.choose(found, server)
      if (best !== undefined) return asMatch(best)
    }
    return undefined
  }
}

function asEntry<M extends Mount>(mounted: MountedOperation<M>) {
  return { segments: mounted.segments, order: mounted.order, target: mounted }
}

function asMatch<M extends Mount>({ target, values }: Found<MountedOperation<M>>): Match<M> {
  const { mount, operation, basePath } = target
  return { mount, operation, pathValues: values, basePath }
}

/** Matches with the right method, best first; methods of other matches are added to `allowed`. */
function findIn<M extends Mount>(
  table: Table<MountedOperation<M>>,
  path: string,
  method: string,
  isFirstEnough: boolean,
  allowed: Set<string>
): Found<MountedOperation<M>>[] {
  if (!path.startsWith('/')) return []
  const sent = splitPath(path)
  const key = sent.raw === sent.decoded ? path : literalKey(sent)
  const literal = ofMethod(table.literal(key), method, allowed)
  if (literal.length > 0 && isFirstEnough) return literal
  return [...literal, ...ofMethod(table.templated(sent), method, allowed)]
}

function ofMethod<M extends Mount>(
  found: readonly Found<MountedOperation<M>>[],
  method: string,
  allowed: Set<string>
): Found<MountedOperation<M>>[] {
  const fitting: Found<MountedOperation<M>>[] = []
  for (const one of found) {
    const { operation } = one.target
    if (operation.method === method) fitting.push(one)
    else allowed.add(operation.method)
  }
  return fitting
}

function explain(method: string, path: string, allowed: ReadonlySet<string>): Problem {
  if (allowed.size === 0) {
    return new Problem('NO_PATH_MATCHED_ERROR', `No documented path matches ${path}.`)
  }
  const methods = allowed.has('GET') ? [...allowed, 'HEAD'] : [...allowed]
  const allow = [...new Set(methods)].sort().join(', ')
  const detail = `${path} is documented, but not for ${method}; try ${allow}.`
  return new Problem('NO_METHOD_MATCHED_ERROR', detail, { headers: { allow } })
}

/** Selects a match by the server that the request names. */
function createServers() {
  const known = new WeakMap<Operation, readonly ServerMatcher[]>()

  function matchersOf(operation: Operation): readonly ServerMatcher[] {
    const matchers = known.get(operation) ?? operation.servers.map(createServerMatcher)
    known.set(operation, matchers)
    return matchers
  }

  return {
    choose<M extends Mount>(found: readonly Found<MountedOperation<M>>[], url: string) {
      if (found.every(({ target }) => target.operation.servers.length === 0)) {
        const detail =
          'The request selects a server with __server, but the document defines no servers.'
        throw new Problem('NO_SERVER_CONFIGURATION_PROVIDED_ERROR', detail)
      }
      const fitting = found.flatMap((one) => {
        const matching = matchersOf(one.target.operation).filter(({ matches }) => matches(url))
        if (matching.length === 0) return []
        return [{ one, isConcrete: matching.some(({ isConcrete }) => isConcrete) }]
      })
      const best =
        fitting.find(({ one, isConcrete }) => isConcrete && one.isLiteral) ??
        fitting.find(({ one }) => one.isLiteral) ??
        fitting.find(({ isConcrete }) => isConcrete) ??
        fitting[0]
      if (best !== undefined) return best.one
      throw new Problem('NO_SERVER_MATCHED_ERROR', `The document has no server ${url}.`)
    }
  }
}

/** Within one document the later operation wins; a conflict between documents is an error. */
function rejectConflicts(mounted: readonly MountedOperation<Mount>[]): void {
  const taken = new Map<string, MountedOperation<Mount>>()
  for (const one of mounted) {
    const key = `${one.operation.method} /${shapeOf(one.segments)}`
    const other = taken.get(key)
    if (other !== undefined && other.mount !== one.mount) {
      throw new UserError(
        `${nameOf(other)} and ${nameOf(one)} would both be served at ${one.basePath}${one.operation.path}; give one of the documents a name: name=${one.mount.label}`
      )
    }
    taken.set(key, one)
  }
}

function nameOf({ operation, mount }: MountedOperation<Mount>): string {
  return `${operation.method} ${operation.path} of ${mount.label}`
}
