import { createOutbound, type Outbound } from '../../../kernel/outbound.ts'
import type { Amendment } from './amend/amendment.ts'
import type { Amendments, Target } from './amend/amendments.ts'
import { createReadText } from './read-text.ts'

/** Undefined if there are no amendments; their module is then not loaded. */
export async function readAmendments(
  amendments: readonly Amendment[],
  targets: readonly Target[]
): Promise<Amendments | undefined> {
  if (amendments.length === 0) return undefined
  const { openAmendments } = await import('./amend/amendments.ts')
  return openAmendments(amendments, targets, async (url) => {
    const outbound = trusting(url)
    try {
      return await createReadText(url, { allowsRemote: false, fetch: outbound.fetch })(url)
    } finally {
      await outbound.close()
    }
  })
}

/** Outbound access that allows the host of this URL, because the operator named it. */
export function trusting({ hostname, href }: URL): Outbound {
  const allow = hostname === '' ? [] : [hostname]
  const outbound = createOutbound({ loopback: true, allow })
  return {
    ...outbound,
    fetch: (url, request) => outbound.fetch(url, { ...request, named: url === href })
  }
}
