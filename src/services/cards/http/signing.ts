import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../../../kernel/secrets/secrets.ts'
import { SIGNING_KEY_PURPOSE } from '../store/migrations.ts'
import { addSealedKey, readSealedKey } from '../store/signing-key.ts'
import type { CardStore } from '../store/store.ts'

const KEY_BYTES = 32

/** Signs texts that clients bring back, such as preview tokens and signed URLs. */
export interface Signing {
  /** 43 characters for URLs. `purpose` has no line end: a signature counts for one purpose only. */
  sign: (purpose: string, text: string) => Promise<string>
  /** Takes the same time for every wrong signature. */
  verify: (purpose: string, text: string, signature: string) => Promise<boolean>
}

/**
 * The key is read at each call, so that all processes with the same tables have the same one, also
 * after a reset; it is made for the first signature.
 */
export function createSigning(store: CardStore, secrets: Secrets): Signing {
  let opened: { sealed: string; key: Uint8Array } = { sealed: '', key: Buffer.alloc(0) }

  function open(sealed: string): Uint8Array {
    if (opened.sealed !== sealed)
      opened = { sealed, key: secrets.open(SIGNING_KEY_PURPOSE, sealed) }
    return opened.key
  }

  async function makeKey(): Promise<Uint8Array> {
    const sealed = secrets.seal(SIGNING_KEY_PURPOSE, randomBytes(KEY_BYTES))
    return open(await store.change(() => addSealedKey(sealed)))
  }

  async function findKey(): Promise<Uint8Array | undefined> {
    const sealed = await store.read(readSealedKey)
    return sealed === undefined ? undefined : open(sealed)
  }

  return {
    async sign(purpose, text) {
      const key = (await findKey()) ?? (await makeKey())
      return digest(key, purpose, text).toString('base64url')
    },
    async verify(purpose, text, signature) {
      const key = await findKey()
      if (key === undefined) return false
      const given = Buffer.from(signature, 'base64url')
      const wanted = digest(key, purpose, text)
      // A signature has one form only, although decoding ignores other characters.
      const isForm = given.toString('base64url') === signature && given.length === wanted.length
      return isForm && timingSafeEqual(given, wanted)
    }
  }
}

function digest(key: Uint8Array, purpose: string, text: string): Buffer {
  return createHmac('sha256', key).update(`${purpose}\n${text}`).digest()
}
