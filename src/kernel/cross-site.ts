import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a page of another site caused the request. Unlike in `isCrossOrigin`, another port of the
 * same host is the same site, and so is another loopback name: front ends under development.
 */
export function isCrossSite(headers: IncomingHttpHeaders): boolean {
  const { origin, host = '', 'sec-fetch-site': site } = headers
  if (origin === undefined) return site === 'cross-site'
  const page = hostNameOf(origin)
  const server = hostNameOf(`http://${host}`)
  if (page === undefined) return true
  if (isLoopbackName(page) && isLoopbackName(server ?? '')) return false
  // Browsers send `Sec-Fetch-Site` to HTTPS and loopback hosts only.
  return site === undefined ? page !== server : site === 'cross-site'
}

/** Undefined for `null`, the origin of sandboxed pages and local files. */
function hostNameOf(origin: string): string | undefined {
  return URL.parse(origin)?.hostname || undefined
}

function isLoopbackName(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || /^127(\.\d+){3}$|^\[::1\]$/.test(name)
  )
}
