import type { Outbound } from '../../../../kernel/outbound.ts'
import type { EmailAddress, FoundServers } from './configuration.ts'
import { findByDomain, findByMx } from './providers.ts'
import {
  configurationUrls,
  fetchConfiguration,
  findServices,
  LOOKUP_TIMEOUT_MS
} from './published.ts'

/** `table` is our own, `mx` the same by mail exchangers; the others are of the domain itself. */
export type Source = 'table' | 'autoconfig' | 'well-known' | 'srv' | 'mx' | 'unknown'

export type AskedOutbound = Pick<Outbound, 'fetch' | 'findServices' | 'findExchangers'>

/** The servers of an email address; no service but the domain's own is asked for them. */
export async function findServers(
  outbound: AskedOutbound,
  email: EmailAddress
): Promise<FoundServers & { readonly source: Source }> {
  const known = await findByDomain(email)
  if (known !== undefined) return { ...known, source: 'table' }
  const { autoconfig, wellKnown } = configurationUrls(email)
  const lookups: readonly [Source, Promise<FoundServers | undefined>][] = [
    ['autoconfig', fetchConfiguration(outbound, autoconfig, email)],
    ['well-known', fetchConfiguration(outbound, wellKnown, email)],
    ['srv', findServices(outbound, email)],
    ['mx', findByExchangers(outbound, email)]
  ]
  for (const [source, lookup] of lookups) {
    const found = await lookup
    if (found !== undefined) return { ...found, source }
  }
  return { source: 'unknown' }
}

async function findByExchangers(outbound: AskedOutbound, email: EmailAddress) {
  const records = await outbound.findExchangers(email.domain, LOOKUP_TIMEOUT_MS)
  const inOrder = [...records].sort((one, other) => one.priority - other.priority)
  return findByMx(email, inOrder.map(({ name }) => name).slice(0, 20))
}
