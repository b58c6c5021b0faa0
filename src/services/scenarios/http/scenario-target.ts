import { createCache } from '../../../kernel/cache.ts'
import { decodeSegment, parseRequestTarget, segmentsOf } from '../../../kernel/request-target.ts'

/** A parsed URL without its prefixes. */
export interface ScenarioTarget {
  /** URL as sent; the request's `url` has been rewritten. */
  readonly url: string
  /** Path with prefixes. */
  readonly path: string
  readonly query: string
  /** Path after the prefixes, still encoded: `['api', 'users', '2']`. */
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

/** Cached, because clients request the same few URLs; the result must not be changed. */
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
    // A segment that cannot be decoded is an invalid name and is rejected as such.
    if (kind === 'w' && workspace === undefined) workspace = decodeSegment(name) ?? name
    else if (kind === '_s' && spec === undefined) spec = decodeSegment(name) ?? name
    else break
    segments = segments.slice(2)
  }
  const parameters = query === '' ? NO_PARAMETERS : new URLSearchParams(query)
  return { url, path, query, segments, parameters, workspace, spec }
}
