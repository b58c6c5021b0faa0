import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { ScenarioStore } from '../../store/store.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Creates random secrets, or reproducible ones if the operator has set a seed. */
export interface Secrets {
  make: (ws: string, purpose: string, bytes: number) => Promise<Buffer>
}

export function createSecrets(store: ScenarioStore, seed: string | undefined): Secrets {
  return {
    async make(ws, purpose, bytes) {
      if (seed === undefined) return randomBytes(bytes)
      const n = await store.count(ws, `secret ${purpose}`)
      return createHash('sha512')
        .update(JSON.stringify([seed, ws, purpose, n]))
        .digest()
        .subarray(0, bytes)
    }
  }
}

/** Hash of a secret; only the hash is stored. */
export function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** One character per byte. 8 of 62 characters are more likely, which is acceptable at 190 bits. */
export function toBase62(bytes: Buffer): string {
  return [...bytes].map((byte) => BASE62[byte % BASE62.length]).join('')
}

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
const KEY_BYTES = 32
const COST = { N: 4096, r: 8, p: 1 }

/** For registered accounts; sample accounts accept any password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, KEY_BYTES, COST)
  return `${salt.toString('base64url')}.${key.toString('base64url')}`
}

export async function fitsPassword(password: string, hash: string): Promise<boolean> {
  const [salt = '', key = ''] = hash.split('.')
  const wanted = Buffer.from(key, 'base64url')
  const given = await derive(password, Buffer.from(salt, 'base64url'), KEY_BYTES, COST)
  return wanted.length === given.length && timingSafeEqual(wanted, given)
}
