import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { SecretAltered, SecretKeyUnknown, SecretMalformed } from './errors.ts'
import type { SecretKey, SecretKeys } from './keys.ts'

const ALGORITHM = 'aes-256-gcm'
const VERSION = 's1'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const FORMAT = /^s1\.([\da-f]{8})\.([\w-]+)$/

/** What a sealed value is bound to. */
export interface SealContext {
  service: string
  purpose: string
}

/** `s1.<key id>.<base64url of nonce, ciphertext and tag>`. */
export function sealValue(
  { id, key }: SecretKey,
  context: SealContext,
  value: Uint8Array | string
): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(additionalData(context))
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  const parts = [nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]
  return `${sealedPrefix(id)}${Buffer.concat(parts).toString('base64url')}`
}

/** Throws `SecretUnreadable`. */
export function openValue(keys: SecretKeys, context: SealContext, sealed: string): Buffer {
  const [, id = '', text = ''] = FORMAT.exec(sealed) ?? []
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) {
    throw new SecretMalformed('The value is not a sealed one')
  }
  const found = keys.find((key) => key.id === id)
  if (found === undefined) throw new SecretKeyUnknown(id)
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(ALGORITHM, found.key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(additionalData(context))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
  try {
    return Buffer.concat([opened, decipher.final()])
  } catch (cause) {
    throw new SecretAltered(`The value was changed, or is not for ${context.purpose}`, { cause })
  }
}

/** How values that are sealed with this key begin; always of the same length. */
export function sealedPrefix(keyId: string): string {
  return `${VERSION}.${keyId}.`
}

/** Different for different services and purposes, whatever characters they contain. */
function additionalData({ service, purpose }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([VERSION, service, purpose]))
}
