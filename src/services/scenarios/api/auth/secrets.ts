import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { ScenarioStore } from '../../store/store.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Makes what nobody can guess, or, with a seed of the operator's, the same each time. */
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

/** Only this is stored. */
export function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** As many characters as bytes; 4 of 256 values stand twice, which 190 bits can spare. */
export function toBase62(bytes: Buffer): string {
  return [...bytes].map((byte) => BASE62[byte % BASE62.length]).join('')
}

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
const KEY_BYTES = 32
const COST = { N: 4096, r: 8, p: 1 }

/** For people who registered; samples take any password. */
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
