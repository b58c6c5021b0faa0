import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ExclusiveTables, openExclusively } from '../kernel/database/exclusive.ts'
import { lockDatabase } from '../kernel/database/lock.ts'
import { UserError } from '../kernel/errors.ts'
import { verifyCheck } from '../kernel/secrets/check.ts'
import { createKey, type SecretKeys } from '../kernel/secrets/keys.ts'
import { reseal } from '../kernel/secrets/reseal.ts'
import type { SecretRules } from '../kernel/secrets/rules.ts'
import { type CheckValue, readCheck } from '../kernel/secrets/table.ts'
import type { Service } from '../kernel/service.ts'
import type { Configuration } from './configuration-reader.ts'
import { ownKeyFile, replaceKeyFile } from './secret-key-file.ts'
import { damagedCheck, type LoadedKeys, loadKeys, missingKey } from './secret-keys.ts'
import { databaseLocation, type Storage } from './storage.ts'
import { findChecks } from './stored-checks.ts'

export interface Rotated {
  /** Id of the key that seals now. */
  keyId: string
  /** The file or variable with the keys. */
  source: string
  /** Number of values that were sealed again. */
  values: number
  services: readonly string[]
  /** Ids of the keys that were removed from the file. */
  removed: readonly string[]
  /** Why keys stay that no value of these services needs; undefined if none do. */
  stays: string | undefined
}

export interface RotationOptions {
  /** Leaves the old key in the file, for backups that were made before. */
  keepOld: boolean
}

interface SecretService {
  name: string
  rules: SecretRules
  tables: ExclusiveTables
  check: CheckValue
}

/**
 * Seals all secrets with a new key, while no process uses the tables. At each step the key file
 * contains every key that a value is sealed with, so that it may be interrupted and run again.
 */
export async function rotateSecrets(
  configuration: Configuration,
  { keepOld }: RotationOptions
): Promise<Rotated> {
  const folder = resolve(configuration.data)
  const storage: Storage = { folder, database: configuration.database, ephemeral: false }
  const checks = await findChecks(storage, namesOf(configuration))
  if (checks.size === 0) throw new UserError('No service has stored secrets, so no key is needed')
  const lock = lockOwnFile(configuration, folder)
  const opened: SecretService[] = []
  try {
    for (const service of configuration.services) {
      if (checks.has(service.name)) opened.push(...(await openService(service, storage)))
    }
    const loaded = await loadKeys(configuration, folder)
    const keys = await addKey(opened, loaded, folder)
    const values = await resealAll(opened, keys)
    const old = keys.slice(1).map(({ id }) => id)
    const stays = await reasonToKeep(configuration, storage, loaded, keys)
    const isRemoved = stays === undefined && !keepOld && old.length > 0
    if (isRemoved) await replaceKeyFile(loaded.source, [keys[0]])
    return {
      keyId: keys[0].id,
      source: loaded.source,
      values,
      services: opened.map(({ name }) => name),
      removed: isRemoved ? old : [],
      stays: old.length > 0 && !isRemoved ? (stays ?? '--keep-old was given') : undefined
    }
  } finally {
    for (const { tables } of opened) await tables.close()
    lock?.release()
  }
}

/** Two rotations at the same time could overwrite each other's key. */
function lockOwnFile({ secretKeyFile, secretKey }: Configuration, folder: string) {
  const isOwn = secretKeyFile === undefined && secretKey === undefined
  return isOwn && existsSync(folder) ? lockDatabase(ownKeyFile(folder)) : undefined
}

function namesOf({ services }: Configuration): readonly string[] {
  return services.map(({ name }) => name)
}

async function openService(
  { name, migrations = [], secrets: rules }: Service,
  storage: Storage
): Promise<readonly SecretService[]> {
  if (rules === undefined) return []
  const schema = { service: name, migrations }
  const tables = await openExclusively(databaseLocation(name, storage), schema)
  const check = await tables.write(readCheck)
  if (check !== undefined) return [{ name, rules, tables, check }]
  await tables.close()
  return []
}

/** Continues an interrupted rotation with its key; otherwise adds a key to nonet's own file. */
async function addKey(
  services: readonly SecretService[],
  loaded: LoadedKeys,
  folder: string
): Promise<SecretKeys> {
  const { keys, source, isOwn } = loaded
  for (const { name, check } of services) {
    const result = keys === undefined ? 'missing' : verifyCheck(name, keys, check)
    if (result === 'missing') throw new UserError(missingKey(name, check, loaded, folder))
    if (result === 'damaged') throw new UserError(damagedCheck(name, check))
  }
  if (keys === undefined) throw new UserError(`There is no key in ${source}`)
  if (services.some(({ check }) => check.keyId !== keys[0].id)) return keys
  if (isOwn) return replaceKeyFile(source, [createKey(), ...keys])
  throw new UserError(
    `All secrets are sealed with the first key of ${source}, ${keys[0].id}: add a new key in front ` +
      'of it, such as the output of openssl rand -hex 32, keep the old one, and run this again'
  )
}

async function resealAll(services: readonly SecretService[], keys: SecretKeys): Promise<number> {
  let values = 0
  for (const { name, rules, tables } of services) {
    const done = await reseal(tables, { service: name, rules, keys })
    values += done.changed
    if (done.unreadable > 0) {
      throw new UserError(
        `${done.unreadable} secrets of ${name} cannot be read with any key, so the old key stays: ` +
          'add the key that they need, or store them again, and run this again'
      )
    }
  }
  return values
}

/** The files in the data folder may have older secrets than the database. */
async function reasonToKeep(
  configuration: Configuration,
  storage: Storage,
  { source, isOwn }: LoadedKeys,
  [first]: SecretKeys
): Promise<string | undefined> {
  if (!isOwn) return `remove them from ${source} yourself`
  const names = namesOf(configuration)
  for (const where of [storage, { ...storage, database: undefined }]) {
    for (const [name, { keyId }] of await findChecks(where, names)) {
      if (keyId === first.id) continue
      const location = where.database === undefined ? `in ${where.folder}` : 'in the database'
      return `${name} ${location} needs ${keyId}`
    }
  }
  return undefined
}
