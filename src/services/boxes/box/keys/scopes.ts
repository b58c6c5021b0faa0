import { isObject, type Json } from '../../../../kernel/json.ts'
import { KeyRequestInvalid } from '../../contract.ts'
import type { Permission } from '../permission.ts'

export const KEY_SCOPES = ['read', 'create', 'write'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

const MAX_LABEL = 100

/** A key that the owner of a box requests for another client. */
export interface WantedKey {
  readonly label: string | null
  readonly scopes: readonly KeyScope[]
}

/** Permissions of each scope; only the owner key has `manage`. */
const OPENS: Readonly<Record<KeyScope, readonly Permission[]>> = {
  read: ['read'],
  create: ['create'],
  write: ['read', 'create', 'write']
}

export function opens(scopes: readonly KeyScope[], need: Permission): boolean {
  return scopes.some((scope) => OPENS[scope].includes(need))
}

/** The stored form: in the order of `KEY_SCOPES`, without duplicates. */
export function joinScopes(scopes: readonly KeyScope[]): string {
  return KEY_SCOPES.filter((scope) => scopes.includes(scope)).join(' ')
}

export function splitScopes(text: string): KeyScope[] {
  return KEY_SCOPES.filter((scope) => text.split(' ').includes(scope))
}

export function readWantedKey(body: Json): WantedKey {
  if (!isObject(body)) throw new KeyRequestInvalid('the body must be an object')
  const { label = null, scopes = null, ...others } = body
  const [other] = Object.keys(others)
  if (other !== undefined) throw new KeyRequestInvalid(`unknown member ${other}`)
  if (label !== null && (typeof label !== 'string' || label.length > MAX_LABEL)) {
    throw new KeyRequestInvalid(`label must be a string of at most ${MAX_LABEL} characters`)
  }
  return { label: cleanLabel(label), scopes: readScopes(scopes) }
}

/** Replaces control characters and lone surrogates, because PostgreSQL rejects U+0000. */
function cleanLabel(label: string | null): string | null {
  if (label === null) return null
  return label.toWellFormed().replace(/\p{Cc}/gu, ' ')
}

function readScopes(scopes: Json): KeyScope[] {
  const wanted = Array.isArray(scopes) ? scopes : []
  const known = KEY_SCOPES.filter((scope) => wanted.includes(scope))
  if (known.length === 0 || wanted.some((scope) => !known.includes(scope as KeyScope))) {
    throw new KeyRequestInvalid(`scopes must be an array of ${KEY_SCOPES.join(', ')}`)
  }
  return known
}

/** The body of `PATCH /_keys/<box>`. */
export function readPrivacy(body: Json): boolean {
  const wanted = isObject(body) && Object.keys(body).length === 1 ? body.private : undefined
  if (typeof wanted !== 'boolean') throw new KeyRequestInvalid('private must be true or false')
  return wanted
}
