import type { Outbound } from '../../../../kernel/outbound.ts'
import type { EmailAddress, FoundServers } from './configuration.ts'
import { findByDomain, findByMx } from './providers.ts'
import {
  configurationUrls,
  fetchConfiguration,
  findServices,
  LOOKUP_TIMEOUT_MS
} from './published.ts'

/** `table` and `mx`: our own table, by domain and by mail exchanger; others are of the domain. */
export type ServerSource = 'table' | 'autoconfig' | 'well-known' | 'srv' | 'mx' | 'unknown'

type LookupOutbound = Pick<Outbound, 'fetch' | 'findServices' | 'findExchangers'>

/** Requests go to the domain of the email address only, never to a directory of others. */
export async function findServers(
  outbound: LookupOutbound,
  email: EmailAddress
): Promise<FoundServers & { readonly source: ServerSource }> {
  const known = await findByDomain(email)
  if (known !== undefined) return { ...known, source: 'table' }
  const { autoconfig, wellKnown } = configurationUrls(email)
  const lookups: readonly [ServerSource, Promise<FoundServers | undefined>][] = [
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

async function findByExchangers(outbound: LookupOutbound, email: EmailAddress) {
  const records = await outbound.findExchangers(email.domain, LOOKUP_TIMEOUT_MS)
  const inOrder = [...records].sort((one, other) => one.priority - other.priority)
  return findByMx(email, inOrder.map(({ name }) => name).slice(0, 20))
}
