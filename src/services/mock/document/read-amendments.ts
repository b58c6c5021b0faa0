import { createOutbound, type Outbound } from '../../../kernel/outbound.ts'
import type { Amendment } from './amend/amendment.ts'
import type { Amendments, Target } from './amend/amendments.ts'
import { createReadText } from './read-text.ts'

const LOOPBACK_HOST = /^(?:(?:.*\.)?localhost|127\.[\d.]+|::1)$/i

/** Undefined if there are no amendments; their module is then not loaded. */
export async function readAmendments(
  amendments: readonly Amendment[],
  targets: readonly Target[]
): Promise<Amendments | undefined> {
  if (amendments.length === 0) return undefined
  const { openAmendments } = await import('./amend/amendments.ts')
  return openAmendments(amendments, targets, (url) =>
    withTrust(url, (fetch) =>
      createReadText(url, { allowsRemote: false, allowsOutside: false, fetch })(url)
    )
  )
}

/** Whether a URL leads to this machine by its name. */
export function isLoopbackHost({ hostname }: URL): boolean {
  return LOOPBACK_HOST.test(hostname.replace(/^\[|\]$/g, ''))
}

/** Runs with outbound access that allows the host of this URL, because the operator named it. */
export async function withTrust<T>(
  named: URL,
  act: (fetch: Outbound['fetch']) => Promise<T>
): Promise<T> {
  const { hostname, href } = named
  const host = hostname.replace(/^\[|\]$/g, '')
  const outbound = createOutbound({
    // Otherwise a document of another machine could lead to servers of this one.
    loopback: host === '' || isLoopbackHost(named),
    allow: host === '' ? [] : [host]
  })
  try {
    return await act((url, request) => outbound.fetch(url, { ...request, named: url === href }))
  } finally {
    await outbound.close()
  }
}
