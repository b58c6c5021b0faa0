import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

export const KEY_BYTES = 32
/** More keys than rotations leave behind. */
const MAX_KEYS = 32

export interface SecretKey {
  /** Names the key in sealed values and messages; the key cannot be computed from it. */
  readonly id: string
  readonly key: KeyObject
}

/** The first key seals, all open; there is at least one. */
export type SecretKeys = readonly [SecretKey, ...SecretKey[]]

/** A text that contains no valid keys; the message never contains a part of it. */
export class KeyMalformed extends Error {
  override name = 'KeyMalformed'
}

export function createKey(bytes: Uint8Array = randomBytes(KEY_BYTES)): SecretKey {
  if (bytes.length !== KEY_BYTES) throw new RangeError(`A key has ${KEY_BYTES} bytes`)
  const id = createHash('sha256').update('nonet secret key id\0').update(bytes).digest('hex')
  return { id: id.slice(0, 8), key: createSecretKey(bytes) }
}

/** Keys separated by line ends, spaces or commas; `#` begins a comment. */
export function parseKeys(text: string): SecretKeys {
  const keys = new Map<string, SecretKey>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const words = line.replace(/#.*/, '').split(/[\s,]+/)
    for (const word of words.filter(Boolean)) {
      const key = createKey(decodeKey(word, index + 1))
      if (!keys.has(key.id)) keys.set(key.id, key)
    }
  }
  const [first, ...others] = keys.values()
  if (first === undefined) throw new KeyMalformed('it contains no key')
  if (others.length >= MAX_KEYS) throw new KeyMalformed(`it contains more than ${MAX_KEYS} keys`)
  return [first, ...others]
}

function decodeKey(word: string, line: number): Buffer {
  if (/^[\da-f]{64}$/i.test(word)) return Buffer.from(word, 'hex')
  const bytes = Buffer.from(word, 'base64')
  const plain = word.replaceAll('-', '+').replaceAll('_', '/').replace(/=$/, '')
  const isExact = bytes.toString('base64').replace(/=$/, '') === plain
  if (bytes.length === KEY_BYTES && isExact) return bytes
  throw new KeyMalformed(
    `line ${line} is neither 64 hexadecimal digits nor ${KEY_BYTES} bytes in base64`
  )
}

/** The lines of a key file, without comments. */
export function formatKeys(keys: SecretKeys): string {
  return keys.map(({ key }) => `${key.export().toString('hex')}\n`).join('')
}
