import { hash, randomBytes, randomInt } from 'node:crypto'
import type { TokenFormat } from './rules.ts'

interface Format {
  pattern: RegExp
  create: () => string
  /** What is hashed; by default the text. */
  hashed?: (secret: string) => Buffer
}

const SECRET_BYTES = 32
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** As many as 32 bytes need. */
const NONET_DIGITS = 43
/** 119 bits. */
const PUBLISHABLE_DIGITS = 20

const HEX: Format = {
  pattern: /^[0-9a-f]{64}$/,
  create: () => randomBytes(SECRET_BYTES).toString('hex')
}

const FORMATS: Readonly<Record<TokenFormat, Format>> = {
  nonet: {
    pattern: /^nnt_[0-9A-Za-z]{43}$/,
    create: () => `nnt_${toBase62(randomBytes(SECRET_BYTES), NONET_DIGITS)}`
  },
  hex: HEX,
  hexBytes: { ...HEX, hashed: (secret) => Buffer.from(secret, 'hex') },
  publishable: {
    pattern: /^pk_[0-9A-Za-z]{20}$/,
    create: () => `pk_${Array.from({ length: PUBLISHABLE_DIGITS }, randomDigit).join('')}`
  }
}

export function createSecret(format: TokenFormat): string {
  return FORMATS[format].create()
}

/** SHA-256, without salt because secrets are random; undefined if the text is no such secret. */
export function digestOf(format: TokenFormat, secret: string): Buffer | undefined {
  const { pattern, hashed } = FORMATS[format]
  if (!pattern.test(secret)) return undefined
  return hash('sha256', hashed?.(secret) ?? secret, 'buffer')
}

function toBase62(bytes: Buffer, digits: number): string {
  let number = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let count = 0; count < digits; count++) {
    text = BASE62[Number(number % 62n)] + text
    number /= 62n
  }
  return text
}

function randomDigit(): string {
  return BASE62[randomInt(BASE62.length)] ?? ''
}
