import { createClientIp } from '../kernel/client-ip.ts'
import type { Credentials } from '../kernel/credentials/credentials.ts'
import type { Database } from '../kernel/database/database.ts'
import type { Service } from '../kernel/service.ts'
import type { Access } from './access.ts'
import type { Configuration } from './configuration-reader.ts'

interface CredentialsContext {
  configuration: Configuration
  access: Access
  reporter: { warn: (text: string) => void }
}

export interface ServiceCredentials {
  credentials: Credentials
  /** To be called before the database is closed. */
  stop: () => Promise<void>
}

/** The tokens of a service; their modules are loaded at the first use. */
export function openCredentials(
  { configuration, access, reporter }: CredentialsContext,
  { name, credentials: rules }: Service,
  database: Database | undefined
): ServiceCredentials | undefined {
  if (rules === undefined || database === undefined) return undefined
  const options = {
    rules,
    database,
    clientIp: createClientIp(configuration.trustedProxy),
    now: access.now,
    warn: (text: string) => reporter.warn(`${name}: ${text}`)
  }
  let loading: ReturnType<typeof create> | undefined
  let loaded: Credentials | undefined

  async function create() {
    const { createCredentials } = await import('../kernel/credentials/credentials.ts')
    const created = createCredentials(options)
    loaded = created
    return created
  }

  function load() {
    loading ??= create()
    return loading
  }

  return {
    credentials: {
      rules,
      create: async (request) => (await load()).create(request),
      list: async () => (await load()).list(),
      revoke: async (id) => (await load()).revoke(id),
      find: async (id) => (await load()).find(id),
      authenticate: (request, presented, find) =>
        loaded === undefined
          ? load().then((credentials) => credentials.authenticate(request, presented, find))
          : loaded.authenticate(request, presented, find)
    },
    stop: async () => (await loading)?.stop()
  }
}
