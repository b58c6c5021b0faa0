import { resolve } from 'node:path'
import type { Transaction } from '../kernel/database/transaction.ts'
import { UserError } from '../kernel/errors.ts'
import { verifyCheck } from '../kernel/secrets/check.ts'
import type { SecretRules } from '../kernel/secrets/rules.ts'
import { type CheckValue, countByKey, findCheck } from '../kernel/secrets/table.ts'
import type { Configuration } from './configuration-reader.ts'
import { type Diagnosis, diagnosed } from './diagnosis.ts'
import { readTables } from './read-tables.ts'
import {
  damagedCheck,
  keyIds,
  type LoadedKeys,
  loadKeys,
  missingKey,
  openKeyFile
} from './secret-keys.ts'

/** The secrets of one service. */
export interface SecretFacts {
  service: string
  /** Undefined if it has not stored any yet. */
  check: CheckValue | undefined
  /** Number of values by the id of their key. */
  values: ReadonlyMap<string, number>
}

/** Reads what the services have stored, also while they run. */
export async function readSecretFacts(
  configuration: Configuration
): Promise<readonly SecretFacts[]> {
  const { data, database, ephemeral, services, options } = configuration
  if (ephemeral) return []
  const declared = services.flatMap(({ name, secrets, needsDatabase }) =>
    secrets === undefined || needsDatabase?.(options[name] ?? {}, ephemeral) === false
      ? []
      : [[name, secrets] as const]
  )
  const rules = new Map<string, SecretRules>(declared)
  const storage = { folder: resolve(data), database, ephemeral }
  const engine = database === undefined ? 'sqlite' : 'postgres'

  function* readFacts(service: string): Transaction<SecretFacts> {
    const check = yield* findCheck(engine)
    const values = new Map<string, number>()
    for (const column of check === undefined ? [] : (rules.get(service)?.columns ?? [])) {
      for (const [id, count] of yield* countByKey(column)) {
        values.set(id, (values.get(id) ?? 0) + count)
      }
    }
    return { service, check, values }
  }

  const found = await readTables([...rules.keys()], storage, readFacts)
  return [...rules.keys()].map(
    (service) => found.get(service) ?? { service, check: undefined, values: new Map() }
  )
}

/** Checks that the key is present, private, and that of the tables; creates nothing. */
export async function diagnoseSecrets(configuration: Configuration): Promise<readonly Diagnosis[]> {
  if (!configuration.services.some(({ secrets }) => secrets !== undefined)) return []
  const folder = resolve(configuration.data)
  const facts = await readSecretFacts(configuration).catch((error) => {
    // The tables themselves are checked elsewhere.
    if (error instanceof UserError) return []
    throw error
  })
  if (facts.length === 0) return []
  const needed = facts.filter(({ check }) => check !== undefined)
  let loaded: LoadedKeys | undefined
  const key = await diagnosed('key of stored secrets', async () => {
    loaded = await loadKeys(configuration, folder)
    if (loaded.keys === undefined) {
      if (needed.length === 0) return 'created at the first start'
      throw new UserError(`${loaded.source} is missing`)
    }
    if (loaded.isOpen) throw new UserError(openKeyFile(loaded.source))
    return `${keyIds(loaded.keys)} in ${loaded.source}`
  })
  const services = needed.map((fact) => diagnoseService(fact, loaded, folder))
  return [key, ...(await Promise.all(services))]
}

function diagnoseService(
  { service, check, values }: SecretFacts,
  loaded: LoadedKeys | undefined,
  folder: string
): Promise<Diagnosis> {
  return diagnosed(`secrets of ${service}`, async () => {
    const keys = loaded?.keys
    if (check === undefined) return 'none'
    const source = loaded?.source ?? 'the configured key'
    const result = keys === undefined ? 'missing' : verifyCheck(service, keys, check)
    if (keys === undefined || result === 'missing') {
      throw new UserError(missingKey(service, check, { source, keys }, folder))
    }
    if (result === 'damaged') throw new UserError(damagedCheck(service, check))
    const [lost] = [...values].find(([id]) => !keys.some((key) => key.id === id)) ?? []
    if (lost !== undefined) {
      throw new UserError(
        `${values.get(lost)} of its values are sealed with the key ${lost}, which ${source} lacks: add it`
      )
    }
    return `key ${check.keyId}`
  })
}
