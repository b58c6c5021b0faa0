import type { Database } from '../database/database.ts'
import { SecretUnreadable } from './errors.ts'
import type { SecretKeys } from './keys.ts'
import { openValue, sealValue } from './seal.ts'
import { addCheck, type CheckValue } from './table.ts'

const PURPOSE = 'check value'
const CONSTANT = 'nonet'

/** What the keys say to a check value: `missing` if none of them is the one it is sealed with. */
export type CheckResult = 'ok' | 'missing' | 'damaged'

export function createCheck(service: string, [first]: SecretKeys): CheckValue {
  return { keyId: first.id, sealed: sealValue(first, { service, purpose: PURPOSE }, CONSTANT) }
}

export function verifyCheck(service: string, keys: SecretKeys, check: CheckValue): CheckResult {
  if (!keys.some(({ id }) => id === check.keyId)) return 'missing'
  try {
    const opened = openValue(keys, { service, purpose: PURPOSE }, check.sealed)
    return opened.toString() === CONSTANT ? 'ok' : 'damaged'
  } catch (error) {
    if (error instanceof SecretUnreadable) return 'damaged'
    throw error
  }
}

/** The first process that uses the tables adds the check value; returns the one that counts. */
export function claimCheck(
  database: Database,
  service: string,
  keys: SecretKeys
): Promise<CheckValue> {
  const check = createCheck(service, keys)
  return database.write(() => addCheck(check))
}
