/** Path and query of a request line, without scheme and authority, both percent-encoded. */
export interface RequestTarget {
  /** Starts with a slash, unless the target is `*`. */
  readonly path: string
  /** Without the question mark; empty if there is no query. */
  readonly query: string
}

/** Scheme and authority of an absolute-form target. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/** RFC 9112 3.2.2: an absolute URL in a request line is equivalent to its path and query. */
export function toOriginForm(target: string): string {
  if (target.startsWith('/')) return target
  const rest = target.replace(ORIGIN, '')
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`
}

export function parseRequestTarget(target: string): RequestTarget {
  const url = toOriginForm(target)
  const mark = url.indexOf('?')
  if (mark === -1) return { path: url, query: '' }
  return { path: url.slice(0, mark), query: url.slice(mark + 1) }
}

/** Percent-encoded segments. Empty ones are skipped: clients send doubled and trailing slashes. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** Undefined if the percent-encoding is not valid UTF-8. */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
