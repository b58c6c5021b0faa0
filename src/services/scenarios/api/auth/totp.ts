import { createHmac } from 'node:crypto'

/** Public, so that any authenticator application can be set up with it. */
export const TOTP_SECRET = 'JBSWY3DPEHPK3PXP'
/** Accepted at any time, for tests without an authenticator. */
export const FIXED_CODE = '123456'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_MS = 30_000

function secretBytes(): Buffer {
  const bits = [...TOTP_SECRET]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** RFC 6238 with SHA-1, six digits, thirty seconds. */
export function totpAt(time: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(time / STEP_MS)))
  const hash = createHmac('sha1', secretBytes()).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 0xf
  const number = (hash.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000
  return String(number).padStart(6, '0')
}

/** Accepts one step before and after, because clocks differ. */
export function isRightCode(code: string, time: number): boolean {
  return (
    code === FIXED_CODE ||
    [-STEP_MS, 0, STEP_MS].some((shift) => totpAt(Math.max(0, time + shift)) === code)
  )
}
