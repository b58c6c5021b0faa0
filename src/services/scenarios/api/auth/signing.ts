import { createHash, createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { JSONWebKeySet, JWK } from 'jose'
import type { ScenarioOptions } from '../../settings.ts'
import type { ScenarioStore } from '../../store/store.ts'

type Algorithm = ScenarioOptions['tokenAlgorithm']

/** Signing key: created at the first use and stored, so that tokens are valid after a restart. */
export interface SigningKey {
  readonly kid: string
  readonly algorithm: string
  readonly jwk: JWK
}

const RSA_BITS = 2048
/** PKCS #8 prefix of the 32 bytes of an Ed25519 key (RFC 8410, section 7). */
const ED25519_START = Buffer.from('302e020100300506032b657004220420', 'hex')

const makePair = promisify(generateKeyPair)

async function makeKey(algorithm: Algorithm, bytes: Buffer): Promise<JWK> {
  if (algorithm === 'HS256') return { kty: 'oct', k: bytes.toString('base64url') }
  if (algorithm === 'RS256') {
    const { privateKey } = await makePair('rsa', { modulusLength: RSA_BITS })
    return privateKey.export({ format: 'jwk' })
  }
  const der = Buffer.concat([ED25519_START, bytes])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' })
}

function publicPart(jwk: JWK): JWK {
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return key.export({ format: 'jwk' })
}

export interface Signing {
  key: () => Promise<SigningKey>
  /** Public keys for verification; empty for HS256, whose key is a shared secret. */
  publicKeys: () => Promise<JSONWebKeySet>
  forget: () => void
}

/** With a seed, the key is derived from it and not stored; RS256 keys cannot be derived. */
export function createSigning(
  store: ScenarioStore,
  { tokenAlgorithm: algorithm, seed }: ScenarioOptions,
  secret: () => Buffer,
  now: () => Date
): Signing {
  let opened: Promise<SigningKey> | undefined

  async function open(): Promise<SigningKey> {
    if (seed !== undefined && algorithm !== 'RS256') {
      const bytes = createHash('sha256').update(`signing key ${seed}`).digest()
      return named(await makeKey(algorithm, bytes))
    }
    const found = await store.findKey(algorithm)
    if (found !== undefined) return { ...found, jwk: JSON.parse(found.jwk) }
    const { kid, jwk } = named(await makeKey(algorithm, secret()))
    const time = now().getTime()
    const kept = await store.addKey({ kid, algorithm, jwk: JSON.stringify(jwk) }, time)
    return { ...kept, jwk: JSON.parse(kept.jwk) }
  }

  function named(jwk: JWK): SigningKey {
    const kid = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url').slice(0, 16)
    return { kid, algorithm, jwk }
  }

  function key(): Promise<SigningKey> {
    opened ??= open().catch((error) => {
      opened = undefined
      throw error
    })
    return opened
  }

  return {
    key,
    async publicKeys() {
      const { kid, jwk } = await key()
      if (algorithm === 'HS256') return { keys: [] }
      return { keys: [{ ...publicPart(jwk), kid, alg: algorithm, use: 'sig' }] }
    },
    forget() {
      opened = undefined
    }
  }
}
