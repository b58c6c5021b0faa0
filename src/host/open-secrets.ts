import type { Database } from '../kernel/database/database.ts'
import type { SecretKeys } from '../kernel/secrets/keys.ts'
import type { Secrets } from '../kernel/secrets/secrets.ts'
import type { Service } from '../kernel/service.ts'
import type { Configuration } from './configuration-reader.ts'
import type { DataFolder } from './data-folder.ts'

interface SecretsContext {
  configuration: Configuration
  folder: DataFolder
  reporter: { warn: (text: string) => void }
  secretKeys: SharedKeys
}

/** The keys of all services of a host, once the first of them has needed them. */
export interface SharedKeys {
  keys?: SecretKeys
}

export interface ServiceSecrets {
  secrets: Secrets
  /** To be called after a reset, which removes the check value. */
  register: () => Promise<void>
}

/** The secrets of a service; their modules are loaded only if the service has secrets. */
export async function openSecrets(
  context: SecretsContext,
  { name, secrets: rules }: Service,
  database: Database | undefined
): Promise<ServiceSecrets | undefined> {
  if (rules === undefined || database === undefined) return undefined
  const { prepareKeys, register } = await import('./prepare-keys.ts')
  const { createSecrets } = await import('../kernel/secrets/secrets.ts')
  context.secretKeys.keys ??= await prepareKeys(context, name, database)
  const { keys } = context.secretKeys
  await register(context, name, database, keys)
  return {
    secrets: createSecrets(name, keys),
    register: () => register(context, name, database, keys)
  }
}
