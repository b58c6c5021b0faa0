import { resolve } from 'node:path'
import { UserError } from '../kernel/errors.ts'
import { KeyMalformed, parseKeys, type SecretKeys } from '../kernel/secrets/keys.ts'
import type { CheckValue } from '../kernel/secrets/table.ts'
import type { Configuration } from './configuration-reader.ts'
import { ownKeyFile, readKeyFile } from './secret-key-file.ts'

export type KeySettings = Pick<Configuration, 'secretKeyFile' | 'secretKey'>

export interface LoadedKeys {
  /** The file, or the variable. */
  source: string
  /** Whether nonet may write the file. */
  isOwn: boolean
  /** Undefined if nonet has not created its own file yet. */
  keys: SecretKeys | undefined
  /** Whether other users of the machine can read the file. */
  isOpen: boolean
}

/** Reads the keys that the settings name, else those in the data folder. Creates none. */
export async function loadKeys(
  { secretKeyFile, secretKey }: KeySettings,
  folder: string
): Promise<LoadedKeys> {
  if (secretKeyFile !== undefined) {
    const source = resolve(secretKeyFile)
    const found = await readKeyFile(source)
    if (found === undefined) throw new UserError(`There is no secret key file ${source}`)
    return { source, isOwn: false, ...found }
  }
  if (secretKey !== undefined) {
    const keys = parseVariable(secretKey)
    return { source: 'NONET_SECRET_KEY', isOwn: false, keys, isOpen: false }
  }
  const source = ownKeyFile(folder)
  const found = await readKeyFile(source)
  return { source, isOwn: true, keys: found?.keys, isOpen: found?.isOpen ?? false }
}

function parseVariable(text: string): SecretKeys {
  try {
    return parseKeys(text)
  } catch (cause) {
    if (!(cause instanceof KeyMalformed)) throw cause
    throw new UserError(`NONET_SECRET_KEY is not a key: ${cause.message}`, { cause })
  }
}

export function keyIds(keys: SecretKeys): string {
  return keys.map(({ id }) => id).join(', ')
}

/** One line that says which key is needed, and how to give it. */
export function missingKey(
  service: string,
  { keyId }: Pick<CheckValue, 'keyId'>,
  { source, keys }: Pick<LoadedKeys, 'source' | 'keys'>,
  folder: string
): string {
  const found = keys === undefined ? `${source} is missing` : `${source} has ${keyIds(keys)}`
  return (
    `The secrets of ${service} are sealed with the key ${keyId}, but ${found}: give that key with ` +
    `--secret-key-file, in NONET_SECRET_KEY or as ${ownKeyFile(folder)}; nonet makes no other key ` +
    'for them'
  )
}

export function damagedCheck(service: string, { keyId }: CheckValue): string {
  return (
    `The check value of the secrets of ${service} cannot be read with the key ${keyId}: its row was ` +
    'changed; restore a backup with nonet restore --force'
  )
}

export function openKeyFile(source: string): string {
  return `Other users can read the secret key in ${source}: run chmod 600 on it`
}
