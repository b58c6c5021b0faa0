import { resolve } from 'node:path'
import type { Configuration } from './configuration-reader.ts'
import type { Rotated } from './rotate-secrets.ts'
import { loadKeys } from './secret-keys.ts'
import { readSecretFacts } from './secrets-diagnosis.ts'

export interface SecretsStatus {
  /** The file or variable with the keys. */
  source: string
  /** Ids of the keys, the one that seals first; empty until the first start. */
  keys: readonly string[]
  /** Ids of keys that values need and that are not there. */
  missing: readonly string[]
  services: readonly {
    service: string
    /** Key that a start requires; null if nothing is stored. */
    key: string | null
    /** Number of values by the id of their key. */
    values: Readonly<Record<string, number>>
  }[]
}

export async function statusOf(configuration: Configuration): Promise<SecretsStatus> {
  const { source, keys = [] } = await loadKeys(configuration, resolve(configuration.data))
  const facts = await readSecretFacts(configuration)
  const ids = keys.map(({ id }) => id)
  const needed = facts.flatMap(({ check, values }) => [
    ...(check === undefined ? [] : [check.keyId]),
    ...values.keys()
  ])
  return {
    source,
    keys: ids,
    missing: [...new Set(needed)].filter((id) => !ids.includes(id)),
    services: facts.map(({ service, check, values }) => ({
      service,
      key: check?.keyId ?? null,
      values: Object.fromEntries(values)
    }))
  }
}

export function describeStatus({ source, keys, missing, services }: SecretsStatus): string {
  if (services.length === 0) return 'No service stores secrets'
  const [first, ...others] = keys
  const key =
    first === undefined
      ? `${source} does not exist; the first start creates it`
      : `${source}: ${first} seals${others.length === 0 ? '' : `, ${others.join(', ')} open`}`
  const lines = services.map((one) => {
    const counts = Object.entries(one.values).map(([id, count]) => `${count} with ${id}`)
    return `${one.service}: ${one.key === null ? 'no secrets' : `needs the key ${one.key}; ${counts.join(', ') || 'nothing is sealed yet'}`}`
  })
  const lack = missing.length === 0 ? [] : [`Missing: ${missing.join(', ')}`]
  return [
    missing.length > 0 && first === undefined ? `${source} is missing` : key,
    ...lines,
    ...lack
  ].join('\n')
}

export function describeRotated(rotated: Rotated): string {
  const { keyId, source, values, services, removed, stays } = rotated
  const done = `Sealed ${values} values of ${services.join(', ')} with the key ${keyId} in ${source}`
  if (stays !== undefined) return `${done}; older keys stay there: ${stays}`
  return removed.length === 0
    ? done
    : `${done}, and removed ${removed.join(', ')}; backups made before need the removed key`
}
