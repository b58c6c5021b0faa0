import { createCache } from '../../../kernel/cache.ts'
import { decodeSegment, parseRequestTarget, segmentsOf } from '../../../kernel/request-target.ts'

/** What an address asks, its prefixes taken off. */
export interface ScenarioTarget {
  /** As it was sent; the request's own has been rewritten by then. */
  readonly url: string
  /** With prefixes. */
  readonly path: string
  readonly query: string
  /** Behind the prefixes, still encoded: `['api', 'users', '2']`. */
  readonly segments: readonly string[]
  readonly parameters: URLSearchParams
  /** From `/w/{workspace}/…`. */
  readonly workspace: string | undefined
  /** From `/_s/{spec}/…`, decoded. */
  readonly spec: string | undefined
}

const NO_PARAMETERS = new URLSearchParams()

const MAX_KEPT = 500
const MAX_KEPT_LENGTH = 256

const kept = createCache<ScenarioTarget>(MAX_KEPT)

/** Clients ask for the same few addresses again and again; nobody changes what was read. */
export function readScenarioTarget(url: string): ScenarioTarget {
  return url.length > MAX_KEPT_LENGTH
    ? parseScenarioTarget(url)
    : kept.getOrCreate(url, parseScenarioTarget)
}

function parseScenarioTarget(url: string): ScenarioTarget {
  const { path, query } = parseRequestTarget(url)
  let segments = segmentsOf(path)
  let workspace: string | undefined
  let spec: string | undefined
  while (segments.length > 1) {
    const [kind, name = ''] = segments
    // What cannot be decoded is no name either way, and refused as such.
    if (kind === 'w' && workspace === undefined) workspace = decodeSegment(name) ?? name
    else if (kind === '_s' && spec === undefined) spec = decodeSegment(name) ?? name
    else break
    segments = segments.slice(2)
  }
  const parameters = query === '' ? NO_PARAMETERS : new URLSearchParams(query)
  return { url, path, query, segments, parameters, workspace, spec }
}
