import { readFile } from 'node:fs/promises'
import { loadOnce } from '../../../../kernel/load-once.ts'
import type { EmailAddress, FoundServer, FoundServers } from './configuration.ts'

const FILE = new URL('../../../../../data/autoconfig/providers.json', import.meta.url)

interface Server {
  readonly host: string
  readonly port: number
  readonly secure: boolean
}

/** An entry of the table; `data/autoconfig/SOURCE.md` describes its keys. */
export interface Provider {
  readonly provider: string
  readonly domains: readonly string[]
  readonly mx: readonly string[]
  readonly imap: Server | false
  readonly smtp: Server | false
  readonly user?: 'localPart'
  readonly appPassword?: boolean
  readonly instructions?: string
}

interface Providers {
  readonly byDomain: ReadonlyMap<string, Provider>
  readonly byMx: ReadonlyMap<string, Provider>
}

const loadProviders = loadOnce(async (): Promise<Providers> => {
  const providers: readonly Provider[] = JSON.parse(await readFile(FILE, 'utf8'))
  const entriesBy = (key: 'domains' | 'mx') =>
    providers.flatMap((one) => one[key].map((name): [string, Provider] => [name, one]))
  return { byDomain: new Map(entriesBy('domains')), byMx: new Map(entriesBy('mx')) }
})

export async function findByDomain(email: EmailAddress): Promise<FoundServers | undefined> {
  const found = (await loadProviders()).byDomain.get(email.domain)
  return found && serversOf(found, found.user === 'localPart' ? email.localPart : email.address)
}

/** The provider that receives the mail of a domain, by the names of its mail exchangers. */
export async function findByMx(
  { address }: EmailAddress,
  exchangers: readonly string[]
): Promise<FoundServers | undefined> {
  const { byMx } = await loadProviders()
  for (const name of exchangers) {
    const labels = name.toLowerCase().replace(/\.$/, '').split('.')
    for (let at = 0; at < labels.length; at += 1) {
      const found = byMx.get(labels.slice(at).join('.'))
      if (found !== undefined) return serversOf(found, address)
    }
  }
  return undefined
}

function serversOf(found: Provider, user: string): FoundServers {
  const { provider, imap, smtp, appPassword = false, instructions } = found
  const withUser = (server: Server | false): FoundServer | undefined =>
    server === false ? undefined : { ...server, user }
  return {
    imap: withUser(imap),
    smtp: withUser(smtp),
    appPassword: {
      required: appPassword,
      provider,
      ...(instructions !== undefined && { instructions })
    }
  }
}
