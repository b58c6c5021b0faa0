const MAX_MISSES = 16

/**
 * Interns equal headers, because most requests and responses have the same ones and every
 * long-lived object is expensive to collect. New headers are compared with the last `limit` ones.
 */
export function createShare<Headers extends Readonly<Record<string, unknown>>>(
  limit: number
): (headers: Headers) => Headers {
  const recent: Known<Headers>[] = []
  let oldest = 0
  let misses = 0
  return function share(headers) {
    // If the headers keep differing, only one in `MAX_MISSES` is compared.
    if (misses >= MAX_MISSES && misses++ % MAX_MISSES !== 0) return headers
    for (const known of recent) {
      if (!isEqual(known, headers)) continue
      misses = 0
      return known.headers
    }
    misses++
    recent[oldest] = { headers, names: Object.keys(headers) }
    oldest = (oldest + 1) % limit
    return headers
  }
}

interface Known<Headers> {
  headers: Headers
  names: readonly string[]
}

/** The order of the headers matters, because they are shown as sent. */
function isEqual(
  { headers, names }: Known<Readonly<Record<string, unknown>>>,
  other: Readonly<Record<string, unknown>>
): boolean {
  let index = 0
  for (const name in other) {
    if (name !== names[index++] || headers[name] !== other[name]) return false
  }
  return index === names.length
}
