import { createOutbound, type Outbound } from '../../../kernel/outbound.ts'
import type { Amendment } from './amend/amendment.ts'
import type { Amendments, Target } from './amend/amendments.ts'
import { createReadText } from './read-text.ts'

/** Nothing of it is loaded where there is nothing to amend. */
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

/** The operator named this address, so its host is no stranger. */
export function trusting({ hostname }: URL): Outbound {
  const allow = hostname === '' ? [] : [hostname]
  return createOutbound({ loopback: true, allow, blockedOrigins: () => [] })
}
