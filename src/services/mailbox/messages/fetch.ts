import type { FetchMessageObject, FetchQueryObject, ImapFlow } from 'imapflow'
import { setOf } from './message-sets.ts'

type Fetching = Pick<ImapFlow, 'fetchAll'>

/** Servers limit the length of a command; 250 numbers have at most 2750 characters. */
const MAX_NUMBERS = 250

/** Messages of the selected mailbox by UID; those that are gone are left out. */
export function fetchUids(
  client: Fetching,
  uids: readonly number[],
  query: FetchQueryObject
): Promise<readonly FetchMessageObject[]> {
  // In order, so that they make short ranges.
  const sorted = uids.toSorted((a, b) => a - b)
  return fetchAll(client, sorted, query, 'uid')
}

/** Messages of the selected mailbox by their sequence numbers. */
export function fetchSequence(
  client: Fetching,
  [first, last]: readonly [number, number],
  query: FetchQueryObject
): Promise<readonly FetchMessageObject[]> {
  const length = Math.max(0, last - first + 1)
  const numbers = Array.from({ length }, (_, index) => first + index)
  return fetchAll(client, numbers, query, 'seq')
}

/** Undefined if there is no such message. */
export async function fetchUid(
  client: Fetching,
  uid: number,
  query: FetchQueryObject
): Promise<FetchMessageObject | undefined> {
  // Zero is not a UID, and servers reject it as a syntax error.
  if (uid === 0) return undefined
  const [message] = await fetchUids(client, [uid], query)
  return message
}

/**
 * A server may send a message in several responses, and flags of others that changed meanwhile.
 * imapflow drops responses about messages with too many levels of parts: those are described
 * without their parts.
 */
async function fetchAll(
  client: Fetching,
  numbers: readonly number[],
  query: FetchQueryObject,
  key: 'uid' | 'seq'
): Promise<readonly FetchMessageObject[]> {
  const merged = new Map<number, FetchMessageObject>()
  async function fetchSome(some: readonly number[], wanted: FetchQueryObject): Promise<void> {
    const isWanted = new Set(some)
    for (let start = 0; start < some.length; start += MAX_NUMBERS) {
      const range = setOf(some.slice(start, start + MAX_NUMBERS))
      const options = { uid: key === 'uid' }
      for (const message of await client.fetchAll(range, { ...wanted, uid: true }, options)) {
        const number = message[key]
        if (!isWanted.has(number) || !(message.uid > 0)) continue
        merged.set(number, Object.assign(merged.get(number) ?? {}, message))
      }
    }
  }
  await fetchSome(numbers, query)
  const missing = numbers.filter((number) => !merged.has(number))
  if (missing.length > 0 && query.bodyStructure === true) {
    await fetchSome(missing, { ...query, bodyStructure: false })
  }
  return [...merged.values()]
}
