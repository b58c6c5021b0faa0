import { randomBytes, randomInt } from 'node:crypto'

const COUNTER_LIMIT = 0x1000000
const SECOND_MS = 1000

/**
 * Ids in the layout of BSON's ObjectId: 4 bytes of Unix seconds, 5 random bytes of this process, 3
 * of a counter with a random start in its lower half, so that it does not wrap soon. As strings
 * they sort by second, within a process by creation.
 */
export function createObjectIdGenerator(now: () => Date): () => string {
  const process = randomBytes(5).toString('hex')
  let counter = randomInt(COUNTER_LIMIT / 2)
  return function nextId() {
    counter = (counter + 1) % COUNTER_LIMIT
    const seconds = Math.floor(now().getTime() / SECOND_MS) >>> 0
    return hex(seconds, 8) + process + hex(counter, 6)
  }
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0')
}
