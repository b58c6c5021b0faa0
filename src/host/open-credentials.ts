import type { Credentials, CredentialsOptions } from '../kernel/credentials/credentials.ts'
import type { Database } from '../kernel/database/database.ts'
import type { Service } from '../kernel/service.ts'

export interface ServiceCredentials {
  credentials: Credentials
  /** To be called before the database is closed. */
  stop: () => Promise<void>
}

/** The tokens of a service; their modules are loaded at the first use. */
export function openCredentials(
  { credentials: rules }: Service,
  database: Database | undefined,
  options: Pick<CredentialsOptions, 'clientIp' | 'now' | 'warn'>
): ServiceCredentials | undefined {
  if (rules === undefined || database === undefined) return undefined
  const all = { ...options, rules, database }
  let loading: ReturnType<typeof create> | undefined

  async function create() {
    const { createCredentials } = await import('../kernel/credentials/credentials.ts')
    return createCredentials(all)
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
      authenticate: async (request, presented) => (await load()).authenticate(request, presented)
    },
    stop: async () => (await loading)?.stop()
  }
}
