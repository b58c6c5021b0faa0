import { randomBytes } from 'node:crypto'

const TIME_DIGITS = 11
const RANDOM_BYTES = 4

/** 19 hexadecimal digits, which sort by the time of sending: milliseconds, then a random number. */
export function createQueueId(sendAt: number, random: Uint8Array = randomBytes(RANDOM_BYTES)) {
  const time = Math.round(sendAt).toString(16).padStart(TIME_DIGITS, '0')
  return time + Buffer.from(random).toString('hex')
}

export function isQueueId(text: string): boolean {
  return /^[0-9a-f]{19}$/.test(text)
}
